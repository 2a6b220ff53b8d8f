import { type Condition, isRounded, nearest, type Operator, type OperatorGroup, operators } from '@svc/core'
import { usage } from '../problem.ts'

const withoutValue: readonly string[] = ['exists', 'notExists']
const withList: readonly string[] = ['in', 'notIn', 'includesAny', 'includesAll', 'includesNone', 'inCidr']
/** Groups whose values are text, also `4.2`, which reads as a number. */
const textual: readonly OperatorGroup[] = ['string', 'version', 'date', 'network']

/** Reads `--where`: `country in NL,BE`, `plan equals beta`, `email exists`, `segment vip`. */
export function conditionOf(text: string): Condition {
  const [attribute = '', operator = '', ...rest] = text.trim().split(/\s+/)
  if ((attribute === 'segment' || attribute === 'audience') && operator !== '' && !isOperator(operator))
    return attribute === 'segment'
      ? { segment: [operator, ...rest].join(' ') }
      : { audience: [operator, ...rest].join(' ') }
  if (!isOperator(operator)) {
    const meant = meantBy(operator)
    const hint = meant ? `Did you mean ${meant}?` : 'Write ATTRIBUTE OPERATOR VALUE, such as "country in NL,BE".'
    throw usage(`--where "${text}": "${operator}" is not an operator. ${hint}`)
  }
  // The value is the text after the operator, with its spaces.
  const value = text.trim().replace(/^\S+\s+\S+\s*/, '')
  if (withoutValue.includes(operator)) {
    if (value !== '') throw usage(`--where "${text}": ${operator} takes no value.`)
    return { attribute, operator }
  }
  if (value === '') throw usage(`--where "${text}": ${operator} needs a value.`)
  const read = textual.includes(operators[operator]) ? textOf : scalarOf
  if (withList.includes(operator))
    return { attribute, operator, value: value.split(',').map((each) => read(each.trim())) }
  return { attribute, operator, value: read(value) }
}

/** The condition of several `--where` options. All of them must match. */
export const allOfWhere = (texts: readonly string[]): Condition => {
  const conditions = texts.map(conditionOf)
  return conditions.length === 1 ? conditions[0]! : { all: conditions }
}

/** Operators as other languages write them. */
const signs: Record<string, Operator> = {
  '=': 'equals',
  '==': 'equals',
  '===': 'equals',
  is: 'equals',
  '!=': 'notEquals',
  '!==': 'notEquals',
  '<>': 'notEquals',
  '>': 'greaterThan',
  '>=': 'greaterThanOrEquals',
  '<': 'lessThan',
  '<=': 'lessThanOrEquals',
  '~': 'matches',
  '=~': 'matches',
  '!~': 'notMatches',
}

function meantBy(word: string): string | undefined {
  if (Object.hasOwn(signs, word)) return signs[word]
  const known = Object.keys(operators)
  // `nearest` does not find a short word such as `in` with two letters more.
  return nearest(word, known) ?? known.find((each) => word.startsWith(each) && word.length <= each.length + 2)
}

const isOperator = (word: string): word is Operator => Object.hasOwn(operators, word)

/** `18` is a number and `true` a boolean, as types are never converted; `"18"` in quotes is text. */
function scalarOf(text: string): string | number | boolean {
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return numberOf(text)
  if (text === 'true' || text === 'false') return text === 'true'
  return textOf(text)
}

function numberOf(text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && !isRounded(text, value)) return value
  throw usage(`--where: ${text} would become ${value}, because numbers are doubles. Write "${text}" for a text.`)
}

const textOf = (text: string): string => /^"(.*)"$/.exec(text)?.[1] ?? text

/** A condition in words: `country in NL, BE and (plan equals beta or segment VIP)`. */
export function inWords(condition: unknown, nameOf: (id: string) => string, isInner = false): string {
  if (typeof condition !== 'object' || condition === null) return ''
  const given = condition as Record<string, unknown>
  for (const [list, word] of [
    ['all', ' and '],
    ['any', ' or '],
  ] as const) {
    const parts = given[list]
    if (!Array.isArray(parts)) continue
    if (parts.length === 0) return list === 'all' ? '' : 'nobody'
    const texts = parts.map((each) => inWords(each, nameOf, parts.length > 1))
    return isInner && parts.length > 1 ? `(${texts.join(word)})` : texts.join(word)
  }
  if ('not' in given) return `not (${inWords(given.not, nameOf)})`
  if (typeof given.audience === 'string') return `audience ${nameOf(given.audience)}`
  if (typeof given.segment === 'string') return `segment ${nameOf(given.segment)}`
  const { attribute, operator, value } = given
  const shown = Array.isArray(value) ? value.map(String).join(', ') : value === undefined ? '' : String(value)
  return [attribute, operator, shown].filter((part) => part !== '').join(' ')
}
