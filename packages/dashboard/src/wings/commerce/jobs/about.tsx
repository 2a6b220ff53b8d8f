import { Text } from '@mantine/core'
import { usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { aboutOf, type Job } from './job.ts'

/** What the job is about, with the way there. */
export function About({ job }: { job: Job }) {
  const { params } = usePlace()
  const { id, name } = job.source
  switch (aboutOf(job)) {
    case 'source':
      return (
        <Text size="sm">
          Of the source{' '}
          <TextLink to="/$org/$project/commerce/sources/$catalog_source" params={{ ...params, catalog_source: id }}>
            {name}
          </TextLink>
        </Text>
      )
    case 'dataset':
      return (
        <Text size="sm">
          Of the dataset{' '}
          <TextLink to="/$org/$project/commerce/datasets/$dataset" params={{ ...params, dataset: id }}>
            {name}
          </TextLink>
        </Text>
      )
    case 'model':
      return (
        <Text size="sm">
          Of the model{' '}
          <TextLink
            to="/$org/$project/commerce/models/$recommendation_model"
            params={{ ...params, recommendation_model: id }}
          >
            {name}
          </TextLink>
        </Text>
      )
    case 'catalog':
      return (
        <Text size="sm">
          Of{' '}
          <TextLink to="/$org/$project/commerce/catalog" params={params}>
            the catalog
          </TextLink>
        </Text>
      )
    default:
      return null
  }
}
