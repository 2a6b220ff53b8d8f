import { command, type Group } from '../command.ts'
import { Problem } from '../problem.ts'
import { etagOf } from '../service/etag.ts'
import type { Session } from '../session.ts'
import { shownTime } from '../terminal/times.ts'

const path = '/api/v1/projects/{projectId}/environments/{envId}/staged'
const keys = { FLAG: 'flag' } as const

const list = command({
  name: 'staged list',
  summary: 'List what the next publish of an environment would make live, and who staged it.',
  watch: true,
  args: ['[FLAG]'],
  keys,
  async run({ args, session }) {
    const { output, env } = session
    const { staged } = await read(session, args.FLAG)
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
  about: 'The drafts return to the live values. Nothing changes for visitors.',
  args: ['FLAG', '[PATH...]'],
  keys,
  examples: ['svc staged discard checkout', 'svc staged discard checkout defaultVariationKey'],
  async run({ args, session }) {
    const { connection, project, env, output, prompt } = session
    const { staged, etag } = await read(session, args.FLAG)
    const [flag] = staged.flags
    if (!flag) throw new Problem('not_found', `Nothing of ${args.FLAG} is staged in ${env}.`)
    const paths = args.PATH.length > 0 ? args.PATH : flag.changes.map((change) => change.path)
    const authors = [...new Set(flag.changes.filter((each) => paths.includes(each.path)).map(({ by }) => by?.name))]
    const whose = authors.filter((name) => name !== undefined).join(', ')
    const changes = paths.length === 1 ? '1 staged change' : `${paths.length} staged changes`
    await prompt.confirm(`Discard ${changes} of ${flag.key} in ${env}${whose && `, by ${whose}`}?`)
    const { data } = await connection.api.POST(`${path}/discard`, {
      params: { path: { projectId: project, envId: env }, header: { 'x-svc-if-match': etag } },
      body: { flagId: flag.flagId, paths },
    })
    const left = data!.data.flags[0]?.changes.length ?? 0
    output.wrote(data!.data, `Discarded ${changes} of ${flag.key} in ${env}. ${left === 0 ? 'Nothing' : left} is left.`)
  },
})

export const staged: Group = {
  name: 'staged',
  summary: 'See and discard what waits for a publish.',
  commands: [list, discard],
}

async function read({ connection, project, env }: Session, flag: string | undefined) {
  const { data, response } = await connection.api.GET(path, {
    params: { path: { projectId: project, envId: env }, query: { ...(flag !== undefined && { flagId: flag }) } },
  })
  return { staged: data!.data, etag: etagOf(response) }
}
