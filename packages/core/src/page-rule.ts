import type { Evaluation } from './answer.ts'
import { answer } from './answer.ts'
import { compileUnit } from './attribute.ts'
import { bucketCount, compileBucket } from './bucketing/bucket.ts'
import type { Condition, Predicate } from './conditions/conditions.ts'
import type { DataFile, Flag, Rule } from './datafile.ts'
import { wholeRule } from './datafile.ts'
import { rare } from './rare.ts'
import { ensure, isMissing, own } from './record.ts'
import type { Keep } from './rule.ts'
import { noteUnit } from './unit-of-answer.ts'

const hashVersion = 1

/** As in `rule.ts`, in fewer bytes: it draws also where all visitors get the same. An empty text: not in the rule. */
export function compileRule(
  given: Rule,
  flag: Flag,
  file: DataFile,
  compileCondition: (condition: Condition) => Predicate,
  keep?: Keep,
) {
  const rule = wholeRule(given)
  const { id, overrides, salt, traffic, bucketBy } = rule
  const isTest = rule.type === 'AB_TEST'
  ensure(typeof id === 'string' && typeof salt === 'string' && Number.isInteger(traffic) && bucketBy.length)
  ensure(isTest || rule.type === 'TARGETED_DELIVERY')
  const measures = isTest || !!rule.exposures
  const attributes = bucketBy.map(compileUnit)
  const unitOf = (context: unknown) => {
    const parts = attributes.map((read) => read(context))
    return parts.includes(undefined) ? undefined : parts.join('.')
  }
  const split = isTest ? rule.split : [{ variation: rule.variation, end: bucketCount }]
  const shares = split.map(({ variation, end }) => {
    const answered = answer(flag, variation, isTest ? 'SPLIT' : 'TARGETING_MATCH', id, measures)
    if (measures) noteUnit(answered, unitOf)
    return { end, answered }
  })
  ensure(shares.at(-1)?.end === bucketCount)
  const matches = compileCondition(rule.when)
  const drawSplit = compileBucket(`${salt}.split`)
  const drawTraffic = compileBucket(`${salt}.traffic`)
  // Without the second file, this throws: the rule cannot be read.
  const limit = rule.group || rule.holdout ? rare!.limitOf(rule, file, compileBucket) : undefined
  const choose = (unit: string) => {
    const drawn = drawSplit(unit)
    return shares.find(({ end }) => drawn < end)?.answered
  }
  const sticky = rule.sticky && keep && shares[1] ? keep : undefined
  return (
    context: unknown,
    now: number | undefined,
    name: string | undefined,
  ): Evaluation | 'UNIT_MISSING' | 'HOLDOUT' | '' | undefined => {
    const override = overrides && overridden(flag, overrides, name, id, measures)
    if (override || rule.hashVersion !== hashVersion || !matches(context, now)) return override
    const unit = shares[1] || traffic !== bucketCount || limit ? unitOf(context) : ''
    if (unit === undefined) return 'UNIT_MISSING'
    const limited = limit?.(unit) ?? (drawTraffic(unit) < traffic ? undefined : '')
    if (limited !== undefined) return limited
    const kept = sticky?.get(id, unit)
    const found = kept ? shares.find(({ answered }) => answered.variationKey === kept)?.answered : undefined
    if (found) return found
    const chosen = choose(unit)
    sticky?.set(id, unit, chosen?.variationKey as string)
    return chosen
  }
}

/** As in `rule.ts`. */
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
