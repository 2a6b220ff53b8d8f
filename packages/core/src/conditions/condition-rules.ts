import { parseBlock } from './cidr.ts'
import { parseDate } from './date.ts'
import { nearest } from './nearest.ts'
import { type Operator, type OperatorGroup, operators } from './operators.ts'
import { parseVersion } from './semver.ts'

const maxDepth = 5
const maxConditions = 100
const maxListValues = 1000
// Checking a pattern takes milliseconds.
const maxPatterns = 20
const maxValueLength = 1000
const maxAttributeLength = 200

const fields = ['attribute', 'operator', 'value', 'caseSensitive']
const known = Object.keys(operators)

/** What is wrong with a condition: the path of a field in it, and the rule that it breaks. */
export interface ConditionIssue {
  path: PropertyKey[]
  message: string
}

/**
 * What is wrong with targeting conditions that somebody has written: their form, operators, values and limits.
 * Conditions without an issue are correct, except that their audiences and segments may not exist.
 *
 * @param patternFault the rule that a pattern of `matches` breaks; undefined if there is none. Without this parameter,
 *   patterns are not checked.
 * @example
 * conditionIssues({ attribute: 'age', operator: 'greaterThan', value: 'x' })
 * // [{ path: ['value'], message: 'must be a number.' }]
 */
export function conditionIssues(condition: unknown, patternFault: PatternFault = () => undefined): ConditionIssue[] {
  const issues: ConditionIssue[] = []
  let conditions = 0
  let listValues = 0
  let patterns = 0

  function walk(node: unknown, path: PropertyKey[], depth: number): void {
    if (!isRecord(node)) return refuse(path, 'must be an object.')
    const [form, ...otherForms] = forms.filter((key) => Object.hasOwn(node, key))
    if (!form || otherForms.length > 0)
      return refuse(path, 'must have exactly one of all, any, not, audience, segment and attribute.')
    if (form === 'attribute') return walkAttribute(node, path)
    for (const key of Object.keys(node)) if (key !== form) refuse([...path, key], `is not a known field`)
    const value = node[form]
    if (form === 'audience' || form === 'segment') {
      conditions += 1
      const message = `must be the id of ${form === 'audience' ? 'an' : 'a'} ${form}.`
      return typeof value === 'string' ? undefined : refuse([...path, form], message)
    }
    if (depth >= maxDepth) return refuse(path, `must be nested at most ${maxDepth} levels deep.`)
    if (form === 'not') return walk(value, [...path, form], depth + 1)
    if (!Array.isArray(value)) return refuse([...path, form], `must be a list of conditions.`)
    for (const [index, child] of value.entries()) walk(child, [...path, form, index], depth + 1)
  }

  function walkAttribute(node: Record<string, unknown>, path: PropertyKey[]): void {
    conditions += 1
    const { attribute, operator, value, caseSensitive = true, ...unknown } = node
    for (const key of Object.keys(unknown)) refuse([...path, key], `is not a known field${meant(key, fields)}`)
    if (typeof attribute !== 'string' || attribute === '' || attribute.length > maxAttributeLength)
      refuse([...path, 'attribute'], `must be a string of 1 to ${maxAttributeLength} characters.`)
    else if (unseen.test(attribute)) refuse([...path, 'attribute'], 'must not begin or end with a space.')
    if (typeof caseSensitive !== 'boolean') refuse([...path, 'caseSensitive'], 'must be true or false.')
    if (typeof operator !== 'string' || !Object.hasOwn(operators, operator))
      return refuse([...path, 'operator'], `must be one of ${known.join(', ')}${meant(operator, known) || '.'}`)
    if (Array.isArray(value)) listValues += value.length
    if (takesPattern(operator)) patterns += 1
    const fault = valueFault(operator as Operator, value) ?? faultOfPattern(operator, value, caseSensitive !== false)
    if (fault) refuse([...path, 'value'], fault)
    else if (comparesWhole(operator)) refuseUnseen(value, [...path, 'value'])
  }

  function refuseUnseen(value: unknown, path: PropertyKey[]): void {
    for (const [index, text] of [value].flat().entries())
      if (typeof text === 'string' && unseen.test(text))
        refuse(
          Array.isArray(value) ? [...path, index] : path,
          'must not begin or end with a space: no other text would equal it. If it is meant, use matches.',
        )
  }

  function faultOfPattern(operator: string, value: unknown, caseSensitive: boolean): string | undefined {
    if (patterns > maxPatterns || !takesPattern(operator)) return undefined
    return patternFault(value as string, caseSensitive)
  }

  function refuse(path: PropertyKey[], message: string): void {
    issues.push({ path, message })
  }

  walk(condition, [], 0)
  if (conditions > maxConditions) refuse([], `must contain at most ${maxConditions} conditions (got ${conditions}).`)
  if (patterns > maxPatterns) refuse([], `must contain at most ${maxPatterns} patterns (got ${patterns}).`)
  if (listValues > maxListValues)
    refuse([], `must contain at most ${maxListValues} values in all lists (got ${listValues}).`)
  return issues
}

