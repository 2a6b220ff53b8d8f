import { Anchor, Button, List, Text } from '@mantine/core'
import { IconWand } from '@tabler/icons-react'
import { usePlace } from '../../../shell/place.ts'
import { CodeSnippet } from '../../../ui/code/code-snippet.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import type { Design } from './design.ts'
import { exampleOf } from './example.ts'
import { tagOf } from './tag.ts'

/** A variation that changes nothing yet: what a change is, how pages get it, and how to let an assistant write it. */
export function FirstChange({ design }: { design: Design }) {
  const { experiment, variation, canEdit, go } = design
  const { environments } = usePlace()
  const environment = environments.find(({ id }) => id === experiment.envId)
  if (variation.redirect)
    return (
      <Text size="sm">
        Visitors of this variation go to <code>{variation.redirect.url}</code>, so it changes nothing on the page that
        they leave.
      </Text>
    )
  if (variation.key === experiment.baselineVariationKey && experiment.variations.length > 1)
    return (
      <Text size="sm">
        This is the baseline: its visitors see the page as it is. Results compare the other variations with it, so it
        usually has no changes.
      </Text>
    )
  if (!canEdit) return <Text size="sm">This variation changes nothing.</Text>
  const number = String(experiment.shortId)
  return (
    <>
      <EmptyState
        icon={<IconWand size={36} />}
        title="No changes yet"
        action={
          <Button variant="default" onClick={() => go({ panel: 'example' })}>
            Start with an example
          </Button>
        }
      >
        A change finds elements of a page with a CSS selector and gives them a different text, style, image or place.
        Visitors of {variation.name} get all of its changes.
      </EmptyState>
      <CodeSnippet
        label="An example, the script and an assistant"
        snippets={[
          {
            language: 'Script',
            about: (
              <>
                Put this first in the head of every page of the site.{' '}
                <Anchor href="/docs/web-tag">More about the script</Anchor>
              </>
            ),
            code: tagOf(environment?.sdkKey ?? 'sdk_…'),
          },
          {
            language: 'Example',
            about: 'Changes as JSON, as the API, the command line and “Edit as JSON” take them.',
            code: JSON.stringify(exampleOf(design), null, 2),
          },
          {
            language: 'Assistant',
            about: 'Give an assistant the schema and a page. Check what it writes, then save it as a draft.',
            code: [
              'svc experiment changes schema > web-changes.schema.json',
              `svc experiment changes put ${number} ${variation.key} changes.json --dry-run`,
              `svc experiment changes put ${number} ${variation.key} changes.json`,
            ].join('\n'),
          },
        ]}
      />
      <List size="sm">
        <List.Item>Nothing that you save reaches a visitor before a launch or a publish.</List.Item>
        <List.Item>Two people can edit a variation at once: edits of different changes are merged.</List.Item>
      </List>
    </>
  )
}
