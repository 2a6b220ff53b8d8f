import { compileBlocks } from './blocks.ts'
import { parseDate } from './date.ts'
import { ensure, isMissing, own } from './record.ts'
import { orderVersions, parseVersion, type Version } from './semver.ts'

// How many code points of an attribute `matches` reads.
const matchedTextMaxCharacters = 256

/** The kind of values that an operator reads. */
export type OperatorGroup = 'any' | 'string' | 'number' | 'date' | 'version' | 'list' | 'network'

/** Every operator of the condition language with its group. The types require an implementation of each. */
export const operators = {
  exists: 'any',
  notExists: 'any',
  equals: 'any',
  notEquals: 'any',
  in: 'any',
  notIn: 'any',
  contains: 'string',
  notContains: 'string',
  startsWith: 'string',
  endsWith: 'string',
  matches: 'string',
  notMatches: 'string',
  greaterThan: 'number',
  greaterThanOrEquals: 'number',
  lessThan: 'number',
  lessThanOrEquals: 'number',
  before: 'date',
  after: 'date',
  semverEquals: 'version',
  semverNotEquals: 'version',
  semverGreaterThan: 'version',
  semverGreaterThanOrEquals: 'version',
  semverLessThan: 'version',
  semverLessThanOrEquals: 'version',
  includesAny: 'list',
  includesAll: 'list',
  includesNone: 'list',
  inCidr: 'network',
} as const satisfies Record<string, OperatorGroup>

/** Name of an operator. */
export type Operator = keyof typeof operators

/** Negative operators. Each is exactly NOT its positive operator, so it holds if the attribute is missing. */
export const negations = {
  notExists: 'exists',
  notEquals: 'equals',
  notIn: 'in',
  notContains: 'contains',
  notMatches: 'matches',
  semverNotEquals: 'semverEquals',
  includesNone: 'includesAny',
} as const satisfies Partial<Record<Operator, Operator>>

type PositiveOperator = Exclude<Operator, keyof typeof negations>
type Test = (attribute: unknown) => boolean

/**
 * Compiles an operator and its value to a test of attributes. Null and undefined attributes are missing.
 * A value that the operator cannot use, such as an invalid pattern or version, matches nothing.
 *
 * @throws TypeError if the operator does not exist
 */
export function compileOperator(operator: Operator, value: unknown, caseSensitive: boolean): Test {
  ensure(typeof operator === 'string')
  const positive = own<PositiveOperator>(negations, operator) ?? (operator as PositiveOperator)
  const compileTest = own(tests, positive)
  ensure(compileTest)
  const test = caseSensitive || !foldable.has(positive) ? compileTest(value, caseSensitive) : folded(compileTest, value)
  return positive === operator ? test : (attribute) => !test(attribute)
}

function folded(compileTest: (value: unknown, caseSensitive: boolean) => Test, value: unknown): Test {
  const test = compileTest(lower(value), false)
  return (attribute) => test(lower(attribute))
}

function lower(value: unknown): unknown {
  return Array.isArray(value) ? value.map(lowerText) : lowerText(value)
}

function lowerText(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}

const never = () => false
// These equal nothing, not even themselves: null is missing, and JSON parses a number that is too large as infinite.
const equalsNothing = (value: unknown) => isMissing(value) || value === Infinity || value === -Infinity

// Bits of the accepted results of a comparison.
const below = 1
const same = 2
const above = 4

// Operators that compare letters. Patterns use the `i` flag instead; in dates and versions, letters have a meaning.
const foldable: ReadonlySet<PositiveOperator> = new Set([
  'equals',
  'in',
  'contains',
  'startsWith',
  'endsWith',
  'includesAny',
  'includesAll',
])

const tests: Record<PositiveOperator, (value: unknown, caseSensitive: boolean) => Test> = {
  exists: () => (attribute) => !isMissing(attribute),
  equals: (value) => (equalsNothing(value) ? never : (attribute) => attribute === value),
  in: (value) => {
    const wanted = setOf(value)
    return wanted ? (attribute) => wanted.has(attribute) : never
  },
  contains: texts((attribute, value) => attribute.includes(value)),
  startsWith: texts((attribute, value) => attribute.startsWith(value)),
  endsWith: texts((attribute, value) => attribute.endsWith(value)),
  matches: (value, caseSensitive) => {
    const pattern = compilePattern(value, caseSensitive ? 'u' : 'iu')
    return (attribute) => typeof attribute === 'string' && !!pattern?.test(beginning(attribute))
  },
  greaterThan: ordered(readNumber, above),
  greaterThanOrEquals: ordered(readNumber, above + same),
  lessThan: ordered(readNumber, below),
  lessThanOrEquals: ordered(readNumber, below + same),
  before: ordered(parseDate, below),
  after: ordered(parseDate, above),
  semverEquals: ordered(parseVersion, same),
  semverGreaterThan: ordered(parseVersion, above),
  semverGreaterThanOrEquals: ordered(parseVersion, above + same),
  semverLessThan: ordered(parseVersion, below),
  semverLessThanOrEquals: ordered(parseVersion, below + same),
  includesAny: (value) => {
    const wanted = setOf(value)
    return (attribute) => !!wanted && Array.isArray(attribute) && attribute.some((item) => wanted.has(item))
  },
  includesAll: (value) => {
    if (!Array.isArray(value)) return never
    return (attribute) => {
      const found = setOf(attribute)
      return !!found && value.every((item) => found.has(item))
    }
  },
  inCidr: compileBlocks,
}

function setOf(value: unknown): Set<unknown> | undefined {
  return Array.isArray(value) ? new Set(value.filter((item) => !equalsNothing(item))) : undefined
}

function texts(verdict: (attribute: string, value: string) => boolean) {
  return (value: unknown): Test =>
    typeof value === 'string' ? (attribute) => typeof attribute === 'string' && verdict(attribute, value) : never
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

// Slice code units first, so that the spread is bounded: a code point has at most two.
function beginning(text: string): string {
  if (text.length <= matchedTextMaxCharacters) return text
  return [...text.slice(0, 2 * matchedTextMaxCharacters)].slice(0, matchedTextMaxCharacters).join('')
}

function ordered(read: (value: unknown) => Version | undefined, verdicts: number) {
  return (value: unknown): Test => {
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

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
