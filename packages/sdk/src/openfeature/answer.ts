import type { ErrorCode as OpenFeatureErrorCode, ResolutionDetails } from '@openfeature/core'
import type { DataFile, Flag, Reason } from '@svc/core'
import type { Details } from '../details.ts'

// Nested contexts can contain themselves.
const deepest = 8

/** Reasons that are missing here are STATIC or DEFAULT: it depends on the flag. */
const reasons: Partial<Record<Reason, string>> = {
  DISABLED: 'DISABLED',
  OVERRIDE: 'TARGETING_MATCH',
  TARGETING_MATCH: 'TARGETING_MATCH',
  SPLIT: 'SPLIT',
}

/** An answer of the client in OpenFeature's terms. The metadata has the names of the specification's Appendix D. */
export function answerOf<Value>(
  flagKey: string,
  defaultValue: Value,
  found: Details<unknown>,
  file: DataFile | null,
): ResolutionDetails<Value> {
  const { value, variationKey, ruleId, reason, errorCode } = found
  const flagMetadata = {
    ...(file && { flagSetId: `${file.environment?.id}`, version: `${file.revision}` }),
    ...(ruleId !== null && { ruleId }),
    svcReason: reason,
  }
  if (errorCode) {
    const code = errorCode === 'NOT_READY' ? 'PROVIDER_NOT_READY' : errorCode
    return {
      value: defaultValue,
      reason,
      errorCode: code as OpenFeatureErrorCode,
      errorMessage: `flag ${flagKey}: ${errorCode}`,
      flagMetadata,
    }
  }
  return {
    value: value as Value,
    variant: variationKey as string,
    reason: reasons[reason] ?? (isStatic(file?.flags[flagKey]) ? 'STATIC' : 'DEFAULT'),
    flagMetadata,
  }
}

/** Whether all visitors get the same value. */
const isStatic = (flag: Flag | undefined): boolean => !flag?.overrides && !flag?.rules?.length

/** A context with the text of each date, as OFREP would send it. A part without dates is not copied. */
export function withTexts<Value>(value: Value, depth = 0): Value {
  if (value instanceof Date) return value.toJSON() as Value
  if (depth > deepest || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withTexts(item, depth + 1)) as Value
  let copy = value
  for (const [key, part] of Object.entries(value)) {
    const text = withTexts(part, depth + 1)
    if (text !== part) copy = { ...copy, [key]: text }
  }
  return copy
}
