import type { ErrorCode as CoreErrorCode, EvaluationContext, Evaluator, Reason } from '@svc/core'

/**
 * Why the code's default was served. NOT_READY: no data file yet. FLAG_NOT_FOUND: not in the data file.
 * TYPE_MISMATCH: the flag holds values of the other type. PARSE_ERROR: the flag is malformed or the context unreadable.
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

/** Evaluates, and falls back to `defaultValue` wherever there is no value of that type. Never throws. */
export function evaluate<Value>(
  evaluator: Evaluator | undefined,
  flagKey: string,
  defaultValue: Value,
  type: string,
  context?: EvaluationContext,
): Details<Value> {
  const found = evaluator?.evaluate(flagKey, context ?? {})
  // The answer itself, not a copy: it is frozen.
  if (typeof found?.value === type) return found as Details<Value>
  const errorCode = found ? (found.errorCode ?? 'TYPE_MISMATCH') : 'NOT_READY'
  return { value: defaultValue, variationKey: null, ruleId: null, reason: 'ERROR', errorCode }
}
