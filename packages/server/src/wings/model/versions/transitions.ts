import { notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { placeAmong } from './placement.ts'
import type { FlagStatus } from './status.ts'
import type { FlagEnvironment, RuleDefinition, Version } from './version.ts'

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

/** Makes a single drafted rule live. No other staged changes go live. */
export function withRuleLive({ live, draft }: Pick<Switched, 'live' | 'draft'>, ruleId: string): Version | Refusal {
  const isThis = ({ id }: RuleDefinition) => id === ruleId
  if (live.rules.some(isThis)) return live
  const rule = draft.rules.find(isThis)
  if (!rule) return notFound('Rule')
  const needed =
    rule.type === 'TARGETED_DELIVERY' ? [rule.variationId] : rule.variations.map((each) => each.variationId)
  const missing = needed.filter((id) => !live.variations.some((variation) => variation.id === id))
  if (missing.length > 0)
    return refuse('invalid_state', 'The rule serves a variation that is not live yet. Publish the environment first.', {
      references: missing.map((id) => ({ type: 'variation', id })),
    })
  return { ...live, rules: placeAmong(live.rules, draft.rules, rule) }
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
