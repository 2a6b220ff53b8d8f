import type { Evaluation } from './answer.ts'
import { answer } from './answer.ts'
import { compileUnit } from './attribute.ts'
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
) => Evaluation | 'UNIT_MISSING' | undefined

type Unit = (context: unknown, user: string | undefined) => string | undefined
type Draw = (unit: string) => boolean
type Choice = (unit: string) => Evaluation

const hashVersion = 1

/**
 * Compiles a rule. It checks overrides first, then conditions, bucketing unit, exclusion group and traffic.
 *
 * @throws TypeError if the rule is malformed
 */
export function compileRule(given: Rule, flag: Flag, file: DataFile, conditions: Conditions): CompiledRule {
  const rule = wholeRule(given)
  const { id, overrides } = rule
  ensure(typeof id === 'string')
  const choose = compileChoice(rule, flag)
  const readUnit = compileRuleUnit(rule)
  const enters = compileEntry(rule, file)
  const applies = conditions.compile(rule.when)
  if (rule.hashVersion !== hashVersion) return (_context, _now, _user, name) => overridden(name)
  return (context, now, user, name) => {
    const override = overrides && overridden(name)
    if (override || (applies !== always && !applies(context, now))) return override
    const unit = readUnit ? readUnit(context, user) : user
    if (unit === undefined) return 'UNIT_MISSING'
    return enters && !enters(unit) ? undefined : choose(unit)
  }

  function overridden(name: string | undefined): Evaluation | undefined {
    const variationKey = name && own(overrides, name)
    return isMissing(variationKey) ? undefined : answer(flag, variationKey, 'OVERRIDE', id)
  }
}

// Make the answers once, not in each evaluation.
function compileChoice(rule: WholeRule, flag: Flag): Choice {
  if (rule.type === 'TARGETED_DELIVERY') {
    const delivered = answer(flag, rule.variation, 'TARGETING_MATCH', rule.id)
    return () => delivered
  }
  ensure(rule.type === 'AB_TEST')
  const shares = rule.split.map(({ variation, end }) => ({ end, given: answer(flag, variation, 'SPLIT', rule.id) }))
  const last = shares.pop()
  ensure(last?.end === bucketCount)
  const draw = compileBucket(`${rule.salt}.split`)
  return (unit) => {
    const drawn = draw(unit)
    for (const { end, given } of shares) if (drawn < end) return given
    return last.given
  }
}

/** Undefined if the unit is the targeting key. */
function compileRuleUnit(rule: WholeRule): Unit | undefined {
  ensure(rule.bucketBy.length)
  const attributes = rule.bucketBy.map((name) => compileUnit(name))
  // If all matching visitors get the same variation, no bucket is drawn and no unit is needed.
  const variations = rule.type === 'AB_TEST' ? rule.split.length : 1
  if (rule.traffic === bucketCount && variations === 1 && !rule.group) return () => ''
  if (attributes.length === 1 && rule.bucketBy[0] === 'targetingKey') return undefined
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

function compileTraffic(salt: string, traffic: number): Draw {
  const draw = compileBucket(salt)
  return (unit) => draw(unit) < traffic
}
