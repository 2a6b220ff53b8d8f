import type { Evaluation, Reason, TypedEvaluation } from './answer.ts'
import { answer, malformed, mismatched, notFound } from './answer.ts'
import type { Clock } from './attribute.ts'
import { userOf } from './attribute.ts'
import type { Conditions } from './conditions/conditions.ts'
import { conditionsOf } from './conditions/conditions.ts'
import type { DataFile, Flag, FlagType } from './datafile.ts'
import { rare } from './rare.ts'
import { ensure } from './record.ts'
import type { Keep } from './rule.ts'
import { compileRule, overridden } from './rule.ts'

/** What is known about a visitor: an id and any attributes that conditions ask for. */
export type EvaluationContext = {
  /** The id of the visitor, which overrides name. It is the bucketing unit of rules without `bucketBy`. */
  targetingKey?: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: an interface of a user's own fits an index of `any`, and no other
  [attribute: string]: any
}

/** A data file that is ready for evaluation. */
export type Evaluator = {
  /** Keys of the flags that `evaluate` was called for so far. */
  evaluatedKeys: () => string[]
  /**
   * Evaluates one flag. Never throws. `now` is in epoch milliseconds, by default the time of the clock. With `type`, a
   * flag of a different type gives TYPE_MISMATCH.
   */
  evaluate: {
    (flagKey: string, context: EvaluationContext, now?: number): Evaluation
    (flagKey: string, context: EvaluationContext, now: number | undefined, type: FlagType): TypedEvaluation
  }
  /**
   * Evaluates all flags, by flag key. Faster than evaluating one by one, because tests that flags have in common run
   * once. Does not mark flags as evaluated, because the caller may use only some of them.
   */
  evaluateAll: (context: EvaluationContext, now?: number) => Map<string, Evaluation>
}

/**
 * Makes a data file ready for evaluation. Each flag is compiled when it is first evaluated, so that a new revision
 * only costs time for the flags in use.
 *
 * @param clock the time of evaluations without `now`; the system clock by default
 * @param keep keeps the variations of sticky rules; by default, `sticky` has no effect
 * @example compile(file).evaluate('one-page-checkout', { targetingKey: 'u-17' }).value // true
 */
export function compile(file: DataFile, clock: Clock = Date.now, keep?: Keep): Evaluator {
  const conditions = conditionsOf(file, clock)
  const known = new Map<string, KnownFlag>()
  let isWhole = false
  const look = (flagKey: string): KnownFlag => {
    if (!Object.hasOwn(file.flags, flagKey)) return unknownFlag
    const flag = file.flags[flagKey] as Flag
    const found = { decide: compileFlag(flag, file, conditions, keep), type: flag?.type, isAsked: false }
    known.set(flagKey, found)
    return found
  }
  return {
    evaluatedKeys: () => [...known.keys()].filter((flagKey) => known.get(flagKey)?.isAsked),
    evaluate: ((flagKey: string, context: EvaluationContext, now?: number, type?: FlagType) => {
      try {
        const flag = known.get(flagKey) ?? look(flagKey)
        const { decide } = flag
        flag.isAsked = true
        const found = typeof decide === 'function' ? decide(context, now, userOf(context)) : decide
        return type && type !== flag.type && !found.errorCode ? mismatched : found
      } catch {
        return malformed
      }
    }) as Evaluator['evaluate'],
    evaluateAll: (context, now = clock()) => {
      if (!isWhole) for (const flagKey of Object.keys(file.flags)) known.has(flagKey) || look(flagKey)
      isWhole = true
      return conditions.during(context, () => {
        const answers = new Map<string, Evaluation>()
        const ask = askerOf(context, now)
        for (const [flagKey, { decide }] of known) answers.set(flagKey, ask(decide))
        return answers
      })
    },
  }
}

/** One answer for all visitors, or a function that finds the answer. `user` is the targeting key. */
type CompiledFlag =
  | Evaluation
  | ((context: EvaluationContext, now: number | undefined, user: string | undefined) => Evaluation)

/** The type is beside the answer, so that an evaluation needs one look-up. `isAsked`: `evaluate` was called for it. */
type KnownFlag = { decide: CompiledFlag; type: FlagType | undefined; isAsked: boolean }

const unknownFlag: KnownFlag = { decide: notFound, type: undefined, isAsked: false }

/** Evaluates compiled flags for one visitor, whose targeting key is read once. */
function askerOf(context: EvaluationContext, now: number): (flag: CompiledFlag) => Evaluation {
  let user: string | undefined
  let isRead = false
  return (flag) => {
    if (typeof flag !== 'function') return flag
    try {
      if (!isRead) user = userOf(context)
      isRead = true
      return flag(context, now, user)
    } catch {
      return malformed
    }
  }
}

function compileFlag(flag: Flag, file: DataFile, conditions: Conditions, keep?: Keep): CompiledFlag {
  try {
    return compileParts(flag, file, conditions, keep)
  } catch {
    return malformed
  }
}

function compileParts(flag: Flag, file: DataFile, conditions: Conditions, keep?: Keep): CompiledFlag {
  ensure(typeof flag.enabled === 'boolean')
  const byDefault = (reason: Reason) => answer(flag, flag.defaultVariation, reason)
  const everybody = byDefault(flag.enabled ? 'DEFAULT' : 'DISABLED')
  if (!flag.enabled) return everybody
  const { overrides, rules: given = [] } = flag
  const salt = nameSalt(flag)
  const rules = given.map((rule) => compileRule(rule, flag, file, conditions, keep))
  if (!overrides && rules.length === 0) return everybody
  const unmatched = { UNIT_MISSING: byDefault('UNIT_MISSING'), HOLDOUT: byDefault('HOLDOUT') }
  return (context, now, user) => {
    const name = user === undefined || salt === undefined ? user : rare!.hashId(salt, user)
    const override = overrides && overridden(flag, overrides, name)
    if (override) return override
    let fallback = everybody
    for (const evaluate of rules) {
      const outcome = evaluate(context, now, user, name)
      if (typeof outcome === 'string') fallback = unmatched[outcome]
      else if (outcome) return outcome
    }
    return fallback
  }
}

/** The salt with which overrides hash targeting keys; undefined if they name them in clear or there are none. */
function nameSalt({ overrides, overrideSalt, rules = [] }: Flag): string | undefined {
  if (overrideSalt === undefined || !(overrides || rules.some((rule) => rule.overrides))) return undefined
  ensure(typeof overrideSalt === 'string')
  return overrideSalt
}
