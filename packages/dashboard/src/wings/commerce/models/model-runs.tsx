import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { useDone } from '../../../versioned.ts'
import { readMs } from '../jobs/job.ts'
import { LastJob, type useLastJob } from '../jobs/last-job.tsx'
import { NextRunText } from '../schedules/next-run-text.tsx'
import { type Model, type ModelRun, modelPath, modelsPath, runsPath } from './model.ts'
import { beside, canServe, stateOf, verdictOf, whyNot } from './model-words.ts'

const shownRuns = 20

interface ModelRunsProps {
  model: Model
  last: ReturnType<typeof useLastJob>
  /** Whether the person can let a different run serve. */
  offers: boolean
}

/** How good the runs of a model are beside the popular products, and which one serves. */
export function ModelRuns({ model, last, offers }: ModelRunsProps) {
  const { project } = usePlace()
  const query = server.useQuery(
    'get',
    runsPath,
    { params: { path: { projectId: project.id, modelId: model.id }, query: { limit: shownRuns } } },
    { refetchInterval: last.isRunning ? readMs : false },
  )
  return (
    <Section title="Runs" description={<NextRunText schedule={model.schedule} />}>
      <LastJob job={last.job} />
      <Loaded query={query} like="table" lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            !last.isRunning && <Text size="sm">No run yet. Until the first one, the model recommends nothing.</Text>
          ) : (
            <>
              <Verdict runs={data} />
              <RunTable model={model} runs={data} offers={offers} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

/** What the figures of the run that serves say, or those of the newest one. */
function Verdict({ runs }: { runs: ModelRun[] }) {
  const judged = runs.find(({ activated }) => activated) ?? runs.find(({ status }) => status === 'SUCCEEDED')
  if (!judged) return null
  const verdict = verdictOf(judged)
  if (!verdict)
    return (
      <Text size="sm" c="dimmed">
        Run {judged.number} was not measured: its strategy has nothing to be measured on, or too few visitors came back.
      </Text>
    )
  return (
    <Notice tone={verdict.tone} title={`Run ${judged.number}: ${verdict.title.toLowerCase()}`}>
      {verdict.words}
    </Notice>
  )
}

const figures = [
  ['Recall@20', 'recall20'],
  ['MRR@20', 'mrr20'],
  ['Coverage@20', 'coverage20'],
] as const

/** A figure of each run, with the same of the popular products below. */
function figureColumn([title, name]: (typeof figures)[number]): Column<ModelRun> {
  return {
    title,
    cell: ({ metrics }) => {
      const figure = beside(metrics, name)
      if (!figure) return ''
      return (
        <>
          {figure.own}
          <Text size="xs" c="dimmed">
            Popular: {figure.popular}
          </Text>
        </>
      )
    },
  }
}

function RunTable({ model, runs, offers }: { model: Model; runs: ModelRun[]; offers: boolean }) {
  const { params } = usePlace()
  const [chosen, setChosen] = useState<ModelRun>()
  const measured = figures.filter(([, name]) => runs.some(({ metrics }) => beside(metrics, name)))
  const columns: Column<ModelRun>[] = [
    {
      title: 'Run',
      cell: ({ number, jobId, startedAt }) => (
        <Group gap={4}>
          <TextLink to="/$org/$project/commerce/jobs/$job" params={{ ...params, job: jobId }}>
            Run {number}
          </TextLink>
          <Text component="span" size="xs" c="dimmed" fw={400}>
            <Time time={startedAt} />
          </Text>
        </Group>
      ),
    },
    {
      title: 'State',
      cell: (run) => (
        <>
          <Status of="run" value={stateOf(run)} />
          {whyNot(run) !== '' && <Text size="xs">{whyNot(run)}</Text>}
        </>
      ),
    },
    ...measured.map(figureColumn),
    { title: 'Products', cell: ({ products }) => products?.toLocaleString('en') ?? '' },
    ...(offers
      ? [
          {
            title: 'Actions',
            isActions: true as const,
            cell: (run: ModelRun) =>
              canServe(run) && (
                <Button size="xs" variant="default" onClick={() => setChosen(run)}>
                  Let run {run.number} serve…
                </Button>
              ),
          },
        ]
      : []),
  ]
  return (
    <>
      <DataTable caption="Runs" rows={runs} keyOf={({ id }) => id} columns={columns} />
      {measured.length > 0 && (
        <Text size="xs" c="dimmed">
          Measured on the last days, which the run had not seen. Recall: how much of what visitors took up was among the
          best 20. MRR: how far up the next product of a session was. Coverage: the share of products that are in any
          list.
        </Text>
      )}
      {chosen && <ServeDialog model={model} run={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

function ServeDialog({ model, run, onClose }: { model: Model; run: ModelRun; onClose: () => void }) {
  const { project } = usePlace()
  const done = useDone()
  const activate = async () => {
    const path = { projectId: project.id, modelId: model.id, runId: run.id }
    await api.POST(`${runsPath}/{runId}/activate`, { params: { path } })
    await done(`Run ${run.number} serves.`, runsPath, modelPath, modelsPath)
  }
  return (
    <ConfirmDialog title={`Let run ${run.number} serve?`} verb="Let this run serve" act={activate} onClose={onClose}>
      {run.reason !== null && <Text size="sm">It did not go live by itself: {run.reason}</Text>}
      <Text size="sm">
        {model.activeRun ? `It takes the place of run ${model.activeRun.number}, at once ` : 'It serves at once '}
        and on every node. You can go back at any time.
      </Text>
    </ConfirmDialog>
  )
}
