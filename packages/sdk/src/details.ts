import type { ErrorCode as CoreErrorCode, EvaluationContext, Evaluator, FlagType, Reason } from '@svc/core'

/**
 * Why the code's default was served. NOT_READY: no data file yet. FLAG_NOT_FOUND: not in the data file.
 * TYPE_MISMATCH: the flag is of another type. PARSE_ERROR: the flag is malformed or the context unreadable.
 */
export type ErrorCode = CoreErrorCode | 'NOT_READY' | 'TYPE_MISMATCH'

/**
 * A value and why it was served. With reason ERROR the value is the default that the code gave. It may be frozen, and
 * the same object for all who get the same.
 */
export interface Details<Value> {
  readonly value: Value
  readonly variationKey: string | null
  /** The rule that decided; null where none did. */
  readonly ruleId: string | null
  readonly reason: Reason
  readonly errorCode?: ErrorCode
}

/** The type of the flags that can take the place of this default. */
export const typeOf = (defaultValue: unknown): FlagType =>
  (typeof defaultValue === 'object' ? 'JSON' : (typeof defaultValue).toUpperCase()) as FlagType

/** Evaluates, and falls back to `defaultValue` where there is no value, or the flag is of another type. Never throws. */
export function evaluate<Value>(
  evaluator: Evaluator | undefined,
  flagKey: string,
  defaultValue: Value,
  type: FlagType,
  context?: EvaluationContext,
): Details<Value> {
  const found = evaluator?.evaluate(flagKey, context ?? {})
  // The answer itself, not a copy: it is frozen.
  if (found && !found.errorCode && evaluator?.typeOf(flagKey) === type)
    return found as Details<unknown> as Details<Value>
  const errorCode = found ? (found.errorCode ?? 'TYPE_MISMATCH') : 'NOT_READY'
  return { value: defaultValue, variationKey: null, ruleId: null, reason: 'ERROR', errorCode }
}
