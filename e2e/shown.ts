import { expect } from 'vitest'

/**
 * What an answer must be when a page shows it shortened: objects may have more fields, `…` in a text stands for
 * anything; the number of items of a list is as shown.
 */
export function shown(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('…') ? expect.stringMatching(patternOf(value)) : value
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return expect.objectContaining(Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shown(field)])))
}

const patternOf = (text: string): RegExp => new RegExp(`^${text.split('…').map(RegExp.escape).join('.+')}$`)
