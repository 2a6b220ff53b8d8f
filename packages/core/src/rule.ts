import type { Evaluation, Reason } from './answer.ts'
import { answer } from './answer.ts'
import { compileUnit, userOf } from './attribute.ts'
import { bucketCount, compileBucket } from './bucket.ts'
import type { Conditions } from './conditions.ts'
import { always } from './conditions.ts'
import type { DataFile, Flag, Rule, WholeRule } from './datafile.ts'
import { wholeRule } from './datafile.ts'
import { ensure, isMissing, own } from './record.ts'

/**
 * A compiled rule: returns the answer for a visitor, or undefined if the rule does not match.
 * `user` is the targeting key, `name` the form of it that overrides use. Without a targeting key, both are undefined.
 */
export type CompiledRule = (
  context: unknown,
  now: number | undefined,
  user: string | undefined,
  name: string | undefined,
) => Evaluation | 'UNIT_MISSING' | 'HOLDOUT' | undefined

type Unit = (context: unknown) => string | undefined
type Draw = (unit: string) => boolean
type Choice = (unit: string) => Evaluation

/** Keeps the variations of units in sticky rules. Must not throw. */
export type Keep = {
  get: (ruleId: string, unit: string) => unknown
  set: (ruleId: string, unit: string, variationKey: string) => unknown
}

const hashVersion = 1

// How to read the unit of a measured answer, for rules that do not draw by the targeting key.
const readers = new WeakMap<object, Unit>()

/** The unit that an exposure of this answer names: the bucketing unit of the rule; undefined if there is none. */
export const unitOfAnswer = (found: object, context: unknown): string | undefined =>
  (readers.get(found) ?? userOf)(context)

/**
 * Compiles a rule. It checks overrides first, then conditions, bucketing unit, holdout, exclusion group and
 * traffic.
 *
 * @throws TypeError if the rule is malformed
 */
export function compileRule(
  given: Rule,
  flag: Flag,
  file: DataFile,
  conditions: Conditions,
  keep?: Keep,
): CompiledRule {
  const rule = wholeRule(given)
  const { id, overrides } = rule
  ensure(typeof id === 'string')
  // A test always measures; a delivery only if it is told to.
  const measures = rule.type === 'AB_TEST' || !!rule.exposures
  const unitOf = compileRuleUnit(rule)
  const readUnit = drawsNothing(rule) ? () => '' : unitOf
  const choose = compileChoice(
    rule,
    (variation, reason) => {
      const given = answer(flag, variation, reason, id, measures)
      if (measures && unitOf) readers.set(given, unitOf)
      return given
    },
    keep,
  )
  const enters = compileEntry(rule, file)
  const isHeldOut = rule.holdout ? compileHoldout(rule.holdout, file) : undefined
  const applies = conditions.compile(rule.when)
  if (rule.hashVersion !== hashVersion) return (_context, _now, _user, name) => overridden(name)
  return (context, now, user, name) => {
    const override = overrides && overridden(name)
    if (override || (applies !== always && !applies(context, now))) return override
    const unit = readUnit ? readUnit(context) : user
    if (unit === undefined) return 'UNIT_MISSING'
    if (isHeldOut?.(unit)) return 'HOLDOUT'
    return enters && !enters(unit) ? undefined : choose(unit)
  }

  function overridden(name: string | undefined): Evaluation | undefined {
    const variationKey = name && own(overrides, name)
    return isMissing(variationKey) ? undefined : answer(flag, variationKey, 'OVERRIDE', id, measures)
  }
}

// Make the answers once, not in each evaluation.
function compileChoice(rule: WholeRule, give: (variation: string, reason: Reason) => Evaluation, keep?: Keep): Choice {
  if (rule.type === 'TARGETED_DELIVERY') {
    const delivered = give(rule.variation, 'TARGETING_MATCH')
    return () => delivered
  }
  ensure(rule.type === 'AB_TEST')
  const shares = rule.split.map(({ variation, end }) => ({
    end,
    given: give(variation, 'SPLIT'),
  }))
  const all = [...shares]
  const last = shares.pop()
  ensure(last?.end === bucketCount)
  const draw = compileBucket(`${rule.salt}.split`)
  const choose: Choice = (unit) => {
    const drawn = draw(unit)
    for (const { end, given } of shares) if (drawn < end) return given
    return last.given
  }
  if (!rule.sticky || !keep || shares.length === 0) return choose
  return (unit) => {
    const kept = keep.get(rule.id, unit)
    const found = all.find(({ given }) => given.variationKey === kept)
    if (found) return found.given
    const given = choose(unit)
    keep.set(rule.id, unit, given.variationKey as string)
    return given
  }
}

/** If all matching visitors get the same variation, no bucket is drawn and no unit is needed. */
function drawsNothing(rule: WholeRule): boolean {
  const variations = rule.type === 'AB_TEST' ? rule.split.length : 1
  return rule.traffic === bucketCount && variations === 1 && !rule.group && !rule.holdout
}

/** Undefined if the unit is the targeting key. */
function compileRuleUnit({ bucketBy }: WholeRule): Unit | undefined {
  ensure(bucketBy.length)
  const attributes = bucketBy.map((name) => compileUnit(name))
  if (attributes.length === 1 && bucketBy[0] === 'targetingKey') return undefined
  return (context) => {
    const parts = attributes.map((unitOf) => unitOf(context))
    return parts.includes(undefined) ? undefined : parts.join('.')
  }
}

/** Undefined if every visitor enters. */
function compileEntry({ id, salt, traffic, group }: WholeRule, file: DataFile): Draw | undefined {
  ensure(typeof salt === 'string' && Number.isInteger(traffic))
  const admits = traffic < bucketCount ? compileTraffic(`${salt}.traffic`, traffic) : undefined
  if (!group) return admits
  const exclusion = own(file.exclusionGroups, group)
  if (isMissing(exclusion)) return () => false
  const place = compileBucket(exclusion.salt)
  const slots = exclusion.slots.filter(({ ruleId }) => ruleId === id)
  return (unit) => {
    const drawn = place(unit)
    return slots.some(({ from, to }) => from <= drawn && drawn < to) && (!admits || admits(unit))
  }
}

/** A holdout that is not in the file keeps everybody out. */
function compileHoldout(key: string, file: DataFile): Draw {
  const holdout = own(file.holdouts, key)
  return isMissing(holdout) ? () => true : compileTraffic(holdout.salt, holdout.share)
}

function compileTraffic(salt: string, traffic: number): Draw {
  const draw = compileBucket(salt)
  return (unit) => draw(unit) < traffic
}
