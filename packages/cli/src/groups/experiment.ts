import type { Data } from '@svc/client'
import { command, type Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'
import { recommended } from '../recommendation.ts'
import type { Session } from '../session.ts'
import { percent } from '../shares.ts'
import { statusColor } from '../status-color.ts'
import { shownTime } from '../times.ts'

const itemPath = '/api/v1/projects/{projectId}/experiments/{experimentId}'
const keys = { KEY: 'experiment' } as const
const statuses = ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED', 'ARCHIVED'] as const
type Experiment = Data<typeof itemPath, 'get'>
type NoOptions = Record<never, never>

const ofEvery = objectCommands<Experiment, NoOptions, NoOptions>({
  name: 'experiment',
  noun: 'experiment',
  path: 'experiments',
  keys: 'experiment',
  summaries: {
    list: 'List the experiments of a project.',
    get: 'Show an experiment.',
    create: 'Create an experiment for a flag.',
    set: 'Change an experiment.',
    delete: 'Delete an experiment that was never launched.',
  },
  about:
    'The file has fields as in docs/experiments.md: flagId, name, variations, baselineVariationKey and more. Keys are\naccepted in place of ids.',
  isDescribed: true,
  filters: { status: { value: 'STATUS', about: 'Only experiments with this status.', choices: statuses } },
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
    { head: 'RECOMMENDATION', cell: ({ results }) => recommended(results?.recommendation ?? null) },
    { head: 'WINNER', cell: ({ winner: chosen }) => chosen?.variationKey },
  ],
  details: (found) => [
    ['Id', found.shortId],
    ['Name', found.name],
    ['Status', found.status],
    ['Hypothesis', found.hypothesis],
    ['Description', found.description],
    ['Split', found.variations.map(({ key, weight }) => `${key} ${percent(weight)}`).join(', ')],
    ['Baseline', found.baselineVariationKey],
    ['Share', percent(found.trafficAllocation)],
    ['Launched', shownTime(found.launchedAt)],
    ['Completed', shownTime(found.completedAt)],
    ['Units', found.results?.units],
    ['Health', found.results?.health.status],
    ['Recommendation', recommended(found.results?.recommendation ?? null)],
    ['Winner', found.winner?.variationKey],
  ],
})

const summaries = {
  launch: 'Start an experiment.',
  pause: 'Stop an experiment for a while.',
  resume: 'Go on with a paused experiment.',
  complete: 'End an experiment without a winner.',
} as const

const moved = (verb: keyof typeof summaries) =>
  command({
    name: `experiment ${verb}`,
    summary: summaries[verb],
    about: 'It reaches visitors at once.',
    args: ['KEY'],
    keys,
    async run({ args, session }) {
      const { data } = await session.connection.api.POST(`${itemPath}/${verb}`, {
        params: { path: { projectId: session.project, experimentId: args.KEY } },
      })
      say(session, args.KEY, data!.data)
    },
  })

const winner = command({
  name: 'experiment winner',
  summary: 'Declare the winner of an experiment, which completes it.',
  args: ['KEY', 'VARIATION'],
  keys,
  options: {
    comment: { value: 'TEXT', about: 'Why.' },
    'roll-out': { about: 'Give the winner to everybody in the audience, at once.' },
    'dry-run': { about: 'Show what would change, and change nothing.' },
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
    if (options['dry-run']) session.output.say('Nothing was changed. This would happen:')
    say(session, args.KEY, data!.data)
  },
})

export const experiment: Group = {
  name: 'experiment',
  summary: 'A/B tests, from the draft to the winner.',
  commands: [...ofEvery, moved('launch'), moved('pause'), moved('resume'), moved('complete'), winner],
}

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
