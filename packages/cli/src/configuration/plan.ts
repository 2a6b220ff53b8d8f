import type { Wanted } from './file.ts'
import type { Drafted, RuleBody, WantedFlag } from './flags.ts'
import { uniquelyNamed } from './names.ts'
import { type Difference, differencesOf, type Fields, isSame, type Kind, kindNames } from './objects.ts'
import { isOfFile, type PresentDraft, type State } from './state.ts'

export type Action = 'create' | 'update' | 'draft' | 'pause' | 'run' | 'delete' | 'archive'

/** One difference between the file and the service. */
export interface Change {
  action: Action
  kind: Kind | 'flags' | 'rules'
  key: string
  env?: string
  fields: Difference[]
  /** When visitors see it. */
  live: 'AT_ONCE' | 'ON_PUBLISH'
}

export interface Remark {
  kind: string
  key: string
  env?: string
  message: string
}

export interface Plan {
  changes: Change[]
  /** What is published in which environments. Null: everything that is staged there. */
  publishes: { env: string; flags: string[] | null }[]
  /** Differences that the plan keeps: switches that somebody moved, and changes that others have staged. */
  drift: Remark[]
  /** What the file does not mention. */
  unmanaged: Remark[]
  conflicts: Remark[]
  summary: string
}

export interface Choices {
  prune?: boolean
  resume?: boolean
  overwriteStaged?: boolean
  publishAll?: boolean
}

/** Where flags have run before, as `flag env`, with who moved the switch last. */
export type Ran = ReadonlyMap<string, { by: string | null; at: string | null }>

/** The switches whose history must show whether they have ever been on. */
export const switchesToCheck = (wanted: Wanted, state: State): { flag: string; env: string }[] =>
  Object.entries(wanted.flags ?? {}).flatMap(([flag, { environments }]) => {
    const present = state.flags[flag]
    if (!present || present.status === 'DRAFT') return []
    return Object.entries(environments).flatMap(([env, { enabled }]) => {
      const there = present.environments[env]
      return enabled && there && !there.enabled && there.published !== null ? [{ flag, env }] : []
    })
  })

export function planOf(wanted: Wanted, state: State, ran: Ran, choices: Choices = {}): Plan {
  const plan: Plan = { changes: [], publishes: [], drift: [], unmanaged: [], conflicts: [], summary: '' }
  if (wanted.project?.key !== undefined && wanted.project.key !== state.project.key)
    plan.conflicts.push({
      ...{ kind: 'project', key: wanted.project.key },
      message: `the file is for this project, but the command names ${state.project.key}`,
    })
  const published = new Map<string, Set<string>>()
  const publish = (env: string, flag: string) => published.set(env, (published.get(env) ?? new Set()).add(flag))
  for (const kind of kindNames) planObjects(kind, wanted, state, plan, choices)
  for (const [key, flag] of Object.entries(wanted.flags ?? {}))
    planFlag(key, flag, { wanted, state, plan, choices, ran, publish: (env) => publish(env, key) })
  if (wanted.flags)
    for (const [key, { status }] of Object.entries(state.flags))
      if (!Object.hasOwn(wanted.flags, key) && status !== 'ARCHIVED') planUnmentioned(key, status, plan, choices)
  planPublishes(published, { wanted, state, plan, choices })
  plan.summary = summaryOf(plan)
  return plan
}

function planObjects(kind: Kind, { objects }: Wanted, state: State, plan: Plan, { prune }: Choices): void {
  const section = objects[kind]
  if (!section) return
  const present = state.objects[kind]
  for (const [key, body] of Object.entries(section)) {
    const there = Object.hasOwn(present, key) ? present[key] : undefined
    if (kind === 'destinations' && there && there.body.kind !== body.kind) {
      plan.conflicts.push({ kind, key, message: `its kind is ${there.body.kind} and cannot change` })
      continue
    }
    const holder = holderOfName(kind, key, section, present)
    if (holder !== undefined) {
      plan.conflicts.push({ kind, key, message: `its name is the one of ${holder}: rename or delete that one first` })
      continue
    }
    const fields = differencesOf(there?.body ?? {}, body)
    if (!there) plan.changes.push({ action: 'create', kind, key, fields, live: 'AT_ONCE' })
    else if (fields.length > 0) {
      const isStaged = kind === 'audiences' && fields.some(({ path }) => path === 'conditions')
      plan.changes.push({ action: 'update', kind, key, fields, live: isStaged ? 'ON_PUBLISH' : 'AT_ONCE' })
    }
  }
  for (const key of Object.keys(present)) {
    if (Object.hasOwn(section, key)) continue
    if (prune && kind !== 'environments')
      plan.changes.push({ action: 'delete', kind, key, fields: [], live: 'AT_ONCE' })
    else plan.unmanaged.push({ kind, key, message: 'stays' })
  }
}

