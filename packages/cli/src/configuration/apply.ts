import type { Connection } from '../connection.ts'
import { Problem } from '../problem.ts'
import type { Wanted } from './file.ts'
import { type Fields, isSame, type Kind, kinds, managed } from './objects.ts'
import { type Change, type Plan, withExperiments } from './plan.ts'
import { projectPath, readJson, readStaged, type State } from './state.ts'

export interface Applying {
  connection: Connection
  project: string
  wanted: Wanted
  state: State
  plan: Plan
  comment: string
  /** Publish flags and audiences that others have staged, where an environment is published whole. */
  publishAll: boolean
  /** Stop before the publish. */
  stage: boolean
  confirmReassignment: boolean
  /** Told of each step when it is done. */
  onStep(text: string): void
  /** Gets the signing secret of a webhook that was created, and the SDK key of an environment. */
  onSecret(kind: Kind, key: string, secret: string): void
}

interface Step {
  text: string
  run(): Promise<unknown>
}

/** Acts on a plan, in the order in which nothing is missing. The first refusal ends it, and names what is left. */
export async function applyPlan(applying: Applying): Promise<void> {
  const steps = stepsOf(applying)
  for (const [at, step] of steps.entries()) {
    try {
      await step.run()
    } catch (error) {
      const left = steps.slice(at).map(({ text }) => text)
      applying.onStep(`Not done: ${left.join('; ')}. Nothing was rolled back. Run the command again to go on.`)
      throw error
    }
    applying.onStep(step.text)
  }
}

const early: Kind[] = ['metrics', 'segments', 'audiences', 'exclusionGroups', 'holdouts', 'environments']

function stepsOf(applying: Applying): Step[] {
  const { plan, stage } = applying
  const of = (...actions: Change['action'][]) => plan.changes.filter(({ action }) => actions.includes(action))
  const flags = of('create', 'update').filter(({ kind }) => kind === 'flags')
  const tags = new Map(Object.entries(applying.state.flags).map(([key, { etag }]) => [key, etag]))
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
    ...objects(['webhooks']),
    ...of('archive', 'delete')
      .toReversed()
      .map((change) => removeStep(applying, change)),
  ]
}

