import { IconFlagQuestion } from '@tabler/icons-react'
import { segmentOf } from '../../../shell/address.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { NotFound } from '../../../ui/layout/not-found.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { nearKeys } from '../../../ui/words/near-keys.ts'
import { useElsewhere } from './elsewhere.ts'

/** The page of a flag that the project does not have: near keys, and projects that have it. */
export function NoFlag({ flagKey }: { flagKey: string }) {
  const { params, project } = usePlace()
  const { data } = useProjectIndex()
  return (
    <NotFound
      noun="flag"
      wanted={flagKey}
      place={project.name}
      icon={<IconFlagQuestion size={36} />}
      near={nearKeys(flagKey, data?.flags ?? []).map(({ key, name }) => ({
        key,
        link: (
          <TextLink to="/$org/$project/flags/$flag" params={{ ...params, flag: key }} underline="always">
            {name}
          </TextLink>
        ),
      }))}
      elsewhere={useElsewhere(flagKey, project.id).map((other) => ({
        key: other.key,
        link: (
          <TextLink
            to="/$org/$project/flags/$flag"
            params={{ ...params, project: segmentOf(other), flag: flagKey }}
            underline="always"
          >
            {other.name}
          </TextLink>
        ),
      }))}
      all={
        <TextLink to="/$org/$project/flags" params={params}>
          All flags
        </TextLink>
      }
    />
  )
}
