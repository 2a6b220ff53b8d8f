import { Stack, Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ListPage } from '../../../shell/list-page.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { PageTabs } from '../../../ui/layout/page-tabs.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import type { Status as StatusOfIt } from '../../../ui/status/status-words.ts'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import { FirstSteps } from '../../flags/checklist/first-steps.tsx'
import { type Named, useNames } from '../../flags/references/names.ts'
import { KeptApartTabs } from '../kept-apart/tabs.tsx'
import { ProgressBar } from '../results/drawings.tsx'
import { ofPlan } from '../results/figures.ts'
import { type Experiment, useExperiments, useMayTest } from './experiment.ts'
import { ExperimentName } from './experiment-name.tsx'
import { ageOf, glanceOf, healthGlance, matching, ofPart, partOf } from './experiment-words.ts'
import { webStepIn } from './new-web-form.ts'
import { Glance, Outcome } from './outcome.tsx'
import { type Part, parts } from './status-in.ts'

// Most of its code is the editor of a rule.
const NewExperiment = lazy(async () => ({ default: (await import('./new-experiment.tsx')).NewExperiment }))

const NewWebExperiment = lazy(async () => ({ default: (await import('./new-web-experiment.tsx')).NewWebExperiment }))

const tabs: Record<Part, string> = {
  RUNNING: 'Running',
  DRAFT: 'Draft',
  COMPLETED: 'Completed',
  ARCHIVED: 'Archived',
}
const nothing: Record<Part, string> = {
  RUNNING: 'No experiment runs',
  DRAFT: 'No draft',
  COMPLETED: 'No experiment has ended',
  ARCHIVED: 'No experiment is archived',
}

/** Every experiment of the project, what runs first, with its results at a glance. */
export function ExperimentsPage() {
  const { project } = usePlace()
  const { status } = useSearch({ from: '/inside/$org/$project/experiments' })
  const query = useExperiments()
  const all = query.data ?? []
  const part = partOf(all, status)
  const mayEdit = useMayTest()
  const columns = useColumns(all)
  return (
    <ListPage
      noun="experiment"
      description={`Tests of ${project.type === 'WEB' ? 'web pages' : 'flags'} with a hypothesis, a beginning and an end.`}
      Icon={IconFlask}
      query={query}
      mayEdit={mayEdit}
      onlyFor="You can look at experiments. Editors and admins can change them."
      empty={<WhyExperiments />}
      filter={{
        in: 'name, hypothesis or tag',
        matching: (rows, text) => matching(rows, { text, part }),
        nothing: nothing[part],
      }}
      above={
        <>
          <KeptApartTabs />
          {project.type === 'WEB' && mayEdit && query.data && (
            <FirstSteps isRunning={all.some(({ launchedAt }) => launchedAt !== null)} />
          )}
          {all.length > 0 && <StatusTabs all={all} part={part} />}
        </>
      }
      panel={(name, close) => {
        const [action, flagKey, environmentKey] = name.split(':')
        return (
          action === 'create' && (
            <Suspense>
              {project.type === 'WEB' ? (
                <NewWebExperiment step={webStepIn(name)} onClose={close} />
              ) : (
                <NewExperiment {...{ flagKey, environmentKey }} onClose={close} />
              )}
            </Suspense>
          )
        )
      }}
    >
      {(rows) => <DataTable caption="Experiments" rows={rows} keyOf={({ id }) => id} columns={columns} />}
    </ListPage>
  )
}

function WhyExperiments() {
  const { params } = usePlace()
  return (
    <>
      An experiment shows whether a change is better before everyone gets it.{' '}
      <TextLink to="/$org/$project/experiments/example" params={params}>
        See an example of results
      </TextLink>{' '}
      or{' '}
      <TextLink to="/$org/$project/experiments/calculator" params={params}>
        calculate how many visitors one needs
      </TextLink>
      .
    </>
  )
}

function StatusTabs({ all, part }: { all: readonly Experiment[]; part: Part }) {
  const { params } = usePlace()
  return (
    <PageTabs label="By status">
      {parts
        .filter((each) => each !== 'ARCHIVED' || each === part || ofPart(all, each).length > 0)
        .map((each) => (
          <TextLink
            key={each}
            to="/$org/$project/experiments"
            params={params}
            search={{ status: each }}
            aria-current={each === part ? 'page' : undefined}
          >
            {tabs[each]} {ofPart(all, each).length}
          </TextLink>
        ))}
    </PageTabs>
  )
}

/** Figures are only for roles that can read results. */
function useColumns(all: readonly Experiment[]): Column<Experiment>[] {
  const { environments } = usePlace()
  const now = useNow()
  const mayReadResults = useMay('results:read')
  const named = useNames(all.flatMap(({ flagId }) => flagId ?? []))
  return [
    {
      title: 'Experiment',
      cell: (experiment) => (
        <ExperimentName experiment={experiment}>
          {experiment.flagId === null ? `x${experiment.shortId}` : nameIn(named.get(experiment.flagId))} in{' '}
          {environments.find(({ id }) => id === experiment.envId)?.name ?? 'an environment'}
        </ExperimentName>
      ),
    },
    { title: 'Status', cell: ({ status }) => <Status of="experiment" value={status} /> },
    { title: 'Day', cell: (experiment) => ageOf(experiment, now) },
    ...(mayReadResults
      ? resultColumns
      : [{ title: 'Results', cell: (experiment: Experiment) => <WithoutResults {...experiment} /> }]),
  ]
}

const resultColumns: Column<Experiment>[] = [
  { title: 'Planned visitors', cell: ({ results }) => <Reached results={results} /> },
  {
    title: 'Results',
    cell: (experiment) => <Outcome experiment={experiment} />,
  },
  { title: 'Health', cell: (experiment) => <Health status={healthGlance(experiment)} /> },
]

const nameIn = (named: Named | undefined): string => (named?.visible ? named.name : 'A flag')

/** How much of the plan is done. */
function Reached({ results }: Pick<Experiment, 'results'>) {
  const fraction = results?.progress?.fraction ?? null
  if (fraction === null) return <Text size="sm">{results ? 'No plan' : 'None yet'}</Text>
  return (
    <Stack gap={0} w="100%">
      <Text size="sm">{ofPlan(fraction)}</Text>
      <ProgressBar fraction={fraction} />
    </Stack>
  )
}

/** A person without the scope for results must not read that there are none. */
const WithoutResults = (experiment: Experiment) =>
  experiment.winner || experiment.launchedAt === null ? (
    <Glance {...glanceOf(experiment)} />
  ) : (
    <Text size="sm">Not for your role</Text>
  )

function Health({ status }: { status: StatusOfIt | undefined }) {
  return status ? <StatusDot tone={status.tone}>{status.words}</StatusDot> : <Text size="sm">Not checked yet</Text>
}
