import { Stack } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { useTargeting } from '../flags/targeting-place.ts'
import { Playground } from './playground.tsx'
import type { PlaygroundSearch } from './playground-search.ts'

/** The playground beside the rules of a flag: what a visitor gets from it here. */
export function TryPanel({ onClose }: { onClose: () => void }) {
  const { flag, environment } = useTargeting()
  const { params } = usePlace()
  const index = useProjectIndex()
  const search: PlaygroundSearch = useSearch({ strict: false })
  const { visitor, draft, revision, at, differs } = search
  const tried = { visitor, draft, revision, at, differs, flag: flag.key } as PlaygroundSearch
  return (
    <SidePanel
      title="Try a visitor"
      description={`${flag.name} in ${environment.name}. Nothing is counted, and nothing changes.`}
      onClose={onClose}
    >
      <Stack gap="md">
        <Loaded query={index} lines={6}>
          {(data) => <Playground search={tried} index={data} environment={environment} />}
        </Loaded>
        <TextLink
          to="/$org/$project/playground"
          params={params}
          search={{ env: environment.key, ...(visitor && { visitor }) }}
        >
          Try this visitor with all flags
        </TextLink>
      </Stack>
    </SidePanel>
  )
}
