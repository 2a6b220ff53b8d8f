import type { FlagType } from '@svc/core'
import { namesOf, shapeOf } from '../../../json-shape.ts'

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
  if (type === 'NUMBER')
    return typeof parsed === 'number' && Number.isFinite(parsed)
      ? { value: JSON.stringify(parsed) }
      : { rule: 'must be a string that contains a finite number, such as "0.25".' }
  if (parsed === undefined) return { rule: 'must be a string that contains JSON, such as "{\\"color\\":\\"blue\\"}".' }
  const fault = jsonFault(parsed, 0)
  if (fault) return { rule: fault }
  if (shapeOf(value).names > namesOf(parsed)) return { rule: 'must not contain an object with the same name twice.' }
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
  if (typeof value === 'string') return textFault(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must contain only finite numbers.'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === maxJsonDepth) return `must contain JSON with at most ${maxJsonDepth} levels of nesting.`
  for (const [name, part] of Object.entries(value)) {
    if (name === '__proto__') return 'must not contain the name __proto__.'
    const fault = textFault(name) ?? jsonFault(part, depth + 1)
    if (fault) return fault
  }
  return undefined
}

/** As in every other JSON that the service takes: parsers of other languages read these differently, or not at all. */
const textFault = (text: string): string | undefined =>
  text.isWellFormed() ? undefined : 'must not contain an unpaired surrogate.'