/** Who has the name that the file gives to an object, when its turn comes; undefined if nobody has. */
function holderOfName(
  kind: Kind,
  key: string,
  section: Record<string, Fields>,
  present: State['objects'][Kind],
): string | undefined {
  const { name } = section[key]!
  if (!uniquelyNamed.includes(kind) || present[key]?.body.name === name) return undefined
  const order = Object.keys(section)
  return Object.keys(present).find((other) => {
    if (other === key || present[other]!.body.name !== name) return false
    const place = order.indexOf(other)
    // One that the file renames earlier is out of the way.
    return place === -1 || section[other]!.name === name || place > order.indexOf(key)
  })
}

function planUnmentioned(key: string, status: string, plan: Plan, { prune }: Choices): void {
  if (!prune) plan.unmanaged.push({ kind: 'flags', key, message: 'stays' })
  else if (status === 'RUNNING')
    plan.conflicts.push({ kind: 'flags', key, message: 'it runs and is not in the file: pause it first' })
  else
    plan.changes.push({
      ...{ action: status === 'DRAFT' ? 'delete' : 'archive', kind: 'flags', key, fields: [], live: 'AT_ONCE' },
    } as Change)
}

interface OnFlag {
  wanted: Wanted
  state: State
  plan: Plan
  choices: Choices
  ran: Ran
  publish(env: string): void
}

function planFlag(key: string, flag: WantedFlag, on: OnFlag): void {
  const { wanted, state, plan } = on
  const environments = { ...state.objects.environments, ...wanted.objects.environments }
  const present = Object.hasOwn(state.flags, key) ? state.flags[key] : undefined
  if (present?.status === 'ARCHIVED')
    return void plan.conflicts.push({
      kind: 'flags',
      key,
      message: 'it is archived: unarchive it, or remove it from the file',
    })
  if (present && present.wanted.type !== flag.type)
    return void plan.conflicts.push({
      kind: 'flags',
      key,
      message: `its type is ${present.wanted.type} and cannot change`,
    })
  const shown = ({ body, variations, defaultVariationKey }: WantedFlag): Fields => ({
    ...body,
    variations: mapOf(variations),
    defaultVariationKey,
  })
  const fields = differencesOf(present ? shown(present.wanted) : {}, shown(flag))
  const isStaged = present !== undefined && fields.some(({ path }) => path === 'variations')
  if (fields.length > 0)
    plan.changes.push({
      ...{ kind: 'flags', key, fields },
      action: present ? 'update' : 'create',
      live: isStaged ? 'ON_PUBLISH' : 'AT_ONCE',
    })
  for (const [env, drafted] of Object.entries(flag.environments)) {
    if (!Object.hasOwn(environments, env)) {
      plan.conflicts.push({ kind: 'flags', key, env, message: 'the project has no such environment' })
      continue
    }
    const there = present?.environments[env]
    planDraft({ key, env, flag, drafted, there, isStaged }, on)
    planSwitch({ key, env, drafted, there }, on)
  }
}

const mapOf = (variations: WantedFlag['variations']) => variations.map(({ key, name, value }) => ({ key, name, value }))

interface Place {
  key: string
  env: string
  drafted: Drafted
  there: PresentDraft | undefined
}

