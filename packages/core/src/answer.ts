import type { Flag, JsonValue } from './datafile.ts'
import { own } from './record.ts'

/**
 * Why a visitor got a value.
 * - DISABLED: the flag is paused.
 * - OVERRIDE: the visitor is on an allowlist.
 * - TARGETING_MATCH: a targeted delivery matched.
 * - SPLIT: an A/B test matched.
 * - DEFAULT: no rule matched.
 * - UNIT_MISSING: no rule matched, and at least one was skipped because the context lacks its bucketing unit.
 * - HOLDOUT: no rule matched, and a holdout kept the visitor out of at least one.
 * - ERROR: see `errorCode`.
 */
export type Reason =
  | 'DISABLED'
  | 'OVERRIDE'
  | 'TARGETING_MATCH'
  | 'SPLIT'
  | 'DEFAULT'
  | 'UNIT_MISSING'
  | 'HOLDOUT'
  | 'ERROR'

/** FLAG_NOT_FOUND: not in the data file. PARSE_ERROR: the flag, or an audience that it uses, is malformed. */
export type ErrorCode = 'FLAG_NOT_FOUND' | 'PARSE_ERROR'

/**
 * The answer for one flag and one context. With reason ERROR the value is undefined: serve the code's default.
 * It is frozen, because equal answers can share an object.
 */
export type Evaluation = {
  /** Has the type of the flag. The value of a JSON flag is deeply frozen. */
  readonly value: JsonValue | undefined
  readonly variationKey: string | null
  /** The rule that decided; null if no rule did. */
  readonly ruleId: string | null
  readonly reason: Reason
  /** Present if the rule measures: the visitor is to be counted by an exposure. */
  readonly measured?: true
  readonly errorCode?: ErrorCode
}

/** The answer of an evaluation that names the type it expects. */
export type TypedEvaluation = Evaluation | Failure<'TYPE_MISMATCH'>

export const notFound = failure('FLAG_NOT_FOUND')
/** Only for clients, which have no data file at first. */
export const notReady = failure('NOT_READY')
export const malformed = failure('PARSE_ERROR')
/** Only for evaluations that name the type they expect. */
export const mismatched = failure('TYPE_MISMATCH')

/** Makes an answer. It is `malformed` if the flag lacks the variation or its value has the wrong type. */
export function answer(
  flag: Flag,
  variationKey: string,
  reason: Reason,
  ruleId: string | null = null,
  measured = false,
): Evaluation {
  const value = typeof variationKey === 'string' ? readValue(flag, own(flag.variations, variationKey)) : undefined
  if (value === undefined) return malformed
  const given: { -readonly [Field in keyof Evaluation]: Evaluation[Field] } = { value, variationKey, ruleId, reason }
  if (measured) given.measured = measured
  return Object.freeze(given)
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
    // Frozen, because all answers share this object.
    return JSON.parse(text, (_key, value) => Object.freeze(value))
  } catch {
    return undefined
  }
}

type Failure<Code> = Omit<Evaluation, 'errorCode'> & { readonly errorCode: Code }

function failure<Code extends string>(errorCode: Code): Failure<Code> {
  return Object.freeze({ value: undefined, variationKey: null, ruleId: null, reason: 'ERROR', errorCode })
}
