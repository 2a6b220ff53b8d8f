import { rare } from './rare.ts'
import type { CompileTest, rareTests, Test } from './rare-operators.ts'
import { ensure, isMissing, own } from './record.ts'

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

/**
 * Compiles an operator and its value to a test of attributes. Null and undefined attributes are missing.
 * A value that the operator cannot use, such as an invalid pattern or version, matches nothing.
 *
 * @throws TypeError if the operator does not exist
 */
export function compileOperator(operator: Operator, value: unknown, caseSensitive: boolean): Test {
  ensure(typeof operator === 'string')
  const positive = own<PositiveOperator>(negations, operator) ?? (operator as PositiveOperator)
  const common = own<CompileTest>(tests, positive)
  const compileTest = common ?? own<CompileTest>(rare?.tests, positive)
  ensure(compileTest)
  // Rare operators are not folded: patterns use the `i` flag, and in dates and versions letters have a meaning.
  const test = caseSensitive || !common ? compileTest(value, caseSensitive) : folded(common, value)
  return positive === operator ? test : (attribute) => !test(attribute)
}

function folded(compileTest: CompileTest, value: unknown): Test {
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

const tests: Record<Exclude<PositiveOperator, keyof typeof rareTests>, CompileTest> = {
  exists: () => (attribute) => !isMissing(attribute),
  equals: (value) => (equalsNothing(value) ? never : (attribute) => attribute === value),
  in: (value) => {
    const wanted = setOf(value)
    return wanted ? (attribute) => wanted.has(attribute) : never
  },
  contains: texts((attribute, value) => attribute.includes(value)),
  startsWith: texts((attribute, value) => attribute.startsWith(value)),
  endsWith: texts((attribute, value) => attribute.endsWith(value)),
  greaterThan: numbers((attribute, value) => attribute > value),
  greaterThanOrEquals: numbers((attribute, value) => attribute >= value),
  lessThan: numbers((attribute, value) => attribute < value),
  lessThanOrEquals: numbers((attribute, value) => attribute <= value),
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
}

function setOf(value: unknown): Set<unknown> | undefined {
  return Array.isArray(value) ? new Set(value.filter((item) => !equalsNothing(item))) : undefined
}

function texts(verdict: (attribute: string, value: string) => boolean): CompileTest {
  return (value) =>
    typeof value === 'string' ? (attribute) => typeof attribute === 'string' && verdict(attribute, value) : never
}

function numbers(verdict: (attribute: number, value: number) => boolean): CompileTest {
  return (value) => (isNumber(value) ? (attribute) => isNumber(attribute) && verdict(attribute, value) : never)
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}