async function send(
  { connection, project }: Applying,
  method: string,
  path: string,
  body?: unknown,
  etag?: string,
): Promise<{ data: Fields; etag: string }> {
  const response = await connection.send(method, `${projectPath(project)}/${path}`, {
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(etag && { 'x-svc-if-match': etag }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { data: Fields }
  return { data: answer.data, etag: response.headers.get('etag') ?? '' }
}

const addressOf = (...words: string[]): string => words.map(encodeURIComponent).join('/')

function objectStep(applying: Applying, { action, key, fields }: Change, kind: Kind): Step {
  const { path, noun, later, fields: table } = kinds[kind]
  const wanted = applying.wanted.objects[kind]![key]!
  const one = `${path}/${encodeURIComponent(key)}`
  if (action === 'create')
    return {
      text: `Created ${noun} ${key}`,
      async run() {
        const isLater = (name: string) => (later as readonly string[]).includes(name)
        const body = Object.fromEntries(Object.entries(wanted).filter(([name]) => !isLater(name)))
        const { data } = await send(applying, 'POST', path, { ...body, key })
        const secret = data.secret ?? data.sdkKey
        if (typeof secret === 'string') applying.onSecret(kind, key, secret)
        const rest = Object.entries(wanted).filter(([name, value]) => isLater(name) && data[name] !== value)
        if (rest.length > 0) await send(applying, 'PATCH', one, Object.fromEntries(rest))
      },
    }
  return {
    text: `Changed ${noun} ${key}`,
    async run() {
      const { data, etag } = await readJson(applying.connection, `${projectPath(applying.project)}/${one}`)
      const planned = applying.state.objects[kind][key]!.body
      const names = fields.map(({ path }) => path).filter((name) => name !== 'conditions')
      const now = managed(table, data)
      if (names.some((name) => !isSame(now[name], planned[name])))
        throw new Problem('conflict', `The ${noun} ${key} has changed since the plan was made.`)
      await send(applying, 'PATCH', one, Object.fromEntries(fields.map(({ path, to }) => [path, to])), etag)
    },
  }
}

type Tags = Map<string, string>

function flagStep(applying: Applying, { action, key, fields }: Change, tags: Tags): Step {
  const { body, type, variations, defaultVariationKey } = applying.wanted.flags![key]!
  if (action === 'create')
    return {
      text: `Created flag ${key}`,
      async run() {
        const { etag } = await send(applying, 'POST', 'flags', { key, type, ...body, variations, defaultVariationKey })
        tags.set(key, etag)
      },
    }
  const path = addressOf('flags', key)
  return {
    text: `Changed flag ${key}`,
    async run() {
      const changed = new Set(fields.map((field) => field.path))
      const own = Object.entries(body).filter(([name]) => changed.has(name))
      if (changed.has('variations') || changed.has('defaultVariationKey')) {
        const wanted = { variations: [...variations, ...leaving(applying, key)], defaultVariationKey }
        // A variation leaves when no draft names it any more.
        const list = wanted.variations.length <= 4 ? wanted : { variations, defaultVariationKey }
        tags.set(key, (await send(applying, 'PUT', `${path}/variations`, list, tags.get(key))).etag)
      }
      if (own.length > 0)
        tags.set(key, (await send(applying, 'PATCH', path, Object.fromEntries(own), tags.get(key))).etag)
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
      text: `Removed variations of flag ${key}`,
      async run() {
        const path = `${addressOf('flags', key)}/variations`
        tags.set(key, (await send(applying, 'PUT', path, { variations, defaultVariationKey }, tags.get(key))).etag)
      },
    },
  ]
}

function draftStep(applying: Applying, { key, env }: Change, tags: Tags): Step {
  const drafted = applying.wanted.flags![key]!.environments[env!]!
  const there = applying.state.flags[key]?.environments[env!]
  return {
    text: `Staged flag ${key} in ${env}`,
    async run() {
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
      const { confirmReassignment } = applying
      const body = { defaultVariationKey, rules, ...(overrides && { overrides }), confirmReassignment }
      const path = `${addressOf('flags', key, 'envs', env!)}/draft`
      tags.set(key, (await send(applying, 'PUT', path, body, tags.get(key))).etag)
    },
  }
}

function publishStep(applying: Applying, { env, flags }: Plan['publishes'][number]): Step {
  const { connection, project, state, wanted } = applying
  const path = `${addressOf('environments', env)}/publish`
  const body = { ...(flags && { flagIds: flags }), comment: applying.comment }
  return {
    text: `Published ${env}`,
    async run() {
      if (flags) return send(applying, 'POST', path, body)
      // The whole environment: somebody may have staged something since the plan was made.
      const { audiences } = state.objects
      const keyOf = new Map(Object.entries(audiences).map(([key, { id }]) => [id, key]))
      const now = await readStaged(connection, { project, env, self: state.self, keyOf })
      const before = state.staged[env]
      const isNew = (keys: readonly string[], known: readonly string[], own: object = {}) =>
        keys.filter((key) => !known.includes(key) && !Object.hasOwn(own, key))
      const others = [
        ...isNew(now.flags, before?.flags ?? [], wanted.flags).map((key) => `flag ${key}`),
        ...isNew(now.otherAudiences, before?.otherAudiences ?? [], wanted.objects.audiences).map(
          (key) => `audience ${key}`,
        ),
      ]
      if (others.length > 0 && !applying.publishAll)
        throw new Problem(
          'conflict',
          `Somebody has staged ${others.join(', ')} in ${env} since the plan was made. Give --publish-all to publish it too.`,
        )
      return send(applying, 'POST', path, body, now.etag)
    },
  }
}

function switchStep(applying: Applying, { action, kind, key, env }: Change): Step {
  const [flag = '', rule] = kind === 'rules' ? key.split('/') : [key]
  const path = addressOf('flags', flag, 'envs', env!, ...(rule === undefined ? [] : ['rules', rule]), action)
  const did = action === 'run' ? 'Ran' : 'Paused'
  return {
    text: `${did} ${kind === 'rules' ? 'rule' : 'flag'} ${key} in ${env}`,
    run: () => send(applying, 'POST', path),
  }
}

function removeStep(applying: Applying, { action, kind, key }: Change): Step {
  const path = kind === 'flags' ? addressOf('flags', key) : addressOf(kinds[kind as Kind].path, key)
  const noun = kind === 'flags' ? 'flag' : kinds[kind as Kind].noun
  return action === 'archive'
    ? { text: `Archived ${noun} ${key}`, run: () => send(applying, 'POST', `${path}/archive`) }
    : { text: `Deleted ${noun} ${key}`, run: () => send(applying, 'DELETE', path) }
}
