import { List, Text } from '@mantine/core'
import { Figures } from '../../../ui/layout/facts.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { byCode, problemInWords, type SyncResult } from './sync-result.ts'

/** What a sync has done with items, and why rows were skipped. */
export function SyncSection({ sync, isHeld }: { sync: SyncResult; isHeld: boolean }) {
  const { catalog, rows, rowsSkipped, skipped, warnings, guards = [] } = sync
  const removal = guards.filter(({ check }) => check === 'REMOVED_SHARE')
  const figures = [
    ['Added', catalog.added],
    ['Changed', catalog.changed],
    // The items that a held file does not have are counted only if they are why it is held.
    ...(isHeld ? removal.map(({ count }) => ['Removed', count] as const) : [['Removed', catalog.removed] as const]),
    ['Unchanged', catalog.unchanged],
    ['Rows skipped', rowsSkipped],
  ] as const
  return (
    <Section
      title={isHeld ? 'What the file would have done' : 'What it has done'}
      description={
        rows === 0
          ? 'The file is the one of the last sync, so no row was read.'
          : `${counted(rows, 'row')} read.${sync.changed ? ` The catalog has revision ${catalog.revision.toLocaleString('en')} since then.` : ''}`
      }
    >
      <Figures figures={figures} />
      <Codes title="Why rows were skipped" counts={skipped} />
      <Codes title="What was taken in part" counts={warnings} />
    </Section>
  )
}

function Codes({ title, counts }: { title: string; counts: Record<string, number> }) {
  const codes = byCode(counts)
  if (codes.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <List size="sm">
        {codes.map(({ code, count }) => (
          <List.Item key={code}>
            {counted(count, 'row')}: {problemInWords(code)}
          </List.Item>
        ))}
      </List>
    </div>
  )
}
