import type { ErrorCode as CoreErrorCode, EvaluationContext, Evaluator, FlagType, Reason } from '@svc/core'
import { notReady } from '@svc/core'

/**
 * Why the default was returned.
 * - NOT_READY: there is no data file yet.
 * - FLAG_NOT_FOUND: the data file does not have the flag.
 * - TYPE_MISMATCH: the flag has a different type than the default.
 * - PARSE_ERROR: the flag is malformed or the context cannot be read.
 */
export type ErrorCode = CoreErrorCode | 'NOT_READY' | 'TYPE_MISMATCH'

/**
 * A value and why it was returned. With reason ERROR, the value is the default. The object may be frozen and shared by
 * equal answers.
 */
export interface Details<Value> {
  /** The value of the variation, or the default of the call. */
  readonly value: Value
  /** The key of the variation; null if the default of the call was returned. */
  readonly variationKey: string | null
  /** The rule that decided; null if no rule did. */
  readonly ruleId: string | null
  /** Which step of the evaluation decided. */
  readonly reason: Reason
  /** Present if a rule that counts its visitors decided. `get…` then sends an exposure, `peek…` does not. */
  readonly measured?: true
  /** Present if the reason is ERROR. */
  readonly errorCode?: ErrorCode
}

// A table, because making the name anew for each evaluation takes longer than the evaluation.
const types: Record<string, FlagType> = { boolean: 'BOOLEAN', string: 'STRING', number: 'NUMBER' }

/** The type of flag that a default of this type expects. */
export const typeOf = (defaultValue: unknown): FlagType => types[typeof defaultValue] ?? 'JSON'

/**
 * The visitor: an object of your own type, or any attributes. Rules that draw need the attribute by which they draw,
 * which is `targetingKey` by default.
 */
export type Context = EvaluationContext | object

/** Evaluates. Gives `defaultValue` if there is no value or the flag has a different type. Never throws. */
export function evaluate<Value>(
  evaluator: Evaluator | undefined,
  flagKey: string,
  defaultValue: Value,
  type: FlagType,
  context?: Context,
): Details<Value> {
  const found = evaluator?.evaluate(flagKey, (context ?? {}) as EvaluationContext, undefined, type) ?? notReady
  // No copy is needed of an answer: it is frozen.
  return (found.errorCode ? { ...found, value: defaultValue } : found) as Details<unknown> as Details<Value>
}
