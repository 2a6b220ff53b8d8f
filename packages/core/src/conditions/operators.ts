import { rare } from '../rare.ts'
import { ensure, isMissing, own } from '../record.ts'
import { equalsNothing, never, setOf } from './compared.ts'
import { commonNegations, type negations } from './negations.ts'
import type { CompileTest, rareTests, Test } from './rare-operators.ts'

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

type PositiveOperator = Exclude<Operator, keyof typeof negations>

/**
 * Compiles an operator and its value to a test of attributes. Null and undefined attributes are missing.
 * A value that the operator cannot use, such as an invalid pattern or version, matches nothing.
 *
 * @throws TypeError if the operator does not exist
 */
export function compileOperator(operator: Operator, value: unknown, caseSensitive: boolean): Test {
  ensure(typeof operator === 'string')
  const positive = own<PositiveOperator>(commonNegations, operator) ?? (operator as PositiveOperator)
  const common = own<CompileTest>(tests, positive)
  const compileTest = common ?? own<CompileTest>(rare?.tests, positive)
  ensure(compileTest)
  // Rare operators are not folded: patterns use the `i` flag, and in dates and versions letters have a meaning.
  const test = caseSensitive || !common ? compileTest(value, caseSensitive) : rare!.folded(common, value)
  return positive === operator ? test : (attribute) => !test(attribute)
}

const isText = (value: unknown): boolean => typeof value === 'string'
const tests: Record<Exclude<PositiveOperator, keyof typeof rareTests>, CompileTest> = {
  exists: () => (attribute) => !isMissing(attribute),
  equals: (value) => (equalsNothing(value) ? never : (attribute) => attribute === value),
  in: (value) => {
    const wanted = setOf(value)
    return wanted ? (attribute) => wanted.has(attribute) : never
  },
  contains: compared<string>(isText, (attribute, value) => attribute.includes(value)),
  startsWith: compared<string>(isText, (attribute, value) => attribute.startsWith(value)),
  endsWith: compared<string>(isText, (attribute, value) => attribute.endsWith(value)),
  greaterThan: compared<number>(Number.isFinite, (attribute, value) => attribute > value),
  greaterThanOrEquals: compared<number>(Number.isFinite, (attribute, value) => attribute >= value),
  lessThan: compared<number>(Number.isFinite, (attribute, value) => attribute < value),
  lessThanOrEquals: compared<number>(Number.isFinite, (attribute, value) => attribute <= value),
}

function compared<Value>(
  isComparable: (value: unknown) => boolean,
  verdict: (attribute: Value, value: Value) => boolean,
): CompileTest {
  return (value) =>
    isComparable(value) ? (attribute) => isComparable(attribute) && verdict(attribute as Value, value as Value) : never
}
