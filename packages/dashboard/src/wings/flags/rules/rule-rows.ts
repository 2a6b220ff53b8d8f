import type { Data } from '@svc/client'
import type { StatusValue } from '../../../ui/status/status-words.ts'

const environmentPath = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}'
type Answered = Data<typeof environmentPath, 'get'>
type AnsweredRule = Answered['draft']['rules'][number]

/** A rule as visitors get it, or as the next publish will have it. */
export type RuleDefinition = AnsweredRule
/** A drafted rule with its switch. */
export type Rule = Data<`${typeof environmentPath}/rules`, 'get'>[number]
type Version = Omit<Answered['draft'], 'rules'> & { rules: RuleDefinition[] }
export type FlagInEnvironment = Omit<Answered, 'draft' | 'live'> & { draft: Version; live: Version }
export type StagedChange = Answered['changes'][number]
/** Who always gets which variation. */
export type Allowlist = Answered['draft']['overrides']['environmentAllowlist']

export interface RuleRow {
  id: string
  /** As drafted; as it is live if the next publish deletes it, or if only what is live is shown. */
  shown: RuleDefinition
  /** What visitors get now. */
  live: RuleDefinition | undefined
  /** Its switch; undefined if it is deleted in the draft. */
  rule: Rule | undefined
  state: 'live' | 'new' | 'edited' | 'deleted'
  /** The changes of this rule that are not published. */
  changes: StagedChange[]
}

/** The rules in the order of the draft. A rule that the next publish deletes comes after the one it followed. */
export function ruleRows({ draft, live, changes }: FlagInEnvironment, rules: readonly Rule[]): RuleRow[] {
  const rows = draft.rules.map((shown): RuleRow => {
    const { id } = shown
    const own = changesOf(id, changes)
    const liveOne = live.rules.find((each) => each.id === id)
    return {
      id,
      shown,
      live: liveOne,
      rule: rules.find((each) => each.id === id),
      state: liveOne === undefined ? 'new' : own.length > 0 ? 'edited' : 'live',
      changes: own,
    }
  })
  for (const [at, shown] of live.rules.entries()) {
    if (rows.some(({ id }) => id === shown.id)) continue
    const before = live.rules[at - 1]
    const place = before ? rows.findIndex(({ id }) => id === before.id) + 1 : 0
    const deleted = { id: shown.id, shown, live: shown, rule: undefined, state: 'deleted' } as const
    rows.splice(place, 0, { ...deleted, changes: changesOf(shown.id, changes) })
  }
  return rows
}

/** Only what visitors get now, in the live order. */
export const liveRows = ({ live }: FlagInEnvironment, rules: readonly Rule[]): RuleRow[] =>
  live.rules.map((shown) => ({
    id: shown.id,
    shown,
    live: shown,
    rule: rules.find(({ id }) => id === shown.id),
    state: 'live',
    changes: [],
  }))

const changesOf = (id: string, changes: readonly StagedChange[]): StagedChange[] =>
  changes.filter(({ path }) => path === `rules.${id}` || path.startsWith(`rules.${id}.`))

/** A rule serves if its switch and the switch of its flag are on. The rule of an experiment that has ended never does. */
export function ruleState(row: RuleRow, isFlagRunning: boolean): StatusValue<'rule'> {
  const { live, rule } = row
  if (!live) return 'DRAFT'
  if (rule?.status === 'COMPLETED') return 'COMPLETED'
  if (!rule?.enabled) return 'PAUSED'
  return isFlagRunning ? 'RUNNING' : 'WAITING'
}

/** The ids of the drafted rules with one moved up (-1) or down (1); undefined if it is at the end already. */
export function moved(rules: readonly { id: string }[], id: string, step: 1 | -1): string[] | undefined {
  const ids = rules.map((each) => each.id)
  const at = ids.indexOf(id)
  const to = at + step
  if (at === -1 || to < 0 || to >= ids.length) return undefined
  ids.splice(at, 1)
  ids.splice(to, 0, id)
  return ids
}

/** Who made the latest of these changes, and when. */
export function latestAuthor(changes: readonly StagedChange[]): { name: string; at: string } | undefined {
  const dated = changes.flatMap(({ by, at }) => (by && at !== null ? [{ name: by.name, at }] : []))
  return dated.toSorted((one, other) => other.at.localeCompare(one.at))[0]
}
