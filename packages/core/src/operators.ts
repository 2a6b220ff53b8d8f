import { parseAddress, parseBlock } from './cidr.ts'
import { parseDate } from './date.ts'
import { ensure, own } from './record.ts'
import { orderVersions, parseVersion } from './semver.ts'

// Code points of an attribute that `matches` looks at.
const matchedTextMaxCharacters = 256

/** Operators by the kind of values that they read. */
export type OperatorGroup = 'any' | 'string' | 'number' | 'date' | 'version' | 'list' | 'network'

/** Every operator of the condition language with its group; the compiler holds evaluation to this list. */
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

/** Negative operators: each is exactly NOT its positive one, so it holds where the attribute is missing. */
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
type Fold = (item: unknown) => unknown

/**
 * Compiles an operator and its value to a test of attributes; null and undefined are missing.
 * A value that the operator cannot use (a pattern that is none, a version that is none) matches nothing.
 *
 * @throws TypeError when there is no such operator
 */
export function compileOperator(operator: Operator, value: unknown, caseSensitive: boolean): Test {
  const positive = own<PositiveOperator>(negations, operator)
  const compileTest = own(tests, positive ?? operator)
  ensure(compileTest)
  const fold: Fold = (item) => (!caseSensitive && typeof item === 'string' ? item.toLowerCase() : item)
  const test = compileTest(value, fold)
  return (attribute) => (attribute !== undefined && attribute !== null && test(attribute)) === !positive
}

const never = () => false
const above = (order: number) => order > 0
const aboveOrSame = (order: number) => order >= 0
const below = (order: number) => order < 0
const belowOrSame = (order: number) => order <= 0
const same = (order: number) => order === 0
const difference = (a: number, b: number) => a - b

const tests: Record<PositiveOperator, (value: unknown, fold: Fold) => Test> = {
  exists: () => () => true,
  equals: (value, fold) => {
    const wanted = fold(value)
    return (attribute) => fold(attribute) === wanted
  },
  in: (value, fold) => {
    const wanted = setOf(value, fold)
    return (attribute) => !!wanted?.has(fold(attribute))
  },
  contains: texts((attribute, value) => attribute.includes(value)),
  startsWith: texts((attribute, value) => attribute.startsWith(value)),
  endsWith: texts((attribute, value) => attribute.endsWith(value)),
  matches: (value, fold) => {
    const pattern = compilePattern(value, fold('I') === 'I' ? 'u' : 'iu')
    return (attribute) => typeof attribute === 'string' && !!pattern?.test(beginning(attribute))
  },
  greaterThan: ordered(readNumber, difference, above),
  greaterThanOrEquals: ordered(readNumber, difference, aboveOrSame),
  lessThan: ordered(readNumber, difference, below),
  lessThanOrEquals: ordered(readNumber, difference, belowOrSame),
  before: ordered(parseDate, difference, below),
  after: ordered(parseDate, difference, above),
  semverEquals: ordered(parseVersion, orderVersions, same),
  semverGreaterThan: ordered(parseVersion, orderVersions, above),
  semverGreaterThanOrEquals: ordered(parseVersion, orderVersions, aboveOrSame),
  semverLessThan: ordered(parseVersion, orderVersions, below),
  semverLessThanOrEquals: ordered(parseVersion, orderVersions, belowOrSame),
  includesAny: (value, fold) => {
    const wanted = setOf(value, fold)
    return (attribute) => Array.isArray(attribute) && attribute.some((item) => wanted?.has(fold(item)))
  },
  includesAll: (value, fold) => {
    const wanted = setOf(value, fold)
    return (attribute) => {
      const found = setOf(attribute, fold)
      return !!wanted && !!found && [...wanted].every((item) => found.has(item))
    }
  },
  inCidr: (value) => {
    const blocks = (Array.isArray(value) ? value : [value]).map(parseBlock)
    return (attribute) => {
      const address = parseAddress(attribute)
      return address !== undefined && blocks.some((contains) => contains?.(address))
    }
  },
}

function setOf(value: unknown, fold: Fold): Set<unknown> | undefined {
  return Array.isArray(value) ? new Set(value.map(fold)) : undefined
}

function texts(verdict: (attribute: string, value: string) => boolean) {
  return (value: unknown, fold: Fold): Test => {
    if (typeof value !== 'string') return never
    const wanted = fold(value) as string
    return (attribute) => typeof attribute === 'string' && verdict(fold(attribute) as string, wanted)
  }
}

function compilePattern(value: unknown, flags: string): RegExp | undefined {
  try {
    return typeof value === 'string' ? new RegExp(value, flags) : undefined
  } catch {
    return undefined
  }
}

// The first cut bounds the second: no character takes more than two code units.
function beginning(text: string): string {
  if (text.length <= matchedTextMaxCharacters) return text
  return [...text.slice(0, 2 * matchedTextMaxCharacters)].slice(0, matchedTextMaxCharacters).join('')
}

function ordered<Read>(
  read: (value: unknown) => Read | undefined,
  order: (attribute: Read, value: Read) => number,
  verdict: (order: number) => boolean,
) {
  return (value: unknown): Test => {
    const wanted = read(value)
    if (wanted === undefined) return never
    return (attribute) => {
      const found = read(attribute)
      return found !== undefined && verdict(order(found, wanted))
    }
  }
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
