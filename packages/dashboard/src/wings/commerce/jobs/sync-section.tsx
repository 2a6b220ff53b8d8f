import { List, Text } from '@mantine/core'
import { Figures } from '../../../ui/layout/facts.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { byCode, figuresOf, type OrdersResult, problemInWords, type SyncResult } from './sync-result.ts'

/** What a file has done with items or orders, and why rows were skipped. */
export function SyncSection({ result, isHeld }: { result: SyncResult | OrdersResult; isHeld: boolean }) {
  const { rows, skipped, warnings, changed } = result
  const revision =
    changed && 'catalog' in result
      ? ` The catalog has revision ${result.catalog.revision.toLocaleString('en')} since then.`
      : ''
  return (
    <Section
      title={isHeld ? 'What the file would have done' : 'What it has done'}
      description={
        rows === 0
          ? 'The file is the one of the last time, so no row was read.'
          : `${counted(rows, 'orders' in result ? 'order' : 'row')} read.${revision}`
      }
    >
      <Figures figures={figuresOf(result, isHeld)} />
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
