import { Text } from '@mantine/core'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import { type Experiment, useExperiments } from '../experiments/experiment.ts'
import { ExperimentName } from '../experiments/experiment-name.tsx'
import { ageOf, roleOf } from '../experiments/experiment-words.ts'
import { Outcome } from '../experiments/outcome.tsx'
import type { Metric } from './metric-words.ts'

const roles = { primary: 'Primary', secondary: 'Secondary', guardrails: 'Guardrail' } as const

/** The experiments that measure the metric, the newest first, and what came of each. */
export function TestsSection({ metric: { key } }: { metric: Metric }) {
  const query = useExperiments()
  const columns = useColumns(key)
  return (
    <Section title="Tests with this metric" description="What the test was decided on is its primary metric.">
      <Loaded query={query} like="table">
        {(all) => {
          const rows = all.filter((experiment) => roleOf(experiment, key) !== undefined)
          return rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              No experiment has this metric yet.
            </Text>
          ) : (
            <DataTable caption="Experiments with this metric" rows={rows} keyOf={({ id }) => id} columns={columns} />
          )
        }}
      </Loaded>
    </Section>
  )
}

function useColumns(key: string): Column<Experiment>[] {
  const { environments } = usePlace()
  const now = useNow()
  const mayRead = useMay('results:read')
  return [
    {
      title: 'Experiment',
      cell: (experiment) => (
        <ExperimentName experiment={experiment}>
          {environments.find(({ id }) => id === experiment.envId)?.name}
        </ExperimentName>
      ),
    },
    { title: 'Role', cell: (experiment) => roles[roleOf(experiment, key)!] },
    { title: 'Status', cell: ({ status }) => <Status of="experiment" value={status} /> },
    { title: 'Day', cell: (experiment) => ageOf(experiment, now) },
    ...(mayRead ? [{ title: 'Outcome', cell: (experiment: Experiment) => <Outcome experiment={experiment} /> }] : []),
  ]
}
