import { type ChangeNames, changeWords } from '../../../ui/changes/change-words.ts'
import { ruleSentence } from '../../../ui/changes/rule-sentence.ts'
import { capital, counted } from '../../../ui/words/lists.ts'
import { changedFields, type Draft, inOrderOf, isSame } from '../drafts/draft.ts'
import type { Allowlist, RuleDefinition } from '../rules/rule-rows.ts'

/** A flag in one of the two environments. */
export interface Side {
  draft: Draft
  isRunning: boolean
  /** Whether the switch of a rule is on, by its id. What is only live has none. */
  switches: ReadonlyMap<string, boolean>
}

export type Pair = readonly [RuleDefinition | undefined, RuleDefinition | undefined]

/** One thing that differs, in words for each side. */
export interface Difference {
  what: 'switch' | 'overrides' | 'rule' | 'order' | 'default'
  key: string
  subject: string
  words: readonly [string, string]
  pair?: Pair
}

export interface Comparison {
  differences: Difference[]
  /** How many rules are the same on both sides. */
  same: number
}

export type SideOf = 0 | 1

/** What differs, in the order in which a visitor meets it. */
export function compare(sides: readonly [Side, Side], names: ChangeNames): Comparison {
  const [left, right] = sides
  const pairs = pairsOf(left.draft.rules, right.draft.rules)
  const rules = pairs.flatMap((pair) => ruleDifference(pair, sides, names) ?? [])
  const differences: Difference[] = []
  const add = (difference: Difference) => {
    if (difference.words[0] !== difference.words[1]) differences.push(difference)
  }
  add({ what: 'switch', key: 'switch', subject: 'Switch', words: both(sides, ({ isRunning }) => running(isRunning)) })
  if (!isSame(...both(sides, ({ draft }) => draft.overrides.environmentAllowlist)))
    differences.push({
      what: 'overrides',
      key: 'overrides',
      subject: 'Individual visitors',
      words: both(sides, ({ draft }) => alwaysWords(draft.overrides.environmentAllowlist)),
    })
  differences.push(...rules)
  const known = pairs.filter(([one, other]) => one && other)
  add({
    what: 'order',
    key: 'order',
    subject: 'Order of the rules',
    words: both(sides, ({ draft }, side) =>
      draft.rules
        .filter((rule) => known.some((pair) => pair[side] === rule))
        .map(({ name }) => name)
        .join(', '),
    ),
  })
  add({
    what: 'default',
    key: 'default',
    subject: 'Everyone else',
    words: both(sides, ({ draft }) => draft.defaultVariationKey),
  })
  return { differences, same: pairs.length - rules.length }
}

const both = <Value>(sides: readonly [Side, Side], of: (side: Side, at: SideOf) => Value): [Value, Value] => [
  of(sides[0], 0),
  of(sides[1], 1),
]

const running = (isRunning: boolean): string => (isRunning ? 'Running' : 'Paused')

/**
 * Rules of two environments have different ids, so those with the same name and type belong together, in their order.
 * A rule that only the other side has comes behind the one that it follows there.
 */
export function pairsOf(left: readonly RuleDefinition[], right: readonly RuleDefinition[]): Pair[] {
  const free = [...right]
  const pairs: Pair[] = left.map((rule) => {
    const at = free.findIndex(({ name, type }) => name === rule.name && type === rule.type)
    return [rule, at === -1 ? undefined : free.splice(at, 1)[0]]
  })
  for (const rule of free) {
    const before = right[right.indexOf(rule) - 1]
    const place = before ? pairs.findIndex((pair) => pair[1] === before) + 1 : 0
    pairs.splice(place, 0, [undefined, rule])
  }
  return pairs
}

/** What the draw starts from differs between rules that were made separately, and says nothing to a person. */
const unread = new Set(['salt'])

const fieldsOf = (one: RuleDefinition, other: RuleDefinition): string[] =>
  changedFields(one, other).filter((field) => !unread.has(field))

function ruleDifference(pair: Pair, sides: readonly [Side, Side], names: ChangeNames): Difference | undefined {
  const [left, right] = pair
  const rule = (left ?? right)!
  const lists = both(sides, ({ draft }, at) => listOf(draft, pair[at]?.id))
  const of = (words: readonly [string, string]): Difference => ({
    what: 'rule',
    key: rule.id,
    subject: rule.name,
    words,
    pair,
  })
  const whole = (each: RuleDefinition | undefined, at: SideOf) =>
    each ? capital(`${ruleSentence(each, names)}${alwaysIn(lists[at])}`) : 'No such rule'
  if (!left || !right) return of([whole(left, 0), whole(right, 1)])
  const lines = fieldsOf(left, right).map((field) => fieldWords(rule, field, left, right, names))
  const switches = both(sides, (side, at) => side.switches.get(pair[at]!.id))
  if (switches[0] !== undefined && switches[1] !== undefined && switches[0] !== switches[1])
    lines.push(both(sides, (_, at) => running(switches[at]!)))
  if (!isSame(...lists)) lines.push(both(sides, (_, at) => `Individual visitors: ${alwaysWords(lists[at])}`))
  if (lines.length === 0) return undefined
  return of([lines.map((line) => line[0]).join('. '), lines.map((line) => line[1]).join('. ')])
}

