import { userOf } from './attribute.ts'

type Unit = (context: unknown) => string | undefined

// How to read the unit of a measured answer, for rules that do not draw by the targeting key.
const readers = new WeakMap<object, Unit>()

/** Notes how to read the unit of an answer. Without a note, it is the targeting key. */
export const noteUnit = (answer: object, read: Unit): unknown => readers.set(answer, read)

/** The unit that an exposure of this answer names: the bucketing unit of the rule; undefined if there is none. */
export const unitOfAnswer = (found: object, context: unknown): string | undefined =>
  (readers.get(found) ?? userOf)(context)
