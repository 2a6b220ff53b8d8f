import { utcMoment } from '../time/dates.ts'
import {
  type AttributeCondition,
  type Condition,
  type ConditionValue,
  isAttribute,
  isGroup,
  operators,
  partsOf,
} from './conditions.ts'

/** A piece of a sentence, so that attributes and values can look different from words. */
export interface Words {
  text: string
  is: 'word' | 'attribute' | 'value'
}

export interface ConditionNames extends Wording {
  /** Names of audiences and segments by id. Undefined where the lists are not known. */
  audiences?: ReadonlyMap<string, string> | undefined
  segments?: ReadonlyMap<string, string> | undefined
}

/** What differs where conditions are about something else than people. */
export interface Wording {
  /** What a tree without conditions is called. Default: everyone. */
  everyone?: string
  /** What “any of” without a condition is called. Default: nobody. */
  nobody?: string
  /** What an attribute is called. Default: its name. */
  attribute?: (name: string) => string
}

const maxValues = 5
const word = (text: string): Words => ({ text, is: 'word' })
const value = (text: string): Words => ({ text, is: 'value' })

/** "everyone", "country is NL, BE or LU and in Beta users": a tree of conditions as a sentence. */
export function conditionWords(condition: Condition, names: ConditionNames = {}): Words[] {
  return nodeWords(condition, names, false)
}

/** The sentence as one text. */
export const conditionSentence = (condition: Condition, names: ConditionNames = {}): string =>
  textOf(conditionWords(condition, names))

export const textOf = (words: readonly Words[]): string => words.map(({ text }) => text).join('')

function nodeWords(node: Condition, names: ConditionNames, isInside: boolean): Words[] {
  if (isGroup(node)) return groupWords(node, names, isInside)
  if ('not' in node) {
    if ('audience' in node.not || 'segment' in node.not) return [word('not '), ...nodeWords(node.not, names, true)]
    return [word('not ('), ...nodeWords(node.not, names, false), word(')')]
  }
  if ('audience' in node) {
    const name = names.audiences?.get(node.audience)
    return name === undefined ? [word(`in ${unnamed(names.audiences, 'audience')}`)] : [word('in '), value(name)]
  }
  if ('segment' in node) {
    const name = names.segments?.get(node.segment)
    return name === undefined
      ? [word(`in ${unnamed(names.segments, 'segment')}`)]
      : [word('in the segment '), value(name)]
  }
  return isAttribute(node) ? attributeWords(node, names.attribute) : [word(JSON.stringify(node))]
}

function groupWords(
  group: { all: Condition[] } | { any: Condition[] },
  names: ConditionNames,
  isInside: boolean,
): Words[] {
  const parts = partsOf(group)
  if (parts.length === 0) return [word('all' in group ? (names.everyone ?? 'everyone') : (names.nobody ?? 'nobody'))]
  const isAlone = parts.length === 1
  const between = word('all' in group ? ' and ' : ' or ')
  const inner = parts.flatMap((part, index) => {
    const words = nodeWords(part, names, !isAlone || isInside)
    return index === 0 ? words : [between, ...words]
  })
  return isInside && !isAlone ? [word('('), ...inner, word(')')] : inner
}

// Only who has read the list knows that a name is missing.
const unnamed = (names: ReadonlyMap<string, string> | undefined, kind: 'audience' | 'segment'): string =>
  names ? `an unknown ${kind}` : kind === 'audience' ? 'an audience' : 'a segment'

/** The name of an audience as it stands in a sentence. */
export const audienceName = ({ audiences }: ConditionNames, id: string): string =>
  audiences?.get(id) ?? unnamed(audiences, 'audience')

type Things = readonly { id: string; name: string }[]

/** Names by id. Undefined while the list loads, and for people who may not read it. */
export function namesById(things: Things): ReadonlyMap<string, string>
export function namesById(things: Things | null | undefined): ReadonlyMap<string, string> | undefined
export function namesById(things: Things | null | undefined): ReadonlyMap<string, string> | undefined {
  return things ? new Map(things.map(({ id, name }) => [id, name])) : undefined
}

function attributeWords(condition: AttributeCondition, called: Wording['attribute']): Words[] {
  const { attribute, operator, value: wanted, caseSensitive } = condition
  const text = called?.(attribute) ?? attribute
  const name: Words = attribute === '$now' ? word('the time') : { text: text || '…', is: 'attribute' }
  const any = caseSensitive === false ? [word(' (in any case)')] : []
  const { kind, words } = operators[operator]
  if (kind === 'none') return [name, word(` ${words}`)]
  const values = (Array.isArray(wanted) ? wanted : [wanted]).map((each) => shown(kind, each))
  const isChoice = operator === 'in' || operator === 'notIn'
  const verb = isChoice && values.length <= maxValues ? (operator === 'in' ? 'is' : 'is not') : words
  const last = operator === 'includesAll' ? ' and ' : ' or '
  return [name, word(` ${verb} `), ...listWords(values, last), ...any]
}

function listWords(values: readonly string[], last: string): Words[] {
  if (values.length === 0) return [word('…')]
  if (values.length > maxValues)
    return [word(`${values.length.toLocaleString('en')} values: `), ...listWords(values.slice(0, 2), ', '), word(', …')]
  return values.flatMap((each, index) => {
    if (index === 0) return [value(each)]
    return [word(index === values.length - 1 ? last : ', '), value(each)]
  })
}

function shown(kind: string, each: ConditionValue | undefined): string {
  const at = kind === 'date' && each !== '' && each !== undefined ? new Date(each as string | number) : undefined
  if (at && !Number.isNaN(at.getTime())) return utcMoment(at)
  if (each === '') return '(empty)'
  return each === undefined ? '…' : String(each)
}