/** "Share: 25 %" for both sides. */
function fieldWords(
  rule: RuleDefinition,
  field: string,
  left: RuleDefinition,
  right: RuleDefinition,
  names: ChangeNames,
): [string, string] {
  const read = (from: RuleDefinition) => (from as Record<string, unknown>)[field]
  const change = { path: `rules.${rule.id}.${field}`, from: read(left), to: read(right) }
  const { subject, from = '', to = '' } = changeWords(change, { ...names, rules: new Map([[rule.id, rule.name]]) })
  const label = capital(subject.slice(`Rule ${rule.name}: `.length))
  return [`${label}: ${from}`, `${label}: ${to}`]
}

const listOf = ({ overrides }: Draft, ruleId: string | undefined): Allowlist =>
  overrides.ruleAllowlists.find((list) => list.ruleId === ruleId)?.entries ?? []

const alwaysIn = (list: Allowlist): string => (list.length === 0 ? '' : `. Individual visitors: ${alwaysWords(list)}`)

const idsMax = 3

/** "u-1 and u-2 get on, 14 visitors get off". */
function alwaysWords(list: Allowlist): string {
  const said = list
    .filter(({ userIds }) => userIds.length > 0)
    .map(({ variationKey, userIds }) => {
      const who =
        userIds.length <= idsMax
          ? userIds.join(', ')
          : `${userIds.slice(0, idsMax).join(', ')} and ${counted(userIds.length - idsMax, 'other')}`
      return `${who} ${userIds.length === 1 ? 'gets' : 'get'} ${variationKey}`
    })
  return said.length === 0 ? 'none' : said.join('; ')
}

/** The draft of the other side after the difference is copied from this one. */
export function copied(difference: Difference, from: SideOf, sides: readonly [Draft, Draft]): Draft {
  const [source, target] = [sides[from], sides[other(from)]]
  if (difference.what === 'default') return { ...target, defaultVariationKey: source.defaultVariationKey }
  if (difference.what === 'order') return { ...target, rules: inOrderOf(target.rules, orderOf(source, target)) }
  if (difference.what === 'overrides') {
    const { environmentAllowlist } = source.overrides
    return { ...target, overrides: { ...target.overrides, environmentAllowlist } }
  }
  return difference.pair?.[from] ? withRule(difference.pair[from], source, target) : target
}

/** The target with every rule of the source, in its order. Rules that only the target has stay at their places. */
export function withAllRules(source: Draft, target: Draft): Draft {
  const whole = source.rules.reduce((draft, rule) => withRule(rule, source, draft), target)
  return { ...whole, rules: inOrderOf(whole.rules, orderOf(source, whole)) }
}

/** The rules of the source, each with the id that it has in the target. */
const orderOf = (source: Draft, target: Draft): { id: string }[] =>
  pairsOf(source.rules, target.rules).flatMap(([mine, theirs]) => (mine && theirs ? [{ id: theirs.id }] : []))

function withRule(rule: RuleDefinition, source: Draft, target: Draft): Draft {
  const pairs = pairsOf(source.rules, target.rules)
  const at = pairs.findIndex(([mine]) => mine === rule)
  const old = pairs[at]?.[1]
  // An existing rule keeps its draw, so that no visitor moves. A new rule copies it: both draw the same visitors.
  const next: RuleDefinition = old ? { ...rule, id: old.id, shortId: old.shortId, salt: old.salt } : rule
  const rules = old ? target.rules.map((each) => (each === old ? next : each)) : [...target.rules]
  if (!old) {
    const before = pairs.slice(0, at).findLast(([mine, theirs]) => mine && theirs)?.[1]
    rules.splice(before ? rules.indexOf(before) + 1 : 0, 0, next)
  }
  const entries = listOf(source, rule.id)
  const others = target.overrides.ruleAllowlists.filter(({ ruleId }) => ruleId !== next.id)
  const ruleAllowlists = entries.length > 0 ? [...others, { ruleId: next.id, entries }] : others
  return { ...target, rules, overrides: { ...target.overrides, ruleAllowlists } }
}

export const other = (side: SideOf): SideOf => (side === 0 ? 1 : 0)