function planDraft(
  { key, env, flag, drafted, there, isStaged }: Place & { flag: WantedFlag; isStaged: boolean },
  { plan, state, choices, publish }: OnFlag,
): void {
  const present = there?.draft ?? {
    ...{ enabled: false, defaultVariationKey: flag.defaultVariationKey, rules: [], overrides: noOverrides },
  }
  const conflict = (message: string) => plan.conflicts.push({ kind: 'flags', key, env, message })
  for (const fault of experimentFaults(drafted, there)) conflict(fault)
  const fields = draftDifferences(present, drafted, there?.experiments ?? {})
  const staged = there?.changes ?? []
  const others = staged.filter(({ by }) => by?.id !== state.self)
  const [first] = others
  if (fields.length === 0) {
    const isInterrupted = staged.length > 0 && staged.every((change) => isOfFile(change, state))
    if (!first && (isStaged || isInterrupted)) return publish(env)
    const [by] = others.length > 0 ? others : staged
    if (by) plan.drift.push({ kind: 'flags', key, env, message: stagedBy(by, env, key) })
    return
  }
  if (first && !choices.overwriteStaged)
    conflict(
      `${first.by?.name ?? 'someone'} has staged ${first.path}${first.at ? ` at ${first.at}` : ''}: publish or discard it, or add --overwrite-staged`,
    )
  const running = there?.live.rules.filter(
    (rule) =>
      rule.type === 'AB_TEST' &&
      there.enabled &&
      rule.enabled === true &&
      !drafted.rules.some(({ key }) => key === rule.key),
  )
  for (const rule of running ?? [])
    if (!choices.prune && there!.experiments[rule.key] === undefined)
      conflict(`the A/B rule ${rule.key} runs and is not in the file: add --prune to delete it`)
  plan.changes.push({ action: 'draft', kind: 'flags', key, env, fields, live: 'ON_PUBLISH' })
  publish(env)
}

/** A staged change does not differ from the file, because the file does not say what is live. */
function stagedBy(
  { by, source }: Pick<PresentDraft['changes'][number], 'by' | 'source'>,
  env: string,
  flag?: string,
): string {
  const who = `${by?.name ?? 'someone'}${source === undefined ? '' : ` (${source})`}`
  const publish = ['svc publish', flag, `--env ${env}`].filter((word) => word !== undefined).join(' ')
  return `${who} has already staged the content of the file: ${publish} makes it live`
}

const noOverrides = { environmentAllowlist: [], ruleAllowlists: [] }

/** A rule that an experiment owns can only hold its place. */
function experimentFaults({ rules }: Drafted, there: PresentDraft | undefined): string[] {
  return rules.flatMap((rule) => {
    const owner = there?.experiments[rule.key]
    const present = there?.draft.rules.find(({ key }) => key === rule.key)
    if (rule.type === 'UNCHANGED') return present ? [] : [`it has no rule ${rule.key} of an experiment`]
    if (owner === undefined || !present || ruleDifferences(present, rule).length === 0) return []
    return [`the rule ${rule.key} belongs to experiment ${owner}: write { key: ${rule.key}, experiment: ${owner} }`]
  })
}

const ruleDifferences = (present: RuleBody, { enabled: _enabled, ...wanted }: RuleBody): Difference[] =>
  differencesOf(present, wanted)

/** What `PUT …/draft` would change. */
export function draftDifferences(present: Drafted, wanted: Drafted, experiments: Record<string, number>): Difference[] {
  const found = differencesOf({ default: present.defaultVariationKey }, { default: wanted.defaultVariationKey })
  const rules = withExperiments(present, wanted, experiments)
  for (const rule of rules) {
    const there = present.rules.find(({ key }) => key === rule.key)
    const path = `rules.${rule.key}`
    if (!there) found.push({ path, from: null, to: rule })
    else if (rule.type !== 'UNCHANGED')
      for (const each of ruleDifferences(there, rule)) found.push({ ...each, path: `${path}.${each.path}` })
  }
  for (const rule of present.rules)
    if (!rules.some(({ key }) => key === rule.key)) found.push({ path: `rules.${rule.key}`, from: rule, to: null })
  const order = (list: readonly RuleBody[], other: readonly RuleBody[]) =>
    list.map(({ key }) => key).filter((key) => other.some((rule) => rule.key === key))
  const [from, to] = [order(present.rules, rules), order(rules, present.rules)]
  if (!isSame(from, to)) found.push({ path: 'ruleOrder', from, to })
  return wanted.overrides
    ? [...found, ...differencesOf({ overrides: present.overrides }, { overrides: wanted.overrides })]
    : found
}

/** The wanted rules and, at their present places, the rules of experiments that the file does not mention. */
export function withExperiments(present: Drafted, { rules }: Drafted, experiments: Record<string, number>): RuleBody[] {
  const all = [...rules]
  for (const [at, { key }] of present.rules.entries())
    if (experiments[key] !== undefined && !rules.some((rule) => rule.key === key))
      all.splice(Math.min(at, all.length), 0, { key, type: 'UNCHANGED' })
  return all
}

