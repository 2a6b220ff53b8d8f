import { isRecord, own } from './record.ts'

/** Reads one attribute of a context; undefined when it is missing. `now` is epoch milliseconds. */
export type Attribute = (context: unknown, now?: number) => unknown

/**
 * Compiles the name of an attribute: `$now` is the moment of evaluation; else an own property of that very name; else,
 * where the name has dots, the path through nested objects. Nothing inherited is ever read, nor the inside of a list.
 */
export function compileAttribute(name: string): Attribute {
  if (name === '$now') return (_context, now) => now
  const path = name.split('.')
  return (context) => {
    if (!isRecord(context)) return undefined
    if (path.length === 1 || Object.hasOwn(context, name)) return own(context, name)
    let value: unknown = context
    for (const key of path) value = isRecord(value) ? own(value, key) : undefined
    return value
  }
}

/** An attribute as a bucketing unit: a text that is not empty, or a finite number as text; else undefined. */
export function unitOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value ? value : undefined
}
