import type { FlagType } from '@svc/core'
import { namesOf, roundedNumber, shapeOf, wouldBecome } from '../../../exact-json.ts'

export const flagTypes = ['BOOLEAN', 'STRING', 'NUMBER', 'JSON'] as const satisfies readonly FlagType[]

/** Size limit of the canonical text in UTF-8. */
export const maxJsonBytes = 8192
// Many JSON parsers accept no deeper nesting.
const maxJsonDepth = 64

/**
 * The canonical text of a variation's value, so that equal values are equal texts; or the rule that it breaks, as the end
 * of a sentence that begins with the name of the field.
 */
export function canonicalValue(type: FlagType, value: string): { value: string } | { rule: string } {
  if (type === 'STRING') return { value }
  if (type === 'BOOLEAN')
    return value === 'true' || value === 'false' ? { value } : { rule: 'must be the string "true" or "false".' }
  const parsed = parse(value)
  if (type === 'NUMBER') {
    if (typeof parsed !== 'number' || !Number.isFinite(parsed))
      return { rule: 'must be a string that contains a finite number, such as "0.25".' }
    const rounded = roundedNumber(value)
    return rounded ? { rule: `must be a number that fits: ${wouldBecome(rounded)}` } : { value: JSON.stringify(parsed) }
  }
  if (parsed === undefined) return { rule: 'must be a string that contains JSON, such as "{\\"color\\":\\"blue\\"}".' }
  const fault = jsonFault(parsed, 0) ?? changedFault(value, parsed)
  if (fault) return { rule: fault }
  const text = JSON.stringify(parsed)
  return Buffer.byteLength(text) <= maxJsonBytes
    ? { value: text }
    : { rule: `must contain JSON of at most ${maxJsonBytes} bytes, not counting whitespace between its parts.` }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function jsonFault(value: unknown, depth: number): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must contain only finite numbers.'
  if (typeof value === 'string') return textFault(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === maxJsonDepth) return `must contain JSON with at most ${maxJsonDepth} levels of nesting.`
  for (const [name, part] of Object.entries(value)) {
    if (name === '__proto__') return 'must not contain the name __proto__, which some programs treat specially.'
    const fault = textFault(name) ?? jsonFault(part, depth + 1)
    if (fault) return fault
  }
  return undefined
}

const textFault = (text: string): string | undefined =>
  text.isWellFormed() ? undefined : 'must not contain an unpaired surrogate, such as \\ud800 alone.'

/** What parsing would change. Call it only for a value that is not nested deeply. */
function changedFault(text: string, value: unknown): string | undefined {
  if (shapeOf(text).names > namesOf(value)) return 'must not have the same name twice in an object.'
  const rounded = roundedNumber(text)
  return rounded && `must contain only numbers that fit: ${wouldBecome(rounded)}`
}
