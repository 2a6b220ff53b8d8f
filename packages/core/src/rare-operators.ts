import { compileBlocks } from './blocks.ts'
import { parseDate } from './date.ts'
import type { Version } from './semver.ts'
import { orderVersions, parseVersion } from './semver.ts'

// How many code points of an attribute `matches` reads.
const matchedTextMaxCharacters = 256

/** A test of one attribute. */
export type Test = (attribute: unknown) => boolean

/** Compiles the value of an operator to a test. A value that the operator cannot use gives a test that never holds. */
export type CompileTest = (value: unknown, caseSensitive: boolean) => Test

const never = (): boolean => false

// Bits of the accepted results of a comparison.
const below = 1
const same = 2
const above = 4

/** Patterns, dates, versions and blocks of addresses. */
export const rareTests = {
  matches: (value, caseSensitive) => {
    const pattern = compilePattern(value, caseSensitive ? 'u' : 'iu')
    return (attribute) => typeof attribute === 'string' && !!pattern?.test(beginning(attribute))
  },
  before: ordered(parseDate, below),
  after: ordered(parseDate, above),
  semverEquals: ordered(parseVersion, same),
  semverGreaterThan: ordered(parseVersion, above),
  semverGreaterThanOrEquals: ordered(parseVersion, above + same),
  semverLessThan: ordered(parseVersion, below),
  semverLessThanOrEquals: ordered(parseVersion, below + same),
  inCidr: compileBlocks,
} satisfies Record<string, CompileTest>

/**
 * A pattern as `matches` runs it: without a leading `.*`. It matches the same texts, because a match can begin
 * anywhere. With the `.*`, a backtracking engine would scan to the end of the text from every character.
 */
export const searchedPattern = (pattern: string): string => pattern.replace(/^(?:\.\*\??)+/, '')

function compilePattern(value: unknown, flags: string): RegExp | undefined {
  try {
    return typeof value === 'string' ? new RegExp(searchedPattern(value), flags) : undefined
  } catch {
    return undefined
  }
}

// Slice code units first, so that the spread is bounded: a code point has at most two.
function beginning(text: string): string {
  if (text.length <= matchedTextMaxCharacters) return text
  return [...text.slice(0, 2 * matchedTextMaxCharacters)].slice(0, matchedTextMaxCharacters).join('')
}

function ordered(read: (value: unknown) => Version | undefined, verdicts: number): CompileTest {
  return (value) => {
    const wanted = read(value)
    if (wanted === undefined) return never
    return (attribute) => {
      const found = read(attribute)
      if (found === undefined) return false
      const order = orderVersions(found, wanted)
      return (verdicts & (order < 0 ? below : order > 0 ? above : same)) !== 0
    }
  }
}
