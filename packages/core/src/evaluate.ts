import { compileAttribute, unitOf } from './attribute.ts'
import type { Predicate } from './conditions.ts'
import type { DataFile, Flag } from './datafile.ts'
import { ensure, own } from './record.ts'
import { compileRule } from './rule.ts'

/** What is known about a visitor. `targetingKey` is the user id that overrides name and that rules bucket by. */
export type EvaluationContext = { targetingKey?: string; [attribute: string]: unknown }

/**
 * Why a visitor got a value: DISABLED flag paused · OVERRIDE on an allowlist · TARGETING_MATCH a delivery rule ·
 * SPLIT an A/B test · DEFAULT no rule matched · UNIT_MISSING likewise, and a rule was passed over because the context
 * lacks what it buckets by · ERROR see `errorCode`.
 */
export type Reason = 'DISABLED' | 'OVERRIDE' | 'TARGETING_MATCH' | 'SPLIT' | 'DEFAULT' | 'UNIT_MISSING' | 'ERROR'

/** FLAG_NOT_FOUND: not in the data file. PARSE_ERROR: the flag, or an audience that it uses, is malformed. */
export type ErrorCode = 'FLAG_NOT_FOUND' | 'PARSE_ERROR'

/** The answer for one flag and one context. With reason ERROR the value is undefined: serve the code's default. */
export type Evaluation = {
  /** Booleans for BOOLEAN flags, strings for STRING flags. */
  value: boolean | string | undefined
  variationKey: string | null
  /** The rule that decided; null where none did. */
  ruleId: string | null
  reason: Reason
  errorCode?: ErrorCode
}

/** A data file ready to be asked. */
export type Evaluator = {
  revision: number
  flagKeys: string[]
  /** Never throws and has no effects. `now` in epoch milliseconds, by default the system's clock. */
  evaluate: (flagKey: string, context: EvaluationContext, now?: number) => Evaluation
}

/**
 * Makes a data file ready to be asked. Each flag is compiled when it is first evaluated, so that the cost of a new
 * revision is that of the flags in use.
 *
 * @example compile(file).evaluate('one-page-checkout', { targetingKey: 'u-17' }).value // true
 */
export function compile(file: DataFile): Evaluator {
  const flags = new Map<string, CompiledFlag>()
  const audiences = new Map<string, Predicate>()
  const find = (flagKey: string) => {
    const flag = flags.get(flagKey) ?? compileFlag(file.flags[flagKey] as Flag, file, audiences)
    flags.set(flagKey, flag)
    return flag
  }
  return {
    revision: file.revision,
    flagKeys: Object.keys(file.flags),
    evaluate: (flagKey, context, now = Date.now()) => {
      try {
        return Object.hasOwn(file.flags, flagKey) ? find(flagKey)(context, now) : failure('FLAG_NOT_FOUND')
      } catch {
        return failure('PARSE_ERROR')
      }
    },
  }
}

type CompiledFlag = (context: EvaluationContext, now: number) => Evaluation

const readUser = compileAttribute('targetingKey')

function compileFlag(flag: Flag, file: DataFile, audiences: Map<string, Predicate>): CompiledFlag {
  try {
    return compileParts(flag, file, audiences)
  } catch {
    // An audience that failed half-way must not be taken for a whole one by the next flag.
    audiences.clear()
    return () => failure('PARSE_ERROR')
  }
}

function compileParts(flag: Flag, file: DataFile, audiences: Map<string, Predicate>): CompiledFlag {
  ensure(typeof flag.enabled === 'boolean')
  const serve = (variationKey: string, reason: Reason, ruleId: string | null = null): Evaluation => ({
    value: readValue(flag, variationKey),
    variationKey,
    ruleId,
    reason,
  })
  if (!flag.enabled) return () => serve(flag.defaultVariation, 'DISABLED')
  const rules = flag.rules.map((rule) => ({ id: rule.id, evaluate: compileRule(rule, file, audiences) }))
  return (context, now) => {
    const user = unitOf(readUser(context))
    const override = user && own(flag.overrides, user)
    if (override) return serve(override, 'OVERRIDE')
    let fallback: Reason = 'DEFAULT'
    for (const rule of rules) {
      const outcome = rule.evaluate(context, now, user)
      if (outcome === 'UNIT_MISSING') fallback = outcome
      else if (outcome) return serve(outcome.variationKey, outcome.reason, rule.id)
    }
    return serve(flag.defaultVariation, fallback)
  }
}

function readValue({ type, variations }: Flag, variationKey: string): boolean | string {
  const value = own(variations, variationKey)
  ensure(typeof variationKey === 'string' && typeof value === 'string')
  if (type === 'STRING') return value
  ensure(type === 'BOOLEAN' && (value === 'true' || value === 'false'))
  return value === 'true'
}

function failure(errorCode: ErrorCode): Evaluation {
  return { value: undefined, variationKey: null, ruleId: null, reason: 'ERROR', errorCode }
}
