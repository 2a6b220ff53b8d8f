import { notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { placeAmong } from './placement.ts'
import type { FlagStatus } from './status.ts'
import type { FlagEnvironment, Overrides, Version } from './version.ts'

/*
 * What each transition makes live in one environment. Edits only change the draft.
 *
 * | transition                       | live version                         | the data file                      |
 * | -------------------------------- | ------------------------------------ | ---------------------------------- |
 * | create a flag                    | the first version                    | has the flag, paused               |
 * | first run                        | becomes the draft                    | serves it                          |
 * | run                              | stays                                | serves it                          |
 * | pause                            | stays                                | serves the variation for "paused"  |
 * | run a rule that is live          | stays                                | serves the rule                    |
 * | run a rule that is only drafted  | gets this rule, at its drafted place | serves the rule                    |
 * | launch an experiment             | gets its test as it is drafted, and  | serves the rule                    |
 * |                                  | what a web experiment does to pages  |                                    |
 * | pause a rule                     | stays                                | leaves the rule out                |
 * | publish                          | becomes the draft                    | serves it where the flag runs      |
 * | archive, delete                  | stays, goes                          | leaves the flag out                |
 * | unarchive                        | stays                                | has the flag, paused               |
 *
 * A schedule is a run or pause by the service itself. Restoring a revision and replacing variations are edits.
 */

/** The switch of a flag in an environment, with both versions. */
export type Switched = Pick<FlagEnvironment, 'enabled' | 'draft' | 'live' | 'published'>

/** The first run also makes the draft live, because before the first publish there is no other live version. */
export function run<Row extends Switched>(row: Row): Row {
  return row.published ? { ...row, enabled: true } : { ...takenLive(row), enabled: true }
}

export const pause = <Row extends Switched>(row: Row): Row => ({ ...row, enabled: false })

export const takenLive = <Row extends Switched>(row: Row): Row => ({ ...row, live: row.draft, published: true })

type Versions = Pick<Switched, 'live' | 'draft'>

/** Makes a single drafted rule live. No other staged changes go live. */
export const withRuleLive = (row: Versions, ruleId: string): Version | Refusal =>
  row.live.rules.some(({ id }) => id === ruleId) ? row.live : withDrafted(row, ruleId, row.live.overrides)

/**
 * Makes the test of an experiment live as it is drafted, with its allowlist. A publish before the launch can have made
 * an earlier draft of it live, which no visitor was served. No other staged changes go live.
 */
export function withTestLive({ live, draft }: Versions, ruleId: string): Version | Refusal {
  const others = live.overrides.ruleAllowlists.filter((list) => list.ruleId !== ruleId)
  const own = draft.overrides.ruleAllowlists.find((list) => list.ruleId === ruleId)
  const ruleAllowlists = own ? placeListAmong(others, draft.overrides.ruleAllowlists, own) : others
  return withDrafted({ live, draft }, ruleId, { ...live.overrides, ruleAllowlists })
}

function withDrafted({ live, draft }: Versions, ruleId: string, overrides: Overrides): Version | Refusal {
  const rule = draft.rules.find(({ id }) => id === ruleId)
  if (!rule) return notFound('Rule')
  const allowed = overrides.ruleAllowlists.find((list) => list.ruleId === ruleId)?.entries ?? []
  const served = rule.type === 'TARGETED_DELIVERY' ? [rule] : rule.variations
  const needed = new Set([...served, ...allowed].map(({ variationId }) => variationId))
  const missing = [...needed].filter((id) => !live.variations.some((variation) => variation.id === id))
  if (missing.length > 0)
    return refuse('invalid_state', 'The rule serves a variation that is not live yet. Publish the environment first.', {
      references: missing.map((id) => ({ type: 'variation', id })),
    })
  const others = live.rules.filter(({ id }) => id !== ruleId)
  return { ...live, overrides, rules: placeAmong(others, draft.rules, rule), ...(draft.web && { web: draft.web }) }
}

type RuleAllowlist = Overrides['ruleAllowlists'][number]

/** At its drafted place too, so that nothing is staged where the lists are the same. */
function placeListAmong(live: readonly RuleAllowlist[], draft: readonly RuleAllowlist[], list: RuleAllowlist) {
  const named = (each: RuleAllowlist) => ({ id: each.ruleId, list: each })
  return placeAmong(live.map(named), draft.map(named), named(list)).map((each) => each.list)
}

export type Transition = 'archive' | 'unarchive' | 'delete' | 'run'

const allowedStates: Record<Transition, readonly FlagStatus[]> = {
  archive: ['DRAFT', 'PAUSED', 'ARCHIVED'],
  unarchive: ['ARCHIVED'],
  delete: ['DRAFT', 'ARCHIVED'],
  run: ['DRAFT', 'PAUSED', 'RUNNING'],
}

const reasons: Record<Transition, string> = {
  archive: 'The flag is running. Pause it in every environment before you archive it.',
  unarchive: 'Only an archived flag can be unarchived.',
  delete: 'Only a draft or an archived flag can be deleted.',
  run: 'An archived flag cannot run. Unarchive it first.',
}

export function refusesTransition(transition: Transition, current: FlagStatus): Refusal | undefined {
  const allowed = allowedStates[transition]
  return allowed.includes(current) ? undefined : refuse('invalid_state', reasons[transition], { current, allowed })
}
