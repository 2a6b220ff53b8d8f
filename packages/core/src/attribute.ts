import { isForPage } from './for-page.ts'
import { isRecord, own } from './record.ts'

/** Reads one attribute of a context; undefined when it is missing. `now` is epoch milliseconds. */
export type Attribute = (context: unknown, now?: number) => unknown

/** Returns the current time in epoch milliseconds. */
export type Clock = () => number

/**
 * Compiles the name of an attribute. `$now` is the time of the evaluation. Any other name is an own property with
 * exactly this name or, if there is none and the name has dots, a path through nested objects. Inherited properties
 * and items of lists are never read.
 */
export function compileAttribute(name: string, clock: Clock = Date.now): Attribute {
  // Read the clock only if a condition needs it: it costs as much as the rest of a simple evaluation.
  if (name === '$now') return (_context, now = clock()) => now
  const path = name.split('.')
  // The general way, below, gives the same and takes longer.
  if (!isForPage && path.length === 1) return (context) => (isRecord(context) ? own(context, name) : undefined)
  return (context) => {
    if (!isRecord(context)) return undefined
    if (Object.hasOwn(context, name)) return context[name]
    let value: unknown = context
    for (const key of path) value = isRecord(value) ? own(value, key) : undefined
    return value
  }
}

/** The targeting key of a context as a bucketing unit; undefined if there is none. See {@link unitOf}. */
export function userOf(context: unknown): string | undefined {
  // The literal name: engines read it several times faster than a name in a variable.
  return isRecord(context) && Object.hasOwn(context, 'targetingKey') ? unitOf(context.targetingKey) : undefined
}

/**
 * An attribute as a bucketing unit: a non-empty string, or a finite number or BigInt as a string; otherwise undefined.
 */
export function unitOf(value: unknown): string | undefined {
  if (Number.isFinite(value) || typeof value === 'bigint') return String(value)
  return typeof value === 'string' && value ? value : undefined
}

/** Compiles the name of an attribute to a function that reads it as a bucketing unit. `$now` is never a unit. */
export function compileUnit(name: string): (context: unknown) => string | undefined {
  const read = compileAttribute(name)
  return (context) => unitOf(read(context, Number.NaN))
}
