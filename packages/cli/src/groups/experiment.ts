import type { components } from '@svc/client'
import { command, type Group } from '../command.ts'
import { etagOf } from '../etag.ts'
import { fieldOptions, fieldsOf } from '../field-options.ts'
import { limitOption, wholeNumber } from '../option-values.ts'
import { allOf } from '../pages.ts'
import { recommended } from '../recommendation.ts'
import type { Session } from '../session.ts'
import { percent } from '../shares.ts'
import { statusColor } from '../status-color.ts'
import { shownTime } from '../times.ts'

const listPath = '/api/v1/projects/{projectId}/experiments'
const itemPath = `${listPath}/{experimentId}` as const
const keys = { KEY: 'experiment' } as const
const statuses = ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED', 'ARCHIVED'] as const

const list = command({
  name: 'experiment list',
  summary: 'List the experiments of a project.',
  watch: true,
  options: {
    status: { value: 'STATUS', about: 'Only experiments with this status.', choices: statuses },
    ...limitOption,
  },
  async run({ options, session }) {
    const { project, connection, output } = session
    const status = options.status as (typeof statuses)[number] | undefined
    const experiments = await allOf(
      (query) =>
        connection.api.GET(listPath, {
          params: { path: { projectId: project }, query: { ...query, ...(status !== undefined && { status }) } },
        }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(experiments, () =>
      output.rows(
        [
          { head: 'ID', cell: ({ shortId }) => shortId, right: true },
          { head: 'NAME', cell: ({ name }) => name },
          { head: 'STATUS', cell: ({ status: each }) => each, color: ({ status: each }) => statusColor(each) },
          { head: 'UNITS', cell: ({ results }) => results?.units, right: true },
          { head: 'DAYS', cell: ({ results }) => results && Math.floor(results.runtimeDays), right: true },
          { head: 'RECOMMENDATION', cell: ({ results }) => recommended(results?.recommendation ?? null) },
          { head: 'WINNER', cell: ({ winner: chosen }) => chosen?.variationKey },
        ],
        experiments,
        'There is no such experiment.',
      ),
    )
  },
})

const get = command({
  name: 'experiment get',
  summary: 'Show an experiment.',
  watch: true,
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { experiment } = await read(session, args.KEY)
    const { results } = experiment
    session.output.data(experiment, () =>
      session.output.details([
        ['Id', experiment.shortId],
        ['Name', experiment.name],
        ['Status', experiment.status],
        ['Hypothesis', experiment.hypothesis],
        ['Description', experiment.description],
        ['Split', experiment.variations.map(({ key, weight }) => `${key} ${percent(weight)}`).join(', ')],
        ['Baseline', experiment.baselineVariationKey],
        ['Share', percent(experiment.trafficAllocation)],
        ['Launched', shownTime(experiment.launchedAt)],
        ['Completed', shownTime(experiment.completedAt)],
        ['Units', results?.units],
        ['Health', results?.health.status],
        ['Recommendation', recommended(results?.recommendation ?? null)],
        ['Winner', experiment.winner?.variationKey],
      ]),
    )
  },
})

const create = command({
  name: 'experiment create',
  summary: 'Create an experiment for a flag.',
  about:
    'The file has fields as in docs/experiments.md: flagId, name, variations, baselineVariationKey and more. Keys are\naccepted in place of ids.',
  options: fieldOptions,
  async run({ options, session }) {
    const { data } = await session.connection.api.POST(listPath, {
      params: { path: { projectId: session.project } },
      body: (await fieldsOf(session, options)) as components['schemas']['NewExperiment'],
    })
    session.output.wrote(data!.data, `The experiment ${data!.data.shortId} "${data!.data.name}" is created.`)
  },
})

const set = command({
  name: 'experiment set',
  summary: 'Change an experiment.',
  args: ['KEY'],
  keys,
  options: fieldOptions,
  async run({ args, options, session }) {
    const body = await fieldsOf(session, options)
    const { experiment, etag } = await read(session, args.KEY)
    const { data } = await session.connection.api.PATCH(itemPath, {
      params: { path: { projectId: session.project, experimentId: experiment.id }, header: { 'x-svc-if-match': etag } },
      body,
    })
    session.output.wrote(data!.data, `The experiment ${data!.data.shortId} "${data!.data.name}" is changed.`)
  },
})

const remove = command({
  name: 'experiment delete',
  summary: 'Delete an experiment that was never launched.',
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { experiment, etag } = await read(session, args.KEY)
    await session.prompt.confirm(`Delete the experiment "${experiment.name}"?`)
    await session.connection.api.DELETE(itemPath, {
      params: { path: { projectId: session.project, experimentId: experiment.id }, header: { 'x-svc-if-match': etag } },
    })
    session.output.wrote(null, `The experiment "${experiment.name}" is deleted.`)
  },
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
  commands: [
    list,
    get,
    create,
    set,
    remove,
    moved('launch'),
    moved('pause'),
    moved('resume'),
    moved('complete'),
    winner,
  ],
}

async function read({ connection, project }: Session, experimentId: string) {
  const { data, response } = await connection.api.GET(itemPath, {
    params: { path: { projectId: project, experimentId } },
  })
  return { experiment: data!.data, etag: etagOf(response) }
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
