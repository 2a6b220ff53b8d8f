import type { Data } from '@svc/client'
import { idCalled } from '../called.ts'
import { command, type Group } from '../command.ts'
import { Problem, usage } from '../problem.ts'
import { etagOf } from '../service/etag.ts'
import type { Session } from '../session.ts'
import { shownTime } from '../terminal/times.ts'

const path = '/api/v1/projects/{projectId}/environments/{envId}/staged'
const keys = { FLAG: 'flag' } as const
const experimentOption = {
  value: 'KEY',
  about: 'A web experiment instead of a flag, by its id.',
  keys: 'experiment',
} as const

const list = command({
  name: 'staged list',
  summary: 'List what the next publish of an environment would make live, and who staged it.',
  watch: true,
  args: ['[FLAG]'],
  keys,
  options: { experiment: experimentOption },
  async run({ args, options, session }) {
    const { output, env } = session
    const { experiment } = options
    if (experiment !== undefined && args.FLAG !== undefined) throw usage('Use either a flag or --experiment.')
    const { staged } = await read(session, { flag: args.FLAG, experiment })
    const rows = [
      ...staged.flags.flatMap(({ key, changes }) => changes.map((change) => ({ what: key, ...change }))),
      ...staged.experiments.flatMap(({ shortId, changes }) =>
        changes.map((change) => ({ what: `experiment ${shortId}`, ...change })),
      ),
      ...staged.audiences.flatMap(({ name, changes }) =>
        changes.map((change) => ({ what: `audience ${name}`, ...change })),
      ),
    ]
    output.data(staged, () =>
      output.rows(
        [
          { head: 'WHAT', cell: ({ what }) => what },
          { head: 'PATH', cell: (row) => row.path },
          { head: 'BY', cell: ({ by }) => by?.name },
          { head: 'AT', cell: ({ at }) => shownTime(at) },
        ],
        rows,
        `Nothing is staged in ${env}.`,
      ),
    )
  },
})

const discard = command({
  name: 'staged discard',
  summary: 'Discard staged changes of a flag: all of them, or those at the paths that staged list shows.',
  about: 'The drafts return to the live values. Nothing changes for visitors. With --experiment, all words are paths.',
  args: ['[FLAG]', '[PATH...]'],
  keys,
  options: { experiment: experimentOption },
  examples: [
    'svc staged discard checkout',
    'svc staged discard checkout defaultVariationKey',
    'svc staged discard --experiment 12 variations.price.css',
  ],
  async run({ args, options, session }) {
    const { connection, project, env, output, prompt } = session
    const { experiment } = options
    if (experiment === undefined && args.FLAG === undefined) throw usage('Name a flag, or use --experiment.')
    const { staged, etag } = await read(session, { flag: experiment === undefined ? args.FLAG : undefined, experiment })
    const found = whatIn(staged)
    const called = experiment === undefined ? args.FLAG : `the experiment ${experiment}`
    if (!found) throw new Problem('not_found', `Nothing of ${called} is staged in ${env}.`)
    // The words of an experiment have no flag before them.
    const words = experiment !== undefined && args.FLAG !== undefined ? [args.FLAG, ...args.PATH] : args.PATH
    const paths = words.length > 0 ? words : found.changes.map((change) => change.path)
    const authors = [...new Set(found.changes.filter((each) => paths.includes(each.path)).map(({ by }) => by?.name))]
    const whose = authors.filter((name) => name !== undefined).join(', ')
    const changes = paths.length === 1 ? '1 staged change' : `${paths.length} staged changes`
    await prompt.confirm(`Discard ${changes} of ${found.name} in ${env}${whose && `, by ${whose}`}?`)
    const { data } = await connection.api.POST(`${path}/discard`, {
      params: { path: { projectId: project, envId: env }, header: { 'x-svc-if-match': etag } },
      body: { ...found.which, paths },
    })
    const left = whatIn(data!.data)?.changes.length ?? 0
    output.wrote(
      data!.data,
      `Discarded ${changes} of ${found.name} in ${env}. ${left === 0 ? 'Nothing' : left} is left.`,
    )
  },
})

export const staged: Group = {
  name: 'staged',
  summary: 'See and discard what waits for a publish.',
  commands: [list, discard],
}

type Staged = Data<typeof path, 'get'>

/** The flag or the experiment of a list of one. */
function whatIn({ flags, experiments }: Pick<Staged, 'flags' | 'experiments'>) {
  const [flag] = flags
  if (flag) return { name: flag.key, which: { flagId: flag.flagId }, changes: flag.changes }
  const [experiment] = experiments
  if (!experiment) return undefined
  const { id, shortId, changes } = experiment
  return { name: `the experiment ${shortId}`, which: { experimentId: id }, changes }
}

async function read(
  session: Session,
  { flag, experiment }: { flag?: string | undefined; experiment?: string | undefined },
) {
  const { connection, project, env } = session
  const query = {
    ...(flag !== undefined && { flagId: flag }),
    ...(experiment !== undefined && { experimentId: await idCalled(session, 'experiment', experiment) }),
  }
  const { data, response } = await connection.api.GET(path, {
    params: { path: { projectId: project, envId: env }, query },
  })
  return { staged: data!.data, etag: etagOf(response) }
}
