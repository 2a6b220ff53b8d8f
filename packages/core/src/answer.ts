import type { Flag, JsonValue } from './datafile.ts'
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
  /** Of the flag's type; what a JSON flag holds is frozen through and through. */
  readonly value: JsonValue | undefined
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

function readValue({ type }: Flag, text: unknown): JsonValue | undefined {
  if (typeof text !== 'string') return undefined
  if (type === 'BOOLEAN') return text === 'true' || (text === 'false' ? false : undefined)
  if (type === 'STRING') return text
  const value = readJson(text)
  return type === 'JSON' || (type === 'NUMBER' && Number.isFinite(value)) ? value : undefined
}

function readJson(text: string): JsonValue | undefined {
  try {
    // Everybody who gets the value gets the same object.
    return JSON.parse(text, (_key, value) => Object.freeze(value))
  } catch {
    return undefined
  }
}

function failure(errorCode: ErrorCode): Evaluation {
  return Object.freeze({ value: undefined, variationKey: null, ruleId: null, reason: 'ERROR', errorCode })
}
