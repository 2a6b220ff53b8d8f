import { IconServer2 } from '@tabler/icons-react'
import { usePlace } from '../../../shell/place.ts'
import { NotFound } from '../../../ui/layout/not-found.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { nearKeys } from '../../../ui/words/near-keys.ts'

export function NoEnvironment({ wanted }: { wanted: string }) {
  const { environments, project, params } = usePlace()
  return (
    <NotFound
      noun="environment"
      wanted={wanted}
      place={project.name}
      icon={<IconServer2 size={36} />}
      near={nearKeys(wanted, environments).map(({ key, name }) => ({
        key,
        link: (
          <TextLink
            to="/$org/$project/environments/$environment"
            params={{ ...params, environment: key }}
            underline="always"
          >
            {name}
          </TextLink>
        ),
      }))}
      all={
        <TextLink to="/$org/$project/environments" params={params}>
          All environments of {project.name}
        </TextLink>
      }
    />
  )
}
