import { expect } from 'vitest'

/**
 * The expected answer for a shortened example: objects can have more fields, `…` in a string matches any text, and
 * lists must have the same number of items.
 */
export function shown(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('…') ? expect.stringMatching(patternOf(value)) : value
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return expect.objectContaining(Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shown(field)])))
}

const patternOf = (text: string): RegExp => new RegExp(`^${text.split('…').map(RegExp.escape).join('.+')}$`)
