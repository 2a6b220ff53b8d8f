import type { Data } from '@svc/client'
import { counted } from '@svc/core'
import { idCalled } from '../called.ts'
import { command, type Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'
import { Problem, usage } from '../problem.ts'
import { allOf } from '../service/pages.ts'
import type { Session } from '../session.ts'
import { shownTime } from '../terminal/times.ts'
import { limitOption, wholeNumber } from '../values/option-values.ts'
import { weightOf } from '../values/weights.ts'
import { askedFor, type Job, waitOption } from './job.ts'

const itemPath = '/api/v1/projects/{projectId}/datasets/{datasetId}'

type Dataset = Data<typeof itemPath, 'get'>
type Version = Data<`${typeof itemPath}/versions`, 'get'>[number]

const fixed = {
  kind: { value: 'KIND', about: 'What its rows are. It cannot change.', choices: ['INTERACTIONS', 'NEIGHBOURS'] },
} as const

const options = {
  action: {
    value: 'EVENT=WEIGHT',
    many: true,
    about: 'An event that is an interaction, and how much it counts. Those given replace all.',
  },
  days: { value: 'N', about: 'How many days of events are read. Default: 90.' },
  cron: { value: 'PATTERN', about: 'When versions are derived: minute, hour, day, month, weekday; empty for never.' },
  timezone: { value: 'ZONE', about: 'The time zone of --cron. Default: UTC.' },
} as const

interface Given {
  kind?: string
  action?: string[]
  days?: string
  cron?: string
  timezone?: string
}

const ofKey = { args: ['KEY'], keys: { KEY: 'dataset' } } as const

const runOption = { run: { about: 'Let the models that learn from it run at once.' } } as const

const refresh = command({
  name: 'dataset refresh',
  summary: 'Derive a new version of a dataset from events, and let it go live unless a guard stops it.',
  about: 'If a job of the dataset is queued or running, this is that job.',
  ...ofKey,
  options: waitOption,
  examples: ['svc dataset refresh behaviour --wait'],
  async run({ args, options, session }) {
    const { connection, project } = session
    const datasetId = await idCalled(session, 'dataset', args.KEY)
    const params = { path: { projectId: project, datasetId } }
    const { data } = await connection.api.POST(`${itemPath}/versions`, { params })
    await askedFor(session, data!.data, 'derives a version', options.wait)
  },
})

const upload = command({
  name: 'dataset upload',
  summary: 'Send the rows of a new version of a dataset of NEIGHBOURS.',
  about: 'The file is CSV with the columns productId, relatedId and score, or JSON lines with these fields.',
  ...ofKey,
  options: {
    input: { value: 'FILE', about: 'The file; - is standard input.' },
    ...waitOption,
  },
  examples: ['svc dataset upload trained --input pairs.csv --wait'],
  async run({ args, options: { input, wait }, session }) {
    if (input === undefined) throw usage('Say which file to send: --input.')
    const { connection, project } = session
    const id = await idCalled(session, 'dataset', args.KEY)
    const path = `/api/v1/projects/${encodeURIComponent(project)}/datasets/${encodeURIComponent(id)}/versions`
    const response = await connection.send('POST', path, {
      headers: { 'content-type': 'application/octet-stream' },
      body: await session.readBytes(input),
    })
    const { data: asked } = (await response.json()) as { data: Job }
    await askedFor(session, asked, 'checks the rows', wait)
  },
})

const versionsOf = ({ connection, project }: Session, datasetId: string, limit?: number): Promise<Version[]> =>
  allOf(
    (query) =>
      connection.api.GET(`${itemPath}/versions`, { params: { path: { projectId: project, datasetId }, query } }),
    limit,
  )

const versions = command({
  name: 'dataset versions',
  summary: 'List the versions of a dataset, the newest first.',
  ...ofKey,
  options: { ...limitOption },
  examples: ['svc dataset versions behaviour'],
  watch: true,
  async run({ args, options, session }) {
    const datasetId = await idCalled(session, 'dataset', args.KEY)
    const rows = await versionsOf(session, datasetId, wholeNumber(options.limit, '--limit'))
    session.output.data(rows, () =>
      session.output.rows(
        [
          { head: 'VERSION', cell: ({ number }) => number, right: true },
          { head: 'STATUS', cell: ({ status }) => status },
          { head: 'ACTIVE', cell: ({ isActive }) => (isActive ? 'yes' : 'no') },
          { head: 'ROWS', cell: (version) => version.rows, right: true },
          { head: 'VISITORS', cell: ({ units }) => units, right: true },
          { head: 'PRODUCTS', cell: ({ products }) => products, right: true },
          { head: 'FAILED', cell: failedOf },
          { head: 'CREATED', cell: ({ createdAt }) => shownTime(createdAt) },
        ],
        rows,
        'The dataset has no version yet.',
      ),
    )
  },
})

const failedOf = ({ checks }: Version): string =>
  checks.flatMap(({ check, status }) => (status === 'FAILED' ? [check] : [])).join(', ')

const activate = command({
  name: 'dataset activate',
  summary: 'Let models learn from a version, also from one that is held.',
  about: 'VERSION is the number of the version.',
  args: ['KEY', 'VERSION'],
  keys: { KEY: 'dataset' },
  options: runOption,
  examples: ['svc dataset activate behaviour 7 --run'],
  async run({ args, options, session }) {
    const { connection, project, output } = session
    const datasetId = await idCalled(session, 'dataset', args.KEY)
    const number = wholeNumber(args.VERSION, 'VERSION')
    const found = (await versionsOf(session, datasetId)).find((each) => each.number === number)
    if (!found)
      throw new Problem('not_found', `The dataset has no version ${number}. See svc dataset versions ${args.KEY}.`)
    const { data } = await connection.api.POST(`${itemPath}/versions/{versionId}/activate`, {
      params: { path: { projectId: project, datasetId, versionId: found.id } },
      body: { run: Boolean(options.run) },
    })
    output.wrote(data!.data, `Version ${found.number} is active.`)
  },
})

const rollback = command({
  name: 'dataset rollback',
  summary: 'Let models learn from the version that was active before.',
  ...ofKey,
  options: runOption,
  examples: ['svc dataset rollback behaviour --run'],
  async run({ args, options, session }) {
    const { connection, project, output } = session
    const datasetId = await idCalled(session, 'dataset', args.KEY)
    const { data } = await connection.api.POST(`${itemPath}/rollback`, {
      params: { path: { projectId: project, datasetId } },
      body: { run: Boolean(options.run) },
    })
    output.wrote(data!.data, `Version ${data!.data.number} is active.`)
  },
})

export const dataset: Group = {
  name: 'dataset',
  summary: 'What models of recommendations learn from.',
  commands: [
    ...objectCommands<Dataset, typeof options & typeof fixed, Record<never, never>>({
      of: 'dataset',
      isNamed: true,
      summaries: {
        list: 'List the datasets.',
        get: 'Show a dataset.',
        create: 'Create a dataset.',
        set: 'Change a dataset. It counts from the next version on.',
        delete: 'Delete a dataset with its versions.',
      },
      about: 'Guards, other schedules, and a different environment than Production, are fields of --file.',
      examples: ['svc dataset create --name Behaviour --kind INTERACTIONS --cron "45 2 * * *"'],
      options: { ...fixed, ...options },
      later: {},
      fields: (given) => fieldsGiven(given as Given),
      columns: () => [
        { head: 'KEY', cell: ({ key }) => key },
        { head: 'NAME', cell: ({ name }) => name },
        { head: 'KIND', cell: ({ kind }) => kind },
        { head: 'VERSION', cell: ({ activeVersion }) => activeVersion?.number, right: true },
        { head: 'ROWS', cell: ({ activeVersion }) => activeVersion?.rows, right: true },
      ],
      details: ({ key, name, kind, derivation, guards, activeVersion, schedule, updatedAt }) => [
        ['Key', key],
        ['Name', name],
        ['Kind', kind],
        ['Environment', derivation?.envId],
        ['Actions', pairsOf(derivation?.actions)],
        ['Days', derivation?.windowDays],
        ['Guards', pairsOf(guards)],
        ['Version', activeVersion && `${activeVersion.number}, ${counted(activeVersion.rows, 'row')}`],
        ['Schedule', schedule && JSON.stringify(schedule)],
        ['Updated', shownTime(updatedAt)],
      ],
    }),
    refresh,
    upload,
    versions,
    activate,
    rollback,
  ],
}

const pairsOf = (values: object | undefined): string | null =>
  values
    ? Object.entries(values)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')
    : null

function fieldsGiven({ kind, action, days, cron, timezone }: Given): Record<string, unknown> {
  if (timezone !== undefined && !cron) throw usage('--timezone needs --cron.')
  const derivation = {
    ...(action && { actions: Object.fromEntries(action.map(weightOf)) }),
    ...(days !== undefined && { windowDays: wholeNumber(days, '--days') }),
  }
  return {
    ...(kind !== undefined && { kind }),
    ...(Object.keys(derivation).length > 0 && { derivation }),
    ...(cron !== undefined && { schedule: cron === '' ? null : { cron, timezone: timezone ?? 'UTC' } }),
  }
}
