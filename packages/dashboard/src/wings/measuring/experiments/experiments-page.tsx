import { Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { segmentOf } from '../../../shell/address.ts'
import { ListPage } from '../../../shell/list-page.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { Status, StatusBadge } from '../../../ui/status-badge.tsx'
import { statusOf } from '../../../ui/status-words.ts'
import { useNow } from '../../../ui/time.tsx'
import { type Named, useNames } from '../../flags/references/names.ts'
import { KeptApartTabs } from '../exclusion-groups/tabs.tsx'
import { useResults } from '../results/results-query.ts'
import { verdictOf } from '../results/verdict.ts'
import { type Experiment, useExperiments } from './experiment.ts'
import { ageOf, matching } from './experiment-words.ts'

// Most of its code is the editor of a rule.
const NewExperiment = lazy(async () => ({ default: (await import('./new-experiment.tsx')).NewExperiment }))

const statuses = ['RUNNING', 'PAUSED', 'DRAFT', 'COMPLETED', 'ARCHIVED'] as const

/** Every experiment of the project, what runs first, with its results at a glance. */
export function ExperimentsPage() {
  const { params, environments } = usePlace()
  const { status } = useSearch({ from: '/inside/$org/$project/experiments' })
  const navigate = useNavigate()
  const now = useNow()
  const query = useExperiments()
  const mayEdit = useMay('experiments:write')
  const named = useNames((query.data ?? []).map(({ flagId }) => flagId))
  return (
    <ListPage
      noun="experiment"
      description="A/B tests with a hypothesis, a beginning and an end."
      Icon={IconFlask}
      query={query}
      mayEdit={mayEdit}
      onlyFor="You can look at experiments. Editors and admins can change them."
      empty={
        <>
          An experiment shows whether a change is better before everybody gets it.{' '}
          <TextLink to="/$org/$project/experiments/example" params={params}>
            See an example of results
          </TextLink>{' '}
          or{' '}
          <TextLink to="/$org/$project/experiments/calculator" params={params}>
            calculate how many visitors one needs
          </TextLink>
          .
        </>
      }
      filter={{
        in: 'name, hypothesis or tag',
        matching: (rows, text) => matching(rows, { text, status }),
      }}
      // Without a status, the list has all but archived ones.
      filters={{
        filters: [
          {
            key: 'status',
            label: 'Status',
            isSingle: true,
            options: statuses.map((value) => ({ value, label: statusOf('experiment', value).words })),
          },
        ],
        chosen: status ? { status: [status] } : {},
        onChoose: (next) => {
          const chosen = next.status?.[0]
          void navigate({
            to: '.',
            search: (({ status: _, ...old }: object & { status?: string }) =>
              chosen ? { ...old, status: chosen } : old) as never,
            replace: true,
          })
        },
      }}
      above={<KeptApartTabs />}
      panel={(name, close) =>
        name === 'create' && (
          <Suspense>
            <NewExperiment onClose={close} />
          </Suspense>
        )
      }
    >
      {(rows) => (
        <DataTable
          caption="Experiments"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Experiment',
              cell: (experiment) => (
                <div>
                  <TextLink
                    to="/$org/$project/experiments/$experiment"
                    params={{ ...params, experiment: segmentOf(experiment) }}
                    underline="hover"
                  >
                    {experiment.name}
                  </TextLink>
                  <Text size="xs" c="dimmed">
                    {nameIn(named.get(experiment.flagId))} in{' '}
                    {environments.find(({ id }) => id === experiment.envId)?.name ?? 'an environment'}
                  </Text>
                </div>
              ),
            },
            { title: 'Status', cell: ({ status }) => <Status of="experiment" value={status} /> },
            { title: 'Since', cell: (experiment) => ageOf(experiment, now) },
            { title: 'Results', cell: (experiment) => <Glance experiment={experiment} /> },
          ]}
        />
      )}
    </ListPage>
  )
}

const nameIn = (named: Named | undefined): string => (named?.visible ? named.name : 'A flag')

/** The verdict in its first sentence. */
function Glance({ experiment }: { experiment: Experiment }) {
  return experiment.launchedAt === null ? <Text size="sm">None yet</Text> : <Verdict experiment={experiment} />
}

function Verdict({ experiment: { projectId, id, variations, winner } }: { experiment: Experiment }) {
  const now = useNow()
  const { query } = useResults({ projectId, experimentId: id })
  if (winner)
    return (
      <StatusBadge tone="note">
        Winner: {variations.find(({ key }) => key === winner.variationKey)?.name ?? winner.variationKey}
      </StatusBadge>
    )
  if (!query.data) return null
  const nameOf = (id: string) => variations.find((variation) => variation.id === id)?.name ?? 'A variation'
  const { headline, isProven, tone } = verdictOf(query.data, { nameOf, now })
  return isProven || tone === 'bad' ? (
    <StatusBadge tone={tone}>{headline}</StatusBadge>
  ) : (
    <Text size="sm">{headline}</Text>
  )
}
