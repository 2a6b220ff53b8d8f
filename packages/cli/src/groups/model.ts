import type { Data } from '@svc/client'
import { idCalled } from '../called.ts'
import { command, type Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'
import { Problem, usage } from '../problem.ts'
import { allOf } from '../service/pages.ts'
import { shownTime } from '../terminal/times.ts'
import { limitOption, wholeNumber } from '../values/option-values.ts'
import { weightOf } from '../values/weights.ts'
import { askedFor, waitOption } from './job.ts'

const itemPath = '/api/v1/projects/{projectId}/recommendations/models/{modelId}'

type Model = Data<typeof itemPath, 'get'>
type Run = Data<`${typeof itemPath}/runs`, 'get'>[number]

const strategies = [
  'POPULAR',
  'TRENDING',
  'VIEWED_TOGETHER',
  'BOUGHT_TOGETHER',
  'SIMILAR',
  'FOR_YOU',
  'IMPORTED',
] as const

const fixed = {
  strategy: { value: 'STRATEGY', about: 'How products are chosen. It cannot change.', choices: strategies },
} as const

const options = {
  action: {
    value: 'EVENT=WEIGHT',
    many: true,
    about: 'Of POPULAR and TRENDING: an event that counts, and how much. Those given replace all.',
  },
  dataset: { value: 'KEY', about: 'What it learns from, if its strategy needs a dataset.', keys: 'dataset' },
  cron: { value: 'PATTERN', about: 'When it runs: minute, hour, day, month, weekday; empty for never.' },
  timezone: { value: 'ZONE', about: 'The time zone of --cron. Default: UTC.' },
} as const

interface Given {
  strategy?: string
  action?: string[]
  dataset?: string
  cron?: string
  timezone?: string
}

const run = command({
  name: 'model run',
  summary: 'Build a model anew, and let it serve unless it is clearly worse.',
  about: 'If a run of the model is queued or running, this is that run.',
  args: ['KEY'],
  keys: { KEY: 'recommendation_model' },
  options: waitOption,
  examples: ['svc model run popular --wait'],
  async run({ args, options, session }) {
    const { connection, project } = session
    const modelId = await idCalled(session, 'recommendation_model', args.KEY)
    const { data } = await connection.api.POST(`${itemPath}/runs`, {
      params: { path: { projectId: project, modelId } },
    })
    await askedFor(session, data!.data, 'builds the model', options.wait)
  },
})

const runs = command({
  name: 'model runs',
  summary: 'List the runs of a model, the newest first, with what they were measured at.',
  args: ['KEY'],
  keys: { KEY: 'recommendation_model' },
  options: { ...limitOption },
  examples: ['svc model runs for-you'],
  watch: true,
  async run({ args, options, session }) {
    const { connection, project, output } = session
    const modelId = await idCalled(session, 'recommendation_model', args.KEY)
    const path = { projectId: project, modelId }
    const rows = await allOf(
      (query) => connection.api.GET(`${itemPath}/runs`, { params: { path, query } }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(rows, () =>
      output.rows(
        [
          { head: 'RUN', cell: ({ number }) => number, right: true },
          { head: 'STATUS', cell: ({ status }) => status },
          { head: 'SERVES', cell: ({ activated }) => (activated ? 'yes' : 'no') },
          { head: 'PRODUCTS', cell: ({ products }) => products, right: true },
          { head: 'MEASURED', cell: measured },
          { head: 'POPULAR', cell: ({ metrics }) => metrics && quality(metrics.popular), right: true },
          { head: 'COVERAGE', cell: ({ metrics }) => metrics && percent(metrics.coverage20), right: true },
          { head: 'ENDED', cell: ({ endedAt }) => endedAt && shownTime(endedAt) },
          { head: 'REASON', cell: ({ reason }) => reason },
        ],
        rows,
        'The model has not run yet.',
      ),
    )
  },
})

type Measured = Pick<NonNullable<Run['metrics']>, 'recall20' | 'mrr20'>

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const quality = ({ recall20, mrr20 }: Measured): string => (mrr20 === null ? percent(recall20 ?? 0) : mrr20.toFixed(3))

const measured = ({ metrics }: Run): string | null =>
  metrics && `${metrics.mrr20 === null ? 'recall' : 'MRR'} ${quality(metrics)}`

const activate = command({
  name: 'model activate',
  summary: 'Let an earlier or a later run of a model serve.',
  args: ['KEY', 'RUN'],
  keys: { KEY: 'recommendation_model' },
  about: 'RUN is the number of the run.',
  examples: ['svc model activate for-you 12'],
  async run({ args, session }) {
    const { connection, project, output } = session
    const modelId = await idCalled(session, 'recommendation_model', args.KEY)
    const number = wholeNumber(args.RUN, 'RUN')
    const path = { projectId: project, modelId }
    const found = (await allOf((query) => connection.api.GET(`${itemPath}/runs`, { params: { path, query } }))).find(
      (each) => each.number === number,
    )
    if (!found) throw new Problem('not_found', `The model has no run ${args.RUN}. See svc model runs ${args.KEY}.`)
    const { data } = await connection.api.POST(`${itemPath}/runs/{runId}/activate`, {
      params: { path: { ...path, runId: found.id } },
    })
    output.wrote(data!.data, `Run ${found.number} serves.`)
  },
})

export const model: Group = {
  name: 'model',
  summary: 'Models that recommend products, and their runs.',
  commands: [
    ...objectCommands<Model, typeof options & typeof fixed, Record<never, never>>({
      of: 'recommendation_model',
      word: 'model',
      isNamed: true,
      summaries: {
        list: 'List the models of recommendations.',
        get: 'Show a model.',
        create: 'Create a model for a strategy.',
        set: 'Change a model. It counts from the next run on.',
        delete: 'Delete a model with its runs.',
      },
      about: 'Other schedules, and a different environment than Production, are fields of --file.',
      examples: [
        'svc model create --name Popular --strategy POPULAR --cron "15 * * * *"',
        'svc model create --name "For you" --strategy FOR_YOU --dataset behaviour',
      ],
      options: { ...fixed, ...options },
      later: {},
      fields: (given) => fieldsGiven(given as Given),
      columns: () => [
        { head: 'KEY', cell: ({ key }) => key },
        { head: 'NAME', cell: ({ name }) => name },
        { head: 'STRATEGY', cell: ({ strategy }) => strategy },
        { head: 'RUN', cell: ({ activeRun }) => activeRun?.number, right: true },
        { head: 'SINCE', cell: ({ activeRun }) => activeRun && shownTime(activeRun.activatedAt) },
      ],
      details: ({ key, name, strategy, settings, activeRun, schedule, updatedAt }) => [
        ['Key', key],
        ['Name', name],
        ['Strategy', strategy],
        ['Environment', settings.envId],
        [
          'Actions',
          Object.entries(settings.actions ?? {})
            .map(([event, weight]) => `${event} ${weight}`)
            .join(', ') || null,
        ],
        ['Run', activeRun && `${activeRun.number}, since ${shownTime(activeRun.activatedAt)}`],
        ['Schedule', schedule && JSON.stringify(schedule)],
        ['Updated', shownTime(updatedAt)],
      ],
    }),
    run,
    runs,
    activate,
  ],
}

function fieldsGiven({ strategy, action, dataset, cron, timezone }: Given): Record<string, unknown> {
  if (timezone !== undefined && !cron) throw usage('--timezone needs --cron.')
  return {
    ...(strategy !== undefined && { strategy }),
    ...(dataset !== undefined && { datasetId: dataset || null }),
    ...(action && { settings: { actions: Object.fromEntries(action.map(weightOf)) } }),
    ...(cron !== undefined && { schedule: cron === '' ? null : { cron, timezone: timezone ?? 'UTC' } }),
  }
}
