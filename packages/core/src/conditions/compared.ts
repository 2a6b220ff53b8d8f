import { isMissing, plain } from '../record.ts'

/** A test that no attribute passes. */
export const never = (): boolean => false

/** These never equal a value: null is missing, and JSON parses a number that is too large as infinite. */
export const equalsNothing = (value: unknown): boolean => isMissing(value) || value === Infinity || value === -Infinity

/** The items of a list that can equal something; undefined if it is not a list. */
export const setOf = (value: unknown): Set<unknown> | undefined =>
  Array.isArray(value) ? new Set(value.filter((item) => !equalsNothing(item))) : undefined

/** A text, or the texts of a list, without regard to letter case. */
export const lower = (value: unknown): unknown => (Array.isArray(value) ? value.map(lowerText) : lowerText(value))

// A capital sigma becomes ς at the end of a word and σ elsewhere. With σ for both, a part of a text still matches it.
const lowerText = (value: unknown): unknown =>
  typeof value === 'string' ? value.toLowerCase().replaceAll('ς', 'σ') : plain(value)
