import { ApiError, type Data } from '@svc/client'
import { command, type Group } from '../command.ts'
import { Problem } from '../problem.ts'
import { etagOf } from '../service/etag.ts'
import type { Session } from '../session.ts'

type Overrides = Data<'/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/overrides', 'get'>
type Allowlist = Overrides['environmentAllowlist']
type Lists = Pick<Overrides, 'environmentAllowlist' | 'ruleAllowlists'>

const path = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/overrides'
const keys = { FLAG: 'flag' } as const
const ruleOption = {
  rule: { value: 'RULE', about: 'Use the list of this rule instead of the list of the environment.' },
} as const
const staged = 'svc publish makes it live.'
const tries = 3

const list = command({
  name: 'override list',
  summary: 'List the visitors who always get a variation.',
  watch: true,
  args: ['FLAG'],
  keys,
  async run({ args, session }) {
    const { output } = session
    const { overrides } = await read(session, args.FLAG)
    const { environmentAllowlist, ruleAllowlists } = overrides
    const rows = [
      ...usersIn(environmentAllowlist, ''),
      ...ruleAllowlists.flatMap(({ ruleId, entries }) => usersIn(entries, ruleId)),
    ]
    output.data(overrides, () =>
      output.rows(
        [
          { head: 'VARIATION', cell: ({ variation }) => variation },
          { head: 'USER', cell: ({ user }) => user },
          { head: 'RULE', cell: ({ rule }) => rule },
        ],
        rows,
        `The flag ${args.FLAG} has no overrides in ${session.env}.`,
      ),
    )
    if (overrides.staged) output.say(`Not all of this is live. ${staged}`)
  },
})

const add = command({
  name: 'override add',
  summary: 'Stage a fixed variation for visitors.',
  args: ['FLAG', 'VARIATION', 'USER...'],
  keys,
  options: ruleOption,
  examples: ['svc override add checkout on u-17 u-18'],
  async run({ args, options, session }) {
    const rule = await ruleId(session, args.FLAG, options.rule)
    const answer = await edit(session, args.FLAG, rule, (entries) => {
      const others = without(entries, args.USER)
      const own = others.find(({ variationKey }) => variationKey === args.VARIATION)
      const userIds = [...new Set([...(own?.userIds ?? []), ...args.USER])]
      return [...others.filter((each) => each !== own), { variationKey: args.VARIATION, userIds }]
    })
    session.output.wrote(
      answer,
      `${said([...new Set(args.USER)])} ${args.VARIATION} of ${args.FLAG} in ${session.env}. ${staged}`,
    )
  },
})

const remove = command({
  name: 'override remove',
  summary: 'Stage the removal of visitors from the overrides.',
  args: ['FLAG', 'USER...'],
  keys,
  options: ruleOption,
  async run({ args, options, session }) {
    const rule = await ruleId(session, args.FLAG, options.rule)
    const answer = await edit(session, args.FLAG, rule, (entries) => {
      const missing = args.USER.filter((user) => !entries.some(({ userIds }) => userIds.includes(user)))
      if (missing.length > 0)
        throw new Problem('not_found', `There is no override of ${args.FLAG} for ${missing.join(', ')}.`)
      return without(entries, args.USER)
    })
    session.output.wrote(answer, `The overrides of ${args.USER.join(', ')} are removed. ${staged}`)
  },
})

export const override: Group = {
  name: 'override',
  summary: 'Give visitors a variation by their id.',
  commands: [list, add, remove],
}

/** The id of the rule that is called by key or short id: the lists name rules by id. */
async function ruleId(
  { project, env, connection }: Session,
  flagId: string,
  called: string | undefined,
): Promise<string | undefined> {
  if (called === undefined) return undefined
  const { data } = await connection.api.GET('/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules/{ruleId}', {
    params: { path: { projectId: project, flagId, envId: env, ruleId: called } },
  })
  return data!.data.id
}

async function read(
  { project, env, connection }: Session,
  flagId: string,
): Promise<{ overrides: Overrides; etag: string }> {
  const { data, response } = await connection.api.GET(path, {
    params: { path: { projectId: project, flagId, envId: env } },
  })
  return { overrides: data!.data, etag: etagOf(response) }
}

/** Reads the lists, changes one and sends them with the ETag that was read. Reads again if somebody else was faster. */
async function edit(
  session: Session,
  flagId: string,
  ruleId: string | undefined,
  change: (entries: Allowlist) => Allowlist,
): Promise<Overrides> {
  for (let left = tries; ; left--) {
    const { overrides, etag } = await read(session, flagId)
    try {
      const { data } = await session.connection.api.PUT(path, {
        params: {
          path: { projectId: session.project, flagId, envId: session.env },
          header: { 'x-svc-if-match': etag },
        },
        body: changed(overrides, ruleId, change),
      })
      return data!.data
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412 || left === 1) throw error
    }
  }
}

function changed(
  { environmentAllowlist, ruleAllowlists }: Lists,
  ruleId: string | undefined,
  change: (entries: Allowlist) => Allowlist,
): Lists {
  if (ruleId === undefined) return { environmentAllowlist: change(environmentAllowlist), ruleAllowlists }
  const entries = change(ruleAllowlists.find((each) => each.ruleId === ruleId)?.entries ?? [])
  const others = ruleAllowlists.filter((each) => each.ruleId !== ruleId)
  return { environmentAllowlist, ruleAllowlists: entries.length > 0 ? [...others, { ruleId, entries }] : others }
}

const without = (entries: Allowlist, users: readonly string[]): Allowlist =>
  entries
    .map(({ variationKey, userIds }) => ({ variationKey, userIds: userIds.filter((user) => !users.includes(user)) }))
    .filter(({ userIds }) => userIds.length > 0)

const usersIn = (entries: Allowlist, rule: string) =>
  entries.flatMap(({ variationKey, userIds }) => userIds.map((user) => ({ variation: variationKey, user, rule })))

const said = (users: readonly string[]): string => `${users.join(', ')} always ${users.length === 1 ? 'gets' : 'get'}`
