import { Text } from '@mantine/core'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { ownZone } from '../../../ui/time/zoned-time.ts'
import { percentOf, whole } from '../../../ui/words/percent.ts'
import { momentWords } from '../../flags/schedules/schedule-words.ts'
import { useResults } from '../results/results-query.ts'
import type { Experiment } from './experiment.ts'
import { phaseWords } from './experiment-words.ts'

/** When visitors got a different variation, and why. */
export function Phases({ experiment: { projectId, id, variations, completedAt } }: { experiment: Experiment }) {
  const { query } = useResults({ projectId, experimentId: id })
  const names = new Map(variations.map((variation) => [variation.id, variation.name]))
  const at = (time: string) => momentWords(new Date(time), ownZone())
  return (
    <Section
      title="Phases"
      description="A phase begins when visitors get a different variation. Results of different phases are not combined."
    >
      <Loaded query={query}>
        {({ phases = [] }) =>
          phases.length === 0 ? (
            <Text size="sm">No phases yet. The first one begins with the launch.</Text>
          ) : (
            <DataTable
              caption="Phases"
              rows={phases}
              keyOf={({ phase }) => String(phase)}
              columns={[
                { title: 'Phase', cell: ({ phase }) => phase },
                {
                  title: 'When',
                  cell: ({ startedAt, endedAt }) => {
                    const end = endedAt ?? completedAt
                    return end === null ? `Since ${at(startedAt)}` : `${at(startedAt)} to ${at(end)}`
                  },
                },
                {
                  title: 'Split',
                  cell: (phase) =>
                    phase.variations
                      .map(
                        ({ variationId, weight }) =>
                          `${names.get(variationId) ?? 'A removed variation'} ${percentOf(Math.round(weight * whole))}`,
                      )
                      .join(', '),
                },
                { title: 'Why it began', cell: ({ reason }) => phaseWords[reason] },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
