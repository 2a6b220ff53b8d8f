import { Text } from '@mantine/core'
import { IconChartDots3 } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { server } from '../../../api.ts'
import { ListPage } from '../../../shell/list-page.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { containing } from '../../../ui/table/containing.ts'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { isOpen, type Job, jobsPath, readMs, stateOf } from '../jobs/job.ts'
import { NameCell } from '../name-cell.tsx'
import { strategyName } from '../recommendations/placement-words.ts'
import { RecommendationTabs } from '../recommendations/recommendation-tabs.tsx'
import { NextRunCell } from '../schedules/next-run-text.tsx'
import { useWholeList } from '../use-whole-list.ts'
import { DatasetName } from './dataset-name.tsx'
import { type Model, modelsPath } from './model.ts'

const NewModel = lazy(async () => ({ default: (await import('./new-model.tsx')).NewModel }))

/** What recommends products in a project. It has up to 50 models, so the list is read whole. */
export function ModelsPage() {
  const { params } = usePlace()
  const mayEdit = useMay('recommendations:write')
  const query = useWholeList(modelsPath)
  const lastRuns = useLastRuns()
  const columns: Column<Model>[] = [
    {
      title: 'Model',
      cell: ({ name, key }) => (
        <NameCell
          apiKey={key}
          link={
            <TextLink
              to="/$org/$project/commerce/models/$recommendation_model"
              params={{ ...params, recommendation_model: key }}
              underline="hover"
            >
              {name}
            </TextLink>
          }
        />
      ),
    },
    { title: 'Strategy', cell: ({ strategy }) => strategyName(strategy) },
    { title: 'Learns from', cell: (model) => <DatasetName model={model} /> },
    { title: 'Serves', cell: ({ activeRun }) => <Serves run={activeRun} /> },
    { title: 'Last run', cell: ({ id }) => <LastRun job={lastRuns?.get(id)} /> },
    { title: 'Next run', cell: ({ schedule }) => <NextRunCell schedule={schedule} /> },
  ]
  return (
    <ListPage
      noun="recommendation model"
      description="What recommends products, what each model learns from, and which of its runs serves."
      Icon={IconChartDots3}
      above={<RecommendationTabs />}
      query={query}
      mayEdit={mayEdit}
      onlyFor="You can look at recommendation models. People who manage integrations can change them."
      empty="A model recommends products by one strategy. It is built by runs in the background, and placements show what it says."
      command='svc model create --name Popular --strategy POPULAR --cron "45 * * * *"'
      filter={{ in: 'name, key or strategy', matching }}
      panel={(name, close) => <Suspense fallback={null}>{name === 'create' && <NewModel onClose={close} />}</Suspense>}
    >
      {(rows) => <DataTable caption="Recommendation models" rows={rows} keyOf={({ id }) => id} columns={columns} />}
    </ListPage>
  )
}

/** The last run of each model, among the last 100 runs of the project. Open ones are read every 2 s. */
function useLastRuns(): Map<string, Job> | undefined {
  const { project } = usePlace()
  const { data } = server.useQuery(
    'get',
    jobsPath,
    { params: { path: { projectId: project.id }, query: { kind: 'recommendation_run', limit: 100 } } },
    { refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? readMs : false) },
  )
  // The newest is first, and the first of a model is kept.
  return data && new Map(data.data.toReversed().map((job) => [job.source.id, job]))
}

function LastRun({ job }: { job: Job | undefined }) {
  if (!job) return <Text size="sm">None lately</Text>
  return (
    <>
      <Status of="job" value={stateOf(job)} />{' '}
      <Text component="span" size="xs" c="dimmed">
        <Time time={job.createdAt} />
      </Text>
    </>
  )
}

function Serves({ run }: { run: Model['activeRun'] }) {
  if (!run) return 'Nothing yet'
  return (
    <>
      Run {run.number}{' '}
      <Text component="span" size="xs" c="dimmed">
        <Time time={run.activatedAt} />
      </Text>
    </>
  )
}

const matching = (rows: readonly Model[], text: string): Model[] =>
  containing(rows, text, ({ name, key, strategy }) => [name, key, strategyName(strategy)])
