import { compileAttribute, unitOf } from './attribute.ts'
import { bucket, bucketCount } from './bucket.ts'
import type { Predicate } from './conditions.ts'
import { compileCondition } from './conditions.ts'
import type { DataFile, Rule } from './datafile.ts'
import { ensure, own } from './record.ts'

/** What a rule makes of a visitor: a variation; undefined where it does not match. */
export type Outcome =
  | { variationKey: string; reason: 'OVERRIDE' | 'TARGETING_MATCH' | 'SPLIT' }
  | 'UNIT_MISSING'
  | undefined

/** A compiled rule. `user` is the targeting key, undefined when the context has none. */
export type CompiledRule = (context: unknown, now: number, user: string | undefined) => Outcome

const hashVersion = 1

/**
 * Compiles a rule: its overrides, then audience and conditions, then unit, exclusion group slot and traffic.
 *
 * @throws TypeError when the rule is malformed
 */
export function compileRule(rule: Rule, file: DataFile, audiences: Map<string, Predicate>): CompiledRule {
  ensure(typeof rule.id === 'string')
  const choose = compileChoice(rule)
  const readUnit = compileUnit(rule)
  const enters = compileEntry(rule, file)
  const applies = compileCondition(rule.when, file.audiences, audiences)
  const reason = rule.type === 'AB_TEST' ? 'SPLIT' : 'TARGETING_MATCH'
  return (context, now, user) => {
    const override = user && own(rule.overrides, user)
    if (override) return { variationKey: override, reason: 'OVERRIDE' }
    if (rule.hashVersion !== hashVersion || !applies(context, now)) return undefined
    const unit = readUnit(context)
    if (unit === undefined) return 'UNIT_MISSING'
    return enters(unit) ? { variationKey: choose(unit), reason } : undefined
  }
}

function compileChoice(rule: Rule): (unit: string) => string {
  if (rule.type === 'TARGETED_DELIVERY') return () => rule.variation
  ensure(rule.type === 'AB_TEST' && rule.split.at(-1)?.end === bucketCount)
  const salt = `${rule.salt}.split`
  return (unit) => {
    const drawn = bucket(salt, unit)
    return rule.split.find(({ end }) => drawn < end)?.variation as string
  }
}

function compileUnit(rule: Rule): (context: unknown) => string | undefined {
  ensure(rule.bucketBy.length)
  const attributes = rule.bucketBy.map((name) => compileAttribute(name))
  // Where everybody gets the same, nothing is drawn and nobody needs a unit.
  const variations = rule.type === 'AB_TEST' ? rule.split.length : 1
  if (rule.traffic === bucketCount && variations === 1 && !rule.group) return () => ''
  return (context) => {
    const parts = attributes.map((read) => unitOf(read(context)))
    return parts.includes(undefined) ? undefined : parts.join('.')
  }
}

function compileEntry({ id, salt, traffic, group }: Rule, file: DataFile): (unit: string) => boolean {
  ensure(typeof salt === 'string' && Number.isInteger(traffic))
  const trafficSalt = `${salt}.traffic`
  const exclusion = group ? own(file.exclusionGroups, group) : undefined
  const slots = exclusion?.slots.filter(({ ruleId }) => ruleId === id) ?? []
  return (unit) => {
    if (group) {
      const place = exclusion ? bucket(exclusion.salt, unit) : -1
      if (!slots.some(({ from, to }) => from <= place && place < to)) return false
    }
    return traffic >= bucketCount || bucket(trafficSalt, unit) < traffic
  }
}