function planSwitch({ key, env, drafted, there }: Place, { plan, choices, ran }: OnFlag): void {
  const move = (action: 'pause' | 'run', from: boolean) =>
    plan.changes.push({
      ...{ action, kind: 'flags', key, env, live: 'AT_ONCE' },
      fields: [{ path: 'enabled', from, to: !from }],
    })
  const enabled = there?.enabled ?? false
  if (drafted.enabled === false && enabled) move('pause', true)
  if (drafted.enabled === true && !enabled) {
    const paused = ran.get(`${key} ${env}`)
    const who = `${paused?.by ?? 'someone'} paused it${paused?.at ? ` at ${paused.at}` : ''}`
    if (!paused || choices.resume) move('run', false)
    else plan.drift.push({ kind: 'flags', key, env, message: `${who}: add --resume to run it again` })
  }
  for (const rule of drafted.rules) {
    const present = there?.draft.rules.find((each) => each.key === rule.key)
    if (!present || rule.enabled === undefined || rule.enabled === present.enabled) continue
    const action = rule.enabled ? 'run' : 'pause'
    const path = `${key}/${rule.key}`
    if (action === 'run' && !choices.resume)
      plan.drift.push({ kind: 'rules', key: path, env, message: 'it was paused: add --resume to run it again' })
    else if (there!.experiments[rule.key] === undefined)
      plan.changes.push({
        ...{ action, kind: 'rules', key: path, env, live: 'AT_ONCE' },
        fields: [{ path: 'enabled', from: present.enabled, to: rule.enabled }],
      })
  }
}

function planPublishes(
  published: ReadonlyMap<string, ReadonlySet<string>>,
  { wanted, state, plan, choices }: Pick<OnFlag, 'wanted' | 'state' | 'plan' | 'choices'>,
): void {
  const edited = plan.changes
    .filter(({ kind, live }) => kind === 'audiences' && live === 'ON_PUBLISH')
    .map(({ key }) => key)
  // An environment that the file creates has no other staged changes.
  for (const env of published.keys()) if (!Object.hasOwn(state.staged, env)) plan.publishes.push({ env, flags: null })
  for (const [env, staged] of Object.entries(state.staged)) {
    const flags = published.get(env) ?? new Set<string>()
    const isUsed = (key: string) => state.audienceUse[key]?.includes(env) || willUse(wanted, env, key)
    const isWhole = staged.ownAudiences.length > 0 || edited.some(isUsed)
    if (!isWhole) {
      const isSaid = (key: string) => Object.hasOwn(wanted.objects.audiences ?? {}, key) && !edited.includes(key)
      for (const key of staged.otherAudiences.filter(isSaid))
        plan.drift.push({ kind: 'audiences', key, env, message: stagedBy({ by: null }, env) })
    }
    if (!isWhole && flags.size === 0) continue
    if (isWhole && !choices.publishAll)
      for (const [kind, noun, keys] of [
        ['flags', 'flag', staged.flags.filter((each) => !flags.has(each))],
        ['experiments', 'experiment', staged.experiments],
        ['audiences', 'audience', staged.otherAudiences.filter((each) => !edited.includes(each))],
      ] as const)
        for (const key of keys)
          plan.conflicts.push({
            ...{ kind, key, env },
            message: `an edited audience publishes the whole environment, and this ${noun} has staged changes there: add --publish-all`,
          })
    plan.publishes.push({ env, flags: isWhole ? null : [...flags].sort() })
  }
}

/** Whether a rule of the file uses an audience. */
const willUse = (wanted: Wanted, env: string, audience: string): boolean =>
  Object.values(wanted.flags ?? {}).some(({ environments }) =>
    environments[env]?.rules.some(
      ({ audienceIds = [], conditions }) =>
        (audienceIds as string[]).includes(audience) ||
        JSON.stringify(conditions ?? null).includes(`{"audience":${JSON.stringify(audience)}}`),
    ),
  )

function summaryOf({ changes, publishes, conflicts }: Plan): string {
  if (changes.length + publishes.length + conflicts.length === 0) return 'No changes.'
  const count = (...actions: Action[]) => changes.filter(({ action }) => actions.includes(action)).length
  const envs = publishes.map(({ env }) => env).join(', ')
  const changed = count('update', 'draft', 'pause', 'run')
  return `Plan: ${count('create')} to create, ${changed} to change, ${count('delete', 'archive')} to delete${envs && `; publishes ${envs}`}.`
}
