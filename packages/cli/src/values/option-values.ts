import type { Option } from '../options.ts'
import { usage } from '../problem.ts'

/** The option of every list. */
export const limitOption = {
  limit: { value: 'N', about: 'Stop after N items. Default: all.' },
} as const satisfies Record<string, Option>

export function wholeNumber(text: string | undefined, name: string, least = 1): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (!/^\d{1,12}$/.test(text) || number < least)
    throw usage(`${name} must be a whole number from ${least} (got ${text}).`)
  return number
}

/** Splits `plan=pro` at the first equals sign. */
export function pairOf(text: string, name: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw usage(`${name} must be KEY=VALUE (got ${text}).`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** A name for people from a key: `one-page-checkout` becomes `One page checkout`. */
export function nameFromKey(key: string): string {
  const words = key.replace(/[-_.]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
