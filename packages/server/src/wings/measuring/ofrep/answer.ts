import type { Evaluation, JsonValue, Reason } from '@svc/core'

/** The reasons of the protocol's schema. It has none for a default: what no rule decided is `STATIC`. */
export type OfrepReason = 'STATIC' | 'TARGETING_MATCH' | 'SPLIT' | 'DISABLED'

export const ofrepReasons: Record<Exclude<Reason, 'ERROR'>, OfrepReason> = {
  DISABLED: 'DISABLED',
  OVERRIDE: 'TARGETING_MATCH',
  TARGETING_MATCH: 'TARGETING_MATCH',
  SPLIT: 'SPLIT',
  DEFAULT: 'STATIC',
  UNIT_MISSING: 'STATIC',
  HOLDOUT: 'STATIC',
}

/** The data file that an answer comes from. */
export interface FileOfAnswer {
  envId: string
  revision: number
}

export interface Success {
  key: string
  value: JsonValue
  reason: OfrepReason
  variant: string
  metadata: { flagSetId: string; version: string; svcReason: Reason; ruleId?: string }
}

export type OfrepCode = 'PARSE_ERROR' | 'INVALID_CONTEXT' | 'FLAG_NOT_FOUND' | 'GENERAL'

/** `key` is left out of a failure that is not about one flag. */
export interface Failure {
  key?: string
  errorCode: OfrepCode
  errorDetails: string
}

export const setMetadata = ({ envId, revision }: FileOfAnswer) => ({ flagSetId: envId, version: String(revision) })

/** The answer of the protocol for one flag. */
export function answerFor(key: string, evaluation: Evaluation, file: FileOfAnswer): Success | Failure {
  const { value, variationKey, ruleId, reason, errorCode } = evaluation
  if (errorCode === 'FLAG_NOT_FOUND')
    return { key, errorCode, errorDetails: `Flag ${JSON.stringify(key)} was not found in this environment.` }
  if (reason === 'ERROR' || value === undefined || variationKey === null)
    return { key, errorCode: 'PARSE_ERROR', errorDetails: `Flag ${JSON.stringify(key)} cannot be read.` }
  const metadata = { ...setMetadata(file), svcReason: reason, ...(ruleId !== null && { ruleId }) }
  return { key, value, reason: ofrepReasons[reason], variant: variationKey, metadata }
}

export const isFailure = (answer: Success | Failure): answer is Failure => 'errorCode' in answer

export const statusOf: Record<OfrepCode, 400 | 404 | 500> = {
  PARSE_ERROR: 400,
  INVALID_CONTEXT: 400,
  FLAG_NOT_FOUND: 404,
  GENERAL: 500,
}
