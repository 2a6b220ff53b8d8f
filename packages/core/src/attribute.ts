import { isRecord, own } from './record.ts'

/** Reads one attribute of a context; undefined when it is missing. `now` is epoch milliseconds. */
export type Attribute = (context: unknown, now?: number) => unknown

/** Tells the moment in epoch milliseconds. */
export type Clock = () => number

/**
 * Compiles the name of an attribute: `$now` is the moment of evaluation; else an own property of that very name; else,
 * where the name has dots, the path through nested objects. Nothing inherited is ever read, nor the inside of a list.
 */
export function compileAttribute(name: string, clock: Clock = Date.now): Attribute {
  // The clock is read only where it is asked for: it costs as much as all else in a plain flag.
  if (name === '$now') return (_context, now = clock()) => now
  const path = name.split('.')
  if (path.length === 1) return (context) => (isRecord(context) ? own(context, name) : undefined)
  return (context) => {
    if (!isRecord(context)) return undefined
    if (Object.hasOwn(context, name)) return context[name]
    let value: unknown = context
    for (const key of path) value = isRecord(value) ? own(value, key) : undefined
    return value
  }
}

/** The targeting key as a unit. */
export function userOf(context: unknown): string | undefined {
  // By its literal name, which engines read several times as fast as a name in a variable.
  return isRecord(context) && Object.hasOwn(context, 'targetingKey') ? unitOf(context.targetingKey) : undefined
}

/** An attribute as a bucketing unit: a text that is not empty, or a finite number as text; else undefined. */
export function unitOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value ? value : undefined
}

/** Compiles an attribute to the unit that it gives; undefined where it gives none. The moment is no unit. */
export function compileUnit(name: string): (context: unknown) => string | undefined {
  const read = compileAttribute(name)
  return (context) => unitOf(read(context, Number.NaN))
}
