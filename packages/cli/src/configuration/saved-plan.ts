import { Problem } from '../problem.ts'
import { isSame } from './objects.ts'
import type { Choices, Plan } from './plan.ts'
import type { State } from './state.ts'

/** A plan in a file: what was planned, from which text, and the ETags that it was planned on. */
export interface SavedPlan {
  /** The format. */
  svcPlan: 1
  url: string
  project: string
  /** The path of the configuration file, for messages. */
  file: string
  text: string
  choices: Choices
  plan: Plan
  basis: Basis
}

/** ETags of what a plan touches: its flags, and the staged lists of environments that it publishes whole. */
interface Basis {
  flags: Record<string, string>
  staged: Record<string, string>
}

export function basisOf({ changes, publishes }: Plan, state: State): Basis {
  const planned = changes.flatMap(({ kind, key }) =>
    kind === 'flags' ? [key] : kind === 'rules' ? [key.split('/')[0]!] : [],
  )
  const keys = new Set([...planned, ...publishes.flatMap(({ flags }) => flags ?? [])])
  const present = [...keys].filter((key) => Object.hasOwn(state.flags, key)).sort()
  const whole = publishes.flatMap(({ env, flags }) => (flags === null && Object.hasOwn(state.staged, env) ? [env] : []))
  return {
    flags: Object.fromEntries(present.map((key) => [key, state.flags[key]!.etag])),
    staged: Object.fromEntries(whole.map((env) => [env, state.staged[env]!.etag])),
  }
}

/** The plan in a text; undefined if the text is something else, such as a configuration file. */
export function savedPlanIn(name: string, text: string): SavedPlan | undefined {
  if (!/^\s*\{\s*"svcPlan"\s*:/.test(text)) return undefined
  let saved: SavedPlan
  try {
    saved = JSON.parse(text) as SavedPlan
  } catch (error) {
    throw new Problem('file_invalid', `${name} is not valid JSON: ${(error as Error).message}.`)
  }
  const isWhole = saved.svcPlan === 1 && typeof saved.text === 'string' && saved.plan && saved.basis && saved.choices
  if (!isWhole)
    throw new Problem(
      'file_invalid',
      `${name} is not a plan that this version of svc can read. Create it again with svc plan --out.`,
    )
  return saved
}

/** What has changed since a plan was saved, in words. Empty if applying it still does what it shows. */
export function movedSince(saved: Pick<SavedPlan, 'plan' | 'basis'>, planned: Plan, basis: Basis): string[] {
  // As a file keeps it: without fields that are undefined.
  const plan = JSON.parse(JSON.stringify(planned)) as Plan
  const tags = (kind: keyof Basis) =>
    [...new Set([...Object.keys(saved.basis[kind]), ...Object.keys(basis[kind])])]
      .filter((key) => saved.basis[kind][key] !== basis[kind][key])
      .sort()
  const named = ({ kind, key, env }: { kind: string; key: string; env?: string }) =>
    `${kind} ${key}${env ? ` in ${env}` : ''}`
  const differing = (before: readonly Placed[], now: readonly Placed[]) =>
    [...before.filter((each) => !has(now, each)), ...now.filter((each) => !has(before, each))].map(named)
  const flags = tags('flags').map((key) => `flags ${key}`)
  const changes = differing(saved.plan.changes, plan.changes).filter(
    // A flag whose ETag has changed is named once, not for each of its changes.
    (text) => !flags.some((flag) => `${text} `.startsWith(`${flag} `)),
  )
  const publishes = isSame(saved.plan.publishes, plan.publishes) ? [] : ['the published state']
  return [
    ...new Set([
      ...flags,
      ...changes,
      ...differing(saved.plan.conflicts, plan.conflicts),
      ...tags('staged').map((env) => `the staged changes in ${env}`),
      ...publishes,
    ]),
  ]
}

interface Placed {
  kind: string
  key: string
  env?: string
}

const has = (list: readonly Placed[], one: Placed): boolean => list.some((each) => isSame(each, one))
