import { ApiError, type Data } from '@svc/client'
import { command, type Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'
import type { Session } from '../session.ts'
import { statusColor } from '../terminal/status-color.ts'
import { shownTime } from '../terminal/times.ts'
import { recommended } from '../values/recommendation.ts'
import { percent } from '../values/shares.ts'
import { contentCommands } from './experiment-content.ts'
import { previewCommands } from './experiment-preview.ts'

const itemPath = '/api/v1/projects/{projectId}/experiments/{experimentId}'
const keys = { KEY: 'experiment' } as const
const statuses = ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED', 'ARCHIVED'] as const
type Experiment = Data<typeof itemPath, 'get'>
type NoOptions = Record<never, never>
const dryRun = { about: 'Show what would change, and change nothing.' }

const ofEvery = objectCommands<Experiment, NoOptions, NoOptions>({
  of: 'experiment',
  summaries: {
    list: 'List the experiments of a project.',
    get: 'Show an experiment.',
    create: 'Create an experiment for a flag, or on web pages in a project of the type WEB.',
    set: 'Change an experiment.',
    delete: 'Delete a drafted or archived experiment.',
  },
  about:
    'The file has fields as in docs/experiments.md: flagId, name, variations, baselineVariationKey and more. Keys are\naccepted instead of ids. A web experiment needs only a name.',
  isDescribed: true,
  filters: {
    status: { value: 'STATUS', about: 'Only experiments with this status.', choices: statuses },
    tag: { value: 'TAG', about: 'Only experiments with this tag.' },
  },
  examples: [],
  options: {},
  later: {},
  fields: () => ({}),
  columns: () => [
    { head: 'ID', cell: ({ shortId }) => shortId, right: true },
    { head: 'NAME', cell: ({ name }) => name },
    { head: 'STATUS', cell: ({ status }) => status, color: ({ status }) => statusColor(status) },
    { head: 'UNITS', cell: ({ results }) => results?.units, right: true },
    { head: 'DAYS', cell: ({ results }) => results && Math.floor(results.runtimeDays), right: true },
    { head: 'RECOMMENDATION', cell: (found) => advised(found) },
    { head: 'WINNER', cell: ({ winner: chosen }) => chosen?.variationKey },
  ],
  details: async (found, session) => [
    ['Id', found.shortId],
    ['Name', found.name],
    ...(await whereOf(found, session)),
    ['Status', found.status],
    ['Schedule', found.schedule && scheduled(found.schedule)],
    ['Staged', found.hasStagedChanges ? 'yes' : null],
    ['Hypothesis', found.hypothesis],
    ['Description', found.description],
    ['Split', found.variations.map(({ key, weight }) => `${key} ${percent(weight)}`).join(', ')],
    ['Baseline', found.baselineVariationKey],
    ['Share', percent(found.trafficAllocation)],
    ['Metrics', found.metrics.primary.join(', ')],
    ['Secondary', found.metrics.secondary.join(', ')],
    ['Guardrails', found.metrics.guardrails.join(', ')],
    ['Launched', shownTime(found.launchedAt)],
    ['Completed', shownTime(found.completedAt)],
    ['Units', found.results?.units],
    ['Health', found.results?.health.status],
    ['Recommendation', advised(found)],
    ['Winner', found.winner && `${found.winner.variationKey}${found.winner.rolledOut ? ', rolled out' : ''}`],
  ],
})

/** The key of the flag and the name of the environment; their ids without the right to read flags. */
async function whereOf({ projectId, shortId, flagId, envId }: Experiment, { connection }: Session) {
  if (flagId === null)
    return [
      ['Called', `x${shortId}`],
      ['Environment', await environmentName(projectId, envId, connection)],
    ] as const
  const params = { path: { projectId, flagId } }
  const flag = await connection.api
    .GET('/api/v1/projects/{projectId}/flags/{flagId}', { params })
    .then(({ data }) => data!.data, withoutRight)
  const env = flag?.environments.find((each) => each.envId === envId)
  return [
    ['Flag', flag?.key ?? flagId],
    ['Environment', env?.name ?? envId],
  ] as const
}

/** Its id without the right to read environments. */
async function environmentName(projectId: string, envId: string, { api }: Session['connection']): Promise<string> {
  const params = { path: { projectId, envId } }
  const found = await api
    .GET('/api/v1/projects/{projectId}/environments/{envId}', { params })
    .then(({ data }) => data!.data, withoutRight)
  return found?.name ?? envId
}

function withoutRight(error: unknown): undefined {
  if (!(error instanceof ApiError && error.status === 403)) throw error
}

const scheduled = ({ action, runAt, status }: NonNullable<Experiment['schedule']>): string =>
  `${action} at ${shownTime(runAt)}${status === 'PENDING' ? '' : `, ${status}`}`

const atOnce = 'It reaches visitors at once.'
const verbs = {
  pause: { summary: 'Stop an experiment for a while.', about: atOnce },
  complete: { summary: 'End an experiment without a winner.', about: atOnce },
  archive: { summary: 'Archive an experiment that is not running.', about: 'Its results stay readable.' },
  unarchive: { summary: 'Take an experiment out of the archive.', about: 'It gets back the status that it had.' },
} as const

const moved = (verb: keyof typeof verbs) =>
  command({
    name: `experiment ${verb}`,
    ...verbs[verb],
    args: ['KEY'],
    keys,
    async run({ args, session }) {
      if (verb === 'archive') await session.prompt.confirm(`Archive the experiment ${args.KEY}?`)
      const { data } = await session.connection.api.POST(`${itemPath}/${verb}`, {
        params: { path: { projectId: session.project, experimentId: args.KEY } },
      })
      say(session, args.KEY, data!.data)
    },
  })

const starts = {
  launch: 'Start an experiment.',
  resume: 'Resume a paused experiment.',
} as const

const started = (verb: keyof typeof starts) =>
  command({
    name: `experiment ${verb}`,
    summary: starts[verb],
    about: atOnce,
    args: ['KEY'],
    keys,
    options: { 'dry-run': { about: 'Show the problems to check, and change nothing.' } },
    async run({ args, options, session }) {
      const { data } = await session.connection.api.POST(`${itemPath}/${verb}`, {
        params: { path: { projectId: session.project, experimentId: args.KEY } },
        ...(options['dry-run'] && { body: { dryRun: true } }),
      })
      if (!options['dry-run']) return say(session, args.KEY, data!.data)
      const { output } = session
      output.data(data!.data, () => {
        for (const { message } of data!.data.warnings) output.line(message)
      })
      output.say('Nothing was changed.')
    },
  })

const publish = command({
  name: 'experiment publish',
  summary: 'Make the staged changes of an experiment live.',
  about: 'It publishes all staged changes of its flag in the environment. A web experiment has only its own.',
  args: ['KEY'],
  keys,
  options: {
    comment: { value: 'TEXT', about: 'The reason, shown in the audit log and the revision.' },
    'new-phase': { about: 'Restart the results, even if visitors keep their variations.' },
    'confirm-reassignment': {
      about: 'Change the split of a running test, although visitors get a different variation.',
    },
    'dry-run': dryRun,
  },
  examples: ['svc experiment publish 12 --dry-run', 'svc experiment publish 12 --comment "Only the Netherlands"'],
  async run({ args, options, session }) {
    const { data } = await session.connection.api.POST(`${itemPath}/publish`, {
      params: { path: { projectId: session.project, experimentId: args.KEY } },
      body: {
        ...(options.comment !== undefined && { comment: options.comment }),
        ...(options['new-phase'] && { newPhase: true }),
        ...(options['confirm-reassignment'] && { confirmReassignment: true }),
        ...(options['dry-run'] && { dryRun: true }),
      },
    })
    const { changes, changed, warnings, dataFile } = data!.data
    for (const { message } of warnings) session.output.say(message)
    session.output.data(data!.data, () => showChanges(changes, session))
    if (options['dry-run']) return session.output.say('Nothing was published.')
    session.output.say(changed ? `Published, revision ${dataFile.revision}.` : 'Nothing is staged.')
  },
})

const duplicate = command({
  name: 'experiment duplicate',
  summary: 'Create a draft of the same test.',
  about: 'It has a rule of its own and buckets visitors again.',
  args: ['KEY'],
  keys,
  options: {
    to: {
      value: 'ENV',
      about: 'The environment of the copy. Default: the environment of the experiment.',
      keys: 'environment',
    },
  },
  examples: ['svc experiment duplicate 12 --to production'],
  async run({ args, options, session }) {
    const { data } = await session.connection.api.POST(`${itemPath}/duplicate`, {
      params: { path: { projectId: session.project, experimentId: args.KEY } },
      ...(options.to !== undefined && { body: { envId: options.to } }),
    })
    const copy = data!.data
    session.output.wrote(copy, `The experiment ${copy.shortId} "${copy.name}" is created. It is a draft.`)
  },
})

const winner = command({
  name: 'experiment winner',
  summary: 'Declare the winner of an experiment, which completes it.',
  args: ['KEY', 'VARIATION'],
  keys,
  options: {
    comment: { value: 'TEXT', about: 'Why.' },
    'roll-out': { about: 'Give the winner to everyone in the audience, at once.' },
    'dry-run': dryRun,
  },
  async run({ args, options, session }) {
    const { data } = await session.connection.api.POST(`${itemPath}/winner`, {
      params: { path: { projectId: session.project, experimentId: args.KEY } },
      body: {
        variationKey: args.VARIATION,
        ...(options.comment !== undefined && { comment: options.comment }),
        ...(options['roll-out'] && { rollOut: true }),
        ...(options['dry-run'] && { dryRun: true }),
      },
    })
    if (!options['dry-run']) return say(session, args.KEY, data!.data)
    const { changes, winner: chosen } = data!.data
    session.output.data(data!.data, () => showChanges(changes, session))
    session.output.say(
      `Nothing was changed. ${chosen.variationKey} would be the winner of the experiment ${args.KEY}${chosen.rolledOut ? ', for everyone in its audience' : ''}.`,
    )
  },
})

export const experiment: Group = {
  name: 'experiment',
  summary: 'A/B tests, from the draft to the winner.',
  commands: [
    ...ofEvery,
    started('launch'),
    moved('pause'),
    started('resume'),
    publish,
    moved('complete'),
    winner,
    duplicate,
    moved('archive'),
    moved('unarchive'),
    ...contentCommands,
    ...previewCommands,
  ],
}

/** The changes of the flag that become live. */
function showChanges(changes: readonly { path: string }[], { output }: Session): void {
  output.rows([{ head: 'CHANGES', cell: ({ path }) => path }], changes, 'Nothing changes for visitors.')
}

/** What to do with an experiment; nothing once a person has decided. */
const advised = ({ winner: chosen, status, results }: Experiment): string =>
  chosen ? '' : recommended(results?.recommendation ?? null, status)

function say(
  { output }: Session,
  called: string,
  answer: { status: string; changed: boolean; dataFile: { revision: number }; warnings: { message: string }[] },
): void {
  for (const { message } of answer.warnings) output.say(message)
  output.wrote(
    answer,
    `The experiment ${called} is ${answer.changed ? '' : 'already '}${answer.status}, revision ${answer.dataFile.revision}.`,
  )
}
