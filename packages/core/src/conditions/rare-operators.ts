import { plain } from '../record.ts'
import { compileBlocks } from './blocks.ts'
import { lower, never, setOf } from './compared.ts'
import { parseDate } from './date.ts'
import type { rareNegations } from './negations.ts'
import type { Version } from './semver.ts'
import { orderVersions, parseVersion } from './semver.ts'

// A longer text has no match. Cutting it would create matches that the whole text does not have: with `$` or `\b`.
const matchedTextMaxCharacters = 8_192

/** A test of one attribute. */
export type Test = (attribute: unknown) => boolean

/** Compiles the value of an operator to a test. An unusable value gives a test that never holds. */
export type CompileTest = (value: unknown, caseSensitive: boolean) => Test

const asItIs = (value: unknown): unknown => (Array.isArray(value) ? value.map(plain) : value)

// Bits of the accepted results of a comparison.
const below = 1
const same = 2
const above = 4

/** Compiles a test that ignores letter case in texts and lists of texts. */
export function folded(compileTest: CompileTest, value: unknown): Test {
  const test = compileTest(lower(value), false)
  return (attribute) => test(lower(attribute))
}

/** Patterns, dates, versions, blocks of addresses and lists. */
const positiveTests = {
  matches: (value, caseSensitive) => {
    const pattern = compilePattern(value, caseSensitive ? 'u' : 'iu')
    return (attribute) => typeof attribute === 'string' && isShort(attribute) && !!pattern?.test(attribute)
  },
  before: ordered(parseDate, below),
  after: ordered(parseDate, above),
  semverEquals: ordered(parseVersion, same),
  semverGreaterThan: ordered(parseVersion, above),
  semverGreaterThanOrEquals: ordered(parseVersion, above + same),
  semverLessThan: ordered(parseVersion, below),
  semverLessThanOrEquals: ordered(parseVersion, below + same),
  inCidr: compileBlocks,
  includesAny: (value, caseSensitive) => {
    const fold = caseSensitive ? asItIs : lower
    const wanted = setOf(fold(value))
    return (attribute) => {
      const found = fold(attribute)
      return !!wanted && Array.isArray(found) && found.some((item) => wanted.has(item))
    }
  },
  includesAll: (value, caseSensitive) => {
    const fold = caseSensitive ? asItIs : lower
    const wanted = fold(value)
    if (!Array.isArray(wanted)) return never
    return (attribute) => {
      const found = setOf(fold(attribute))
      return !!found && wanted.every((item) => found.has(item))
    }
  },
} satisfies Record<string, CompileTest>

/** The tests by operator. */
export const rareTests: Record<keyof typeof positiveTests | keyof typeof rareNegations, CompileTest> = {
  ...positiveTests,
  notMatches: not(positiveTests.matches),
  semverNotEquals: not(positiveTests.semverEquals),
  includesNone: not(positiveTests.includesAny),
}

function not(compileTest: CompileTest): CompileTest {
  return (value, caseSensitive) => {
    const test = compileTest(value, caseSensitive)
    return (attribute) => !test(attribute)
  }
}

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

// Look at code units first, so that the spread is bounded: a code point has at most two.
const isShort = (text: string): boolean => !text[2 * matchedTextMaxCharacters] && ![...text][matchedTextMaxCharacters]

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