/** The end of a sentence: a question after the word that was probably meant. */
function meant(typed: unknown, words: readonly string[]): string {
  const word = typeof typed === 'string' ? nearest(typed, words) : undefined
  return word === undefined ? '' : `. Did you mean ${word}?`
}

/** Says which rule a pattern breaks; undefined if it breaks none. */
type PatternFault = (pattern: string, caseSensitive: boolean) => string | undefined

const forms = ['all', 'any', 'not', 'audience', 'segment', 'attribute'] as const

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' ? value.length <= maxValueLength : typeof value === 'number' || typeof value === 'boolean'

const scalar = `a string of at most ${maxValueLength} characters, a number or a boolean`

/** What the value of an operator must be. With any other value, evaluation would silently match no visitor. */
const usable: Record<OperatorGroup, { is: (value: unknown) => boolean; rule: string }> = {
  any: { is: isScalar, rule: `must be ${scalar}.` },
  string: {
    is: (value) => typeof value === 'string' && isScalar(value),
    rule: `must be a string of at most ${maxValueLength} characters.`,
  },
  number: { is: (value) => typeof value === 'number', rule: 'must be a number.' },
  date: {
    is: (value) => (typeof value === 'string' || typeof value === 'number') && parseDate(value) !== undefined,
    rule: 'must be a date in ISO 8601 or milliseconds since 1970.',
  },
  version: {
    is: (value) => typeof value === 'string' && parseVersion(value) !== undefined,
    rule: 'must be a version such as 4.2.0.',
  },
  list: { is: isListOfScalars, rule: `must be a list with at least one item. Each item must be ${scalar}.` },
  network: {
    is: (value) => [value].flat().length > 0 && [value].flat().every((block) => parseBlock(block) !== undefined),
    rule: 'must be a network such as 10.0.0.0/8 or 2001:db8::/32, or a list of networks.',
  },
}

function isListOfScalars(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isScalar)
}

/** Invisible characters at the beginning or the end of a text: spaces, line breaks, controls and zero-width ones. */
const unseen =
  /^[\s\p{Cc}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064]|[\s\p{Cc}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064]$/u

const comparesWhole = (operator: string): boolean => /^(?:notE|e)quals$|^(?:notI|i)n$|^includes/.test(operator)

const takesPattern = (operator: string): boolean => operator === 'matches' || operator === 'notMatches'

function valueFault(operator: Operator, value: unknown): string | undefined {
  if (operator === 'exists' || operator === 'notExists')
    return value === undefined ? undefined : `must be omitted for ${operator}.`
  const group = operator === 'in' || operator === 'notIn' ? 'list' : operators[operator]
  return usable[group].is(value) ? undefined : usable[group].rule
}
