import { List, Text } from '@mantine/core'
import { Section } from '../../../ui/layout/section.tsx'
import { useNames } from './names.ts'
import { type Reference, ReferenceLink } from './reference-link.tsx'

interface UsedByProps {
  uses: readonly Reference[]
  /** "3 rules of 2 flags" */
  inWords: string
  /** What follows from the uses. */
  note?: string
  /** How to use it, while nothing does. */
  unused: string
}

/** What uses an audience, a segment, a metric or a holdout, with links. */
export function UsedBy({ uses, inWords, note = '', unused }: UsedByProps) {
  const names = useNames(uses.map(({ id }) => id))
  return (
    <Section
      title="Used by"
      description={`${inWords} ${uses.length <= 1 ? 'uses' : 'use'} it, drafted or live.${note}`}
    >
      {uses.length > 0 ? (
        <List size="sm">
          {uses.map((use) => (
            <List.Item key={use.id}>
              <ReferenceLink reference={use} named={names.get(use.id)} />
            </List.Item>
          ))}
        </List>
      ) : (
        <Text size="sm" c="dimmed">
          {unused}
        </Text>
      )}
    </Section>
  )
}
