import type { Evaluation } from './answer.ts'
import { answer } from './answer.ts'
import { compileUnit } from './attribute.ts'
import { bucketCount, compileBucket } from './bucketing/bucket.ts'
import { never } from './conditions/compared.ts'
import type { Conditions } from './conditions/conditions.ts'
import { always } from './conditions/conditions.ts'
import type { DataFile, Flag, Rule, WholeRule } from './datafile.ts'
import { wholeRule } from './datafile.ts'
import { limitOf } from './limit.ts'
import { ensure, isMissing, own } from './record.ts'
import { noteUnit } from './unit-of-answer.ts'

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
type Choice = (unit: string) => Evaluation | undefined

/** Keeps the variations of units in sticky rules. Must not throw. */
export type Keep = {
  get: (ruleId: string, unit: string) => unknown
  set: (ruleId: string, unit: string, variationKey: string) => unknown
}

const hashVersion = 1

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
  const { id, overrides, salt, traffic } = rule
  const isTest = rule.type === 'AB_TEST'
  ensure(typeof id === 'string' && typeof salt === 'string' && Number.isInteger(traffic))
  ensure(isTest || rule.type === 'TARGETED_DELIVERY')
  // A test always measures; a delivery measures only if `exposures` is set.
  const measures = isTest || !!rule.exposures
  const unitOf = compileRuleUnit(rule)
  const split = isTest ? rule.split : [{ variation: rule.variation, end: bucketCount }]
  const shares = split.map(({ variation, end }) => {
    const given = answer(flag, variation, isTest ? 'SPLIT' : 'TARGETING_MATCH', id, measures)
    if (measures && unitOf) noteUnit(given, unitOf)
    return { end, given }
  })
  ensure(shares.at(-1)?.end === bucketCount)
  const choose = compileChoice(rule, shares, keep)
  const draw = traffic !== bucketCount ? compileBucket(`${salt}.traffic`) : undefined
  const limit = limitOf(rule, file, compileBucket)
  const matches = conditions.compile(rule.when)
  const applies = rule.hashVersion === hashVersion ? matches : never
  // If all matching visitors get the same variation, no bucket is drawn and no unit is needed.
  const drawsNothing = shares.length === 1 && !draw && !limit
  const readUnit = drawsNothing ? () => '' : unitOf
  return (context, now, user, name) => {
    const override = overrides && overridden(flag, overrides, name, id, measures)
    if (override || (applies !== always && !applies(context, now))) return override
    const unit = readUnit ? readUnit(context) : user
    if (unit === undefined) return 'UNIT_MISSING'
    const limited = limit?.(unit)
    if (limited !== undefined) return limited || undefined
    return draw && draw(unit) >= traffic ? undefined : choose(unit)
  }
}

/** The answer for a visitor who is on an allowlist; undefined for others. */
export function overridden(
  flag: Flag,
  overrides: Record<string, string>,
  name: string | undefined,
  ruleId: string | null = null,
  measures = false,
): Evaluation | undefined {
  const variationKey = name && own(overrides, name)
  return isMissing(variationKey) ? undefined : answer(flag, variationKey, 'OVERRIDE', ruleId, measures)
}

// Make the answers once, not in each evaluation.
function compileChoice(
  { id, salt, sticky }: WholeRule,
  shares: { end: number; given: Evaluation }[],
  keep?: Keep,
): Choice {
  const [only] = shares
  if (only && shares.length === 1) return () => only.given
  const draw = compileBucket(`${salt}.split`)
  const choose: Choice = (unit) => {
    const drawn = draw(unit)
    for (const { end, given } of shares) if (drawn < end) return given
  }
  if (!sticky || !keep) return choose
  return (unit) => {
    const kept = keep.get(id, unit)
    const given = shares.find((share) => share.given.variationKey === kept)?.given
    if (given) return given
    const drawn = choose(unit)
    keep.set(id, unit, drawn?.variationKey as string)
    return drawn
  }
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
