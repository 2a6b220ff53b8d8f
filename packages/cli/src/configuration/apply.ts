import { createHash } from 'node:crypto'
import { ApiError } from '@svc/client'
import { named, Problem } from '../problem.ts'
import type { Connection } from '../service/connection.ts'
import type { Wanted } from './file.ts'
import type { Drafted } from './flags.ts'
import { type Fields, isSame, type Kind, kinds, managed } from './objects.ts'
import { type Change, type Plan, withExperiments } from './plan.ts'
import type { Secrets } from './secrets.ts'
import { projectPath, readJson, readStaged, type State } from './state.ts'

export interface Applying {
  connection: Connection
  project: string
  wanted: Wanted
  state: State
  plan: Plan
  secrets: Secrets
  comment: string
  /** Publish flags and audiences that others have staged, where an environment is published whole. */
  publishAll: boolean
  /** Stop before the publish. */
  stage: boolean
  confirmReassignment: boolean
  /** Called for each step when it is done. */
  onStep(text: string): void
  /** Gets the signing secret of a webhook that was created, and the SDK key of an environment. */
  onSecret(kind: Kind, key: string, secret: string): void
  /** Called for an object that has a secret which nobody got: the first answer with it was lost on its way. */
  onLostSecret(kind: Kind, key: string): void
}

/** The verbs of steps, and their words when the step is done. */
const done = {
  create: 'Created',
  change: 'Changed',
  remove: 'Removed',
  stage: 'Staged',
  publish: 'Published',
  run: 'Ran',
  pause: 'Paused',
  archive: 'Archived',
  delete: 'Deleted',
} as const

interface Step {
  verb: keyof typeof done
  what: string
  run(): Promise<unknown>
  /** The lists of its body, whose items have keys in the file. */
  lists?: Record<string, readonly { key: string }[]>
}

/** Applies a plan, in an order in which each step finds what it needs. The first refusal ends it and names the rest. */
export async function applyPlan(applying: Applying): Promise<void> {
  const steps = stepsOf(applying)
  for (const [at, step] of steps.entries()) {
    try {
      await step.run()
    } catch (error) {
      const left = steps.slice(at).map(({ verb, what }) => `${verb} ${what}`)
      applying.onStep(`Not done: ${left.join('; ')}. Nothing was rolled back. Run the command again to continue.`)
      throw about(step, error)
    }
    applying.onStep(`${done[step.verb]} ${step.what}`)
  }
}

/** The service names the fields of a body. The message begins with the step and uses the names of the file instead. */
function about({ verb, what, lists = {} }: Step, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const message = error.message.replace(/\b(\w+)\[(\d+)\]/g, (place, list, at) => {
    const key = lists[list]?.[at]?.key
    return key === undefined ? place : `${list}.${key}`
  })
  return named(error, `Could not ${verb} ${what}: ${message}`)
}

const early: Kind[] = ['metrics', 'segments', 'audiences', 'exclusionGroups', 'holdouts', 'environments']

function stepsOf(applying: Applying): Step[] {
  const { plan, stage } = applying
  const of = (...actions: Change['action'][]) => plan.changes.filter(({ action }) => actions.includes(action))
  const flags = of('create', 'update').filter(({ kind }) => kind === 'flags')
  const tags: Tags = new Map(Object.entries(applying.state.flags).map(([key, { id, etag }]) => [key, { id, etag }]))
  const objects = (list: readonly Kind[]) =>
    list.flatMap((kind) =>
      of('create', 'update').flatMap((change) => (change.kind === kind ? [objectStep(applying, change, kind)] : [])),
    )
  const published = plan.publishes.map((each) => publishStep(applying, each))
  const runs = of('run').map((change) => switchStep(applying, change))
  return [
    ...of('pause').map((change) => switchStep(applying, change)),
    ...objects(early),
    ...flags.map((change) => flagStep(applying, change, tags)),
    ...of('draft').map((change) => draftStep(applying, change, tags)),
    ...flags.flatMap((change) => removalStep(applying, change, tags)),
    ...(stage ? [] : [...published, ...runs]),
    ...objects(['webhooks', 'destinations']),
    ...of('archive', 'delete')
      .toReversed()
      .map((change) => removeStep(applying, change)),
  ]
}

