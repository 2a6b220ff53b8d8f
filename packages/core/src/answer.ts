import type { Flag } from './datafile.ts'
import { own } from './record.ts'

/**
 * Why a visitor got a value: DISABLED flag paused · OVERRIDE on an allowlist · TARGETING_MATCH a delivery rule ·
 * SPLIT an A/B test · DEFAULT no rule matched · UNIT_MISSING likewise, and a rule was passed over because the context
 * lacks what it buckets by · ERROR see `errorCode`.
 */
export type Reason = 'DISABLED' | 'OVERRIDE' | 'TARGETING_MATCH' | 'SPLIT' | 'DEFAULT' | 'UNIT_MISSING' | 'ERROR'

/** FLAG_NOT_FOUND: not in the data file. PARSE_ERROR: the flag, or an audience that it uses, is malformed. */
export type ErrorCode = 'FLAG_NOT_FOUND' | 'PARSE_ERROR'

/**
 * The answer for one flag and one context. With reason ERROR the value is undefined: serve the code's default.
 * It is frozen: everybody who gets the same answer gets the same object.
 */
export type Evaluation = {
  /** Booleans for BOOLEAN flags, strings for STRING flags. */
  readonly value: boolean | string | undefined
  readonly variationKey: string | null
  /** The rule that decided; null where none did. */
  readonly ruleId: string | null
  readonly reason: Reason
  readonly errorCode?: ErrorCode
}

export const notFound = failure('FLAG_NOT_FOUND')
export const malformed = failure('PARSE_ERROR')

/** Makes an answer; where the flag has no such variation, or not in the type of its values, that is `malformed`. */
export function answer(flag: Flag, variationKey: string, reason: Reason, ruleId: string | null = null): Evaluation {
  const value = typeof variationKey === 'string' ? readValue(flag, own(flag.variations, variationKey)) : undefined
  return value === undefined ? malformed : Object.freeze({ value, variationKey, ruleId, reason })
}

function readValue({ type }: Flag, text: string | undefined): boolean | string | undefined {
  if (type === 'BOOLEAN') return text === 'true' || (text === 'false' ? false : undefined)
  return type === 'STRING' && typeof text === 'string' ? text : undefined
}

function failure(errorCode: ErrorCode): Evaluation {
  return Object.freeze({ value: undefined, variationKey: null, ruleId: null, reason: 'ERROR', errorCode })
}
