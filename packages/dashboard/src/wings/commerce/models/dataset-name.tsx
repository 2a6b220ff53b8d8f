import { useProjectIndex } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import type { Model } from './model.ts'
import { learnsFrom } from './model-words.ts'

/** What a model learns from: its dataset, the events of an environment, or the catalog. */
export function DatasetName({ model: { strategy, datasetId, settings } }: { model: Model }) {
  const { environments, params } = usePlace()
  const { data: index } = useProjectIndex()
  if (datasetId !== null && !index) return '…'
  if (datasetId !== null)
    return (
      <TextLink to="/$org/$project/commerce/datasets/$dataset" params={{ ...params, dataset: datasetId }}>
        {index?.datasets?.find(({ id }) => id === datasetId)?.name ?? 'A dataset'}
      </TextLink>
    )
  if (learnsFrom[strategy] === 'CATALOG') return 'The catalog'
  const environment = environments.find(({ id }) => id === settings.envId)
  return environment ? `Events of ${environment.name}` : 'Events'
}