interface Sent {
  data: Fields
  etag: string
  /** The service made this write before, and repeats its first answer. */
  isReplayed: boolean
}

/**
 * A write. Its key is made from what it wants and the state that it was planned on: if the answer to it was lost, the
 * same write of the next run happens once with it. `basis` must change whenever the same write can be needed again.
 */
async function send(
  { connection, project, state }: Applying,
  method: string,
  path: string,
  {
    body,
    etag,
    basis,
    stages,
  }: {
    body?: unknown
    etag?: string | undefined
    basis: readonly unknown[]
    /** The next run must know that this one has staged it. */
    stages?: boolean
  },
): Promise<Sent> {
  const address = `${projectPath(project)}/${path}`
  const wanted = JSON.stringify([method, address, body ?? null, etag ?? null, basis])
  const response = await connection.send(method, address, {
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(etag && { 'x-svc-if-match': etag }),
      ...(stages && state.source !== null && { 'x-svc-source': state.source }),
      'idempotency-key': `svc-apply-${createHash('sha256').update(wanted).digest('hex')}`,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { data: Fields }
  const isReplayed = response.headers.get('idempotency-replayed') === 'true'
  return { data: answer.data, etag: response.headers.get('etag') ?? '', isReplayed }
}

/** Creates an object with a key. If somebody deleted it after a first creation, it is created again. */
async function create(applying: Applying, path: string, key: string, body: Fields): Promise<Sent> {
  const one = `${path}/${encodeURIComponent(key)}`
  for (let basis: string[] = []; ; ) {
    const sent = await send(applying, 'POST', path, { body: { ...body, key }, basis })
    if (!sent.isReplayed) return sent
    const there = await readIfThere(applying, one)
    if (there && there.data.id === sent.data.id) return { ...sent, etag: there.etag }
    basis = [...basis, String(sent.data.id)]
  }
}

async function readIfThere({ connection, project }: Applying, path: string) {
  try {
    return await readJson(connection, `${projectPath(project)}/${path}`)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

const addressOf = (...words: string[]): string => words.map(encodeURIComponent).join('/')

/** A body with the secrets of a destination in place of the hints that the service shows. */
const withValues = ({ secrets }: Applying, kind: Kind, key: string, body: Fields): Fields =>
  kind === 'destinations' && body.config ? { ...body, config: { ...(body.config as Fields), ...secrets[key] } } : body

function objectStep(applying: Applying, { action, key, fields }: Change, kind: Kind): Step {
  const { path, noun, later, fields: table } = kinds[kind]
  const wanted = applying.wanted.objects[kind]![key]!
  const one = `${path}/${encodeURIComponent(key)}`
  if (action === 'create')
    return {
      verb: 'create',
      what: `${noun} ${key}`,
      async run() {
        const isLater = (name: string) => (later as readonly string[]).includes(name)
        const body = Object.fromEntries(Object.entries(wanted).filter(([name]) => !isLater(name)))
        const { data } = await create(applying, path, key, withValues(applying, kind, key, body))
        const secret = data.secret ?? data.sdkKey
        if (typeof secret === 'string') applying.onSecret(kind, key, secret)
        else if (kind === 'webhooks' || (data.config as Fields | undefined)?.sign === true)
          applying.onLostSecret(kind, key)
        const rest = Object.entries(wanted).filter(([name, value]) => isLater(name) && data[name] !== value)
        if (rest.length > 0) await send(applying, 'PATCH', one, { body: Object.fromEntries(rest), basis: [data.id] })
      },
    }
  return {
    verb: 'change',
    what: `${noun} ${key}`,
    async run() {
      const { data, etag } = await readJson(applying.connection, `${projectPath(applying.project)}/${one}`)
      const planned = applying.state.objects[kind][key]!.body
      // Ids there, keys here.
      const names = fields.map(({ path }) => path).filter((name) => !['conditions', 'environmentIds'].includes(name))
      const now = managed(table, data)
      if (names.some((name) => !isSame(now[name], planned[name])))
        throw new Problem('conflict', `The ${noun} ${key} has changed since the plan was made.`)
      const body = Object.fromEntries(fields.map(({ path, to }) => [path, to]))
      const stages = kind === 'audiences'
      await send(applying, 'PATCH', one, {
        body: withValues(applying, kind, key, body),
        etag,
        basis: [data.id],
        stages,
      })
    },
  }
}

/** Flags as they are after each step. */
type Tags = Map<string, { id: string; etag: string }>

/** A write to a flag, which knows the state of the flag that it is for. */
async function sendFlag(
  applying: Applying,
  tags: Tags,
  method: string,
  { key, path, body }: { key: string; path: readonly string[]; body: unknown },
): Promise<void> {
  const { id, etag } = tags.get(key)!
  const stages = method === 'PUT'
  const sent = await send(applying, method, addressOf('flags', key, ...path), { body, etag, basis: [id], stages })
  tags.set(key, { id, etag: sent.etag })
}

function flagStep(applying: Applying, { action, key, fields }: Change, tags: Tags): Step {
  const { body, type, variations, defaultVariationKey } = applying.wanted.flags![key]!
  if (action === 'create')
    return {
      verb: 'create',
      what: `flag ${key}`,
      lists: { variations },
      async run() {
        const { data, etag } = await create(applying, 'flags', key, { type, ...body, variations, defaultVariationKey })
        tags.set(key, { id: String(data.id), etag })
      },
    }
  return {
    verb: 'change',
    what: `flag ${key}`,
    lists: { variations },
    async run() {
      const changed = new Set(fields.map((field) => field.path))
      const own = Object.entries(body).filter(([name]) => changed.has(name))
      if (changed.has('variations') || changed.has('defaultVariationKey')) {
        const wanted = { variations: [...variations, ...leaving(applying, key)], defaultVariationKey }
        // A variation can only be removed when no draft names it any more.
        const list = wanted.variations.length <= 4 ? wanted : { variations, defaultVariationKey }
        await sendFlag(applying, tags, 'PUT', { key, path: ['variations'], body: list })
      }
      if (own.length > 0) await sendFlag(applying, tags, 'PATCH', { key, path: [], body: Object.fromEntries(own) })
    },
  }
}

const leaving = ({ state, wanted }: Applying, key: string) =>
  (state.flags[key]?.wanted.variations ?? []).filter(
    (each) => !wanted.flags![key]!.variations.some((variation) => variation.key === each.key),
  )

function removalStep(applying: Applying, { key }: Change, tags: Tags): Step[] {
  if (leaving(applying, key).length === 0) return []
  const { variations, defaultVariationKey } = applying.wanted.flags![key]!
  return [
    {
      verb: 'remove',
      what: `variations of flag ${key}`,
      run: () =>
        sendFlag(applying, tags, 'PUT', { key, path: ['variations'], body: { variations, defaultVariationKey } }),
    },
  ]
}

function draftStep(applying: Applying, { key, env }: Change, tags: Tags): Step {
  const draft = draftBody(applying, key, env!)
  return {
    verb: 'stage',
    what: `flag ${key} in ${env}`,
    lists: { rules: draft.rules },
    async run() {
      const body = { ...draft, confirmReassignment: applying.confirmReassignment }
      await sendFlag(applying, tags, 'PUT', { key, path: ['envs', env!, 'draft'], body })
    },
  }
}

/** The whole draft of a flag in an environment, as the file wants it. */
export function draftBody(
  { wanted, state }: Pick<Applying, 'wanted' | 'state'>,
  key: string,
  env: string,
): Pick<Drafted, 'defaultVariationKey'> & { rules: (Fields & { key: string })[]; overrides?: Fields } {
  const drafted = wanted.flags![key]!.environments[env]!
  const there = state.flags[key]?.environments[env]
  const all = there ? withExperiments(there.draft, drafted, there.experiments) : drafted.rules
  const rules = all.map((rule) => {
    const present = there?.draft.rules.find((each) => each.key === rule.key)
    if (there?.experiments[rule.key] !== undefined) return { type: 'UNCHANGED', key: rule.key }
    if (!present) return rule
    // Switches move by run and pause.
    const { enabled: _enabled, ...definition } = rule
    return definition
  })
  const { defaultVariationKey, overrides } = drafted
  return { defaultVariationKey, rules, ...(overrides && { overrides }) }
}

function publishStep(applying: Applying, { env, flags }: Plan['publishes'][number]): Step {
  const { connection, project, state, wanted } = applying
  const path = `${addressOf('environments', env)}/publish`
  const body = { ...(flags && { flagIds: flags }), comment: applying.comment }
  return {
    verb: 'publish',
    what: `${env}`,
    async run() {
      const { audiences } = state.objects
      const keyOf = new Map(Object.entries(audiences).map(([key, { id }]) => [id, key]))
      const { self, source } = state
      const now = await readStaged(connection, { project, env, self, source, keyOf })
      const basis = [await revisionOf(applying, env), now.etag]
      if (flags) return send(applying, 'POST', path, { body, basis })
      // The whole environment: somebody may have staged something since the plan was made.
      const before = state.staged[env]
      const isNew = (keys: readonly string[], known: readonly string[], own: object = {}) =>
        keys.filter((key) => !known.includes(key) && !Object.hasOwn(own, key))
      const others = [
        ...isNew(now.flags, before?.flags ?? [], wanted.flags).map((key) => `flag ${key}`),
        ...isNew(now.experiments, before?.experiments ?? []).map((shortId) => `experiment ${shortId}`),
        ...isNew(now.otherAudiences, before?.otherAudiences ?? [], wanted.objects.audiences).map(
          (key) => `audience ${key}`,
        ),
      ]
      if (others.length > 0 && !applying.publishAll)
        throw new Problem(
          'conflict',
          `Someone has staged ${others.join(', ')} in ${env} since the plan was made. Add --publish-all to publish it too.`,
        )
      return send(applying, 'POST', path, { body, etag: now.etag, basis })
    },
  }
}

/** Staged content can be the same again, but each revision is new. */
async function revisionOf({ connection, project }: Applying, env: string): Promise<number> {
  const { data } = await readJson(connection, `${projectPath(project)}/${addressOf('environments', env)}`)
  return data.dataFile.revision
}

function switchStep(applying: Applying, { action, kind, key, env }: Change): Step {
  const { connection, project } = applying
  const [flag = '', rule] = kind === 'rules' ? key.split('/') : [key]
  const path = addressOf('flags', flag, 'envs', env!, ...(rule === undefined ? [] : ['rules', rule]))
  return {
    verb: action === 'run' ? 'run' : 'pause',
    what: `${kind === 'rules' ? 'rule' : 'flag'} ${key} in ${env}`,
    async run() {
      // A switch can return to its earlier state, so the state does not show what happened in between.
      const { data, etag } = await readJson(connection, `${projectPath(project)}/${path}`)
      const basis = [await revisionOf(applying, env!), data.id ?? data.flagId, data.updatedAt, etag]
      return send(applying, 'POST', `${path}/${action}`, { basis })
    },
  }
}

function removeStep(applying: Applying, { action, kind, key }: Change): Step {
  const path = kind === 'flags' ? addressOf('flags', key) : addressOf(kinds[kind as Kind].path, key)
  const noun = kind === 'flags' ? 'flag' : kinds[kind as Kind].noun
  const { flags, objects } = applying.state
  const basis = kind === 'flags' ? [flags[key]?.id, flags[key]?.etag] : [objects[kind as Kind][key]?.id]
  return action === 'archive'
    ? { verb: 'archive', what: `${noun} ${key}`, run: () => send(applying, 'POST', `${path}/archive`, { basis }) }
    : { verb: 'delete', what: `${noun} ${key}`, run: () => send(applying, 'DELETE', path, { basis }) }
}
