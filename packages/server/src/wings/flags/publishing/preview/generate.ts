import {
  type AttributeCondition,
  type Condition,
  compileCondition,
  type DataFile,
  murmur3,
  type OperatorGroup,
  operators,
  own,
  parseDate,
  type Segment,
} from '@svc/core'
import { segmentOf } from '../../../model/conditions/index.ts'

/** The context of a visitor. */
export interface Visitor {
  targetingKey: string
  [attribute: string]: unknown
}

interface Wanted {
  /** The data files whose rules the visitors try out. */
  files: readonly Pick<DataFile, 'flags' | 'audiences'>[]
  /** Visitors that overrides name. */
  userIds: readonly string[]
  /** Equal seeds give equal visitors. */
  seed: string
  count: number
}

const maxValues = 200

/**
 * Makes visitors from the attributes and values that rules name. Half of them meet the conditions of a rule, as far as
 * its values allow, so that each rule has visitors. The others have any of the values. Members of segments are made up
 * too: the real ones stay unknown to people who cannot read them.
 */
export function generateVisitors({ files, userIds, seed, count }: Wanted): {
  visitors: Visitor[]
  segments: Record<string, Segment>
} {
  const goals = files.flatMap(goalsOf)
  const { values, segmentIds } = namedIn(goals)
  const keys = [...new Set([...userIds, ...(values.get('targetingKey') ?? []).filter(isKey)])].slice(0, count)
  values.delete('targetingKey')
  values.delete('$now')
  const units = files.flatMap(unitsOf)
  const draw = drawer(seed)
  const solve = solver(values, draw)
  const members = new Map([...segmentIds].map((id) => [id, [] as string[]]))
  const visitors = Array.from({ length: count }, (_, index): Visitor => {
    const targetingKey = keys[index] ?? `visitor-${index + 1}`
    const draft: Draft = { attributes: new Map(), segments: new Set() }
    for (const unit of units) draft.attributes.set(unit, `${unit}-${index + 1}`)
    for (const [attribute, choices] of values) set(draft, attribute, [...choices, undefined], draw)
    for (const id of segmentIds) if (draw(2) === 1) draft.segments.add(id)
    const goal = goals[(index >> 1) % goals.length]
    if (goal && index % 2 === 0) solve(draft, goal, true)
    for (const id of draft.segments) members.get(id)?.push(targetingKey)
    return { ...Object.fromEntries(draft.attributes), targetingKey }
  })
  return { visitors, segments: Object.fromEntries([...members].map(([id, ids]) => [id, segmentOf(ids)])) }
}

/** A condition of a rule, with the audiences that it can name. */
interface Goal {
  condition: Condition
  audiences: Record<string, Condition>
}

interface Draft {
  attributes: Map<string, unknown>
  segments: Set<string>
}

type Draw = (below: number) => number

const rulesOf = ({ flags }: Pick<DataFile, 'flags'>) => Object.values(flags).flatMap(({ rules = [] }) => rules)

const goalsOf = (file: Pick<DataFile, 'flags' | 'audiences'>): Goal[] =>
  rulesOf(file).flatMap(({ when }) => (when ? { condition: when, audiences: file.audiences } : []))

const unitsOf = (file: Pick<DataFile, 'flags'>): string[] =>
  rulesOf(file)
    .flatMap(({ bucketBy = [] }) => bucketBy)
    .filter((name) => name !== 'targetingKey')

const isKey = (value: unknown): value is string => typeof value === 'string' && value !== ''

function drawer(seed: string): Draw {
  let drawn = 0
  return (below) => Math.floor((murmur3(`${seed}.${drawn++}`, 1) * below) / 2 ** 32)
}

function set({ attributes }: Draft, attribute: string, choices: readonly unknown[], draw: Draw): void {
  const value = choices[draw(choices.length)]
  if (value === undefined) attributes.delete(attribute)
  else attributes.set(attribute, value)
}

/** The values that conditions name, by attribute, with those just beside them; and the segments. */
function namedIn(goals: readonly Goal[]): { values: Map<string, unknown[]>; segmentIds: Set<string> } {
  const byText = new Map<string, Map<string, unknown>>()
  const segmentIds = new Set<string>()
  const visit = ({ condition, audiences }: Goal): void => {
    if ('segment' in condition) segmentIds.add(condition.segment)
    if (!('attribute' in condition)) return childrenOf({ condition, audiences }).forEach(visit)
    const known = byText.get(condition.attribute) ?? new Map<string, unknown>()
    byText.set(condition.attribute, known)
    for (const value of valuesFor(condition)) if (known.size < maxValues) known.set(JSON.stringify(value), value)
  }
  goals.forEach(visit)
  return { values: new Map([...byText].map(([name, known]) => [name, [...known.values()]])), segmentIds }
}

function childrenOf({ condition, audiences }: Goal): Goal[] {
  if ('all' in condition) return condition.all.map((child) => ({ condition: child, audiences }))
  if ('any' in condition) return condition.any.map((child) => ({ condition: child, audiences }))
  if ('not' in condition) return [{ condition: condition.not, audiences }]
  const audience = 'audience' in condition ? own(audiences, condition.audience) : undefined
  // An audience names no other audience.
  return audience ? [{ condition: audience, audiences: {} }] : []
}

/** Changes a visitor so that a condition holds, or fails. Conditions that contradict each other cannot all hold. */
function solver(values: ReadonlyMap<string, unknown[]>, draw: Draw) {
  const known = new Map<string, unknown[]>()
  const fitting = (condition: AttributeCondition, wanted: boolean): unknown[] => {
    const text = `${wanted} ${JSON.stringify(condition)}`
    const before = known.get(text)
    if (before) return before
    const test = compileCondition(condition)
    const choices = [...(values.get(condition.attribute) ?? []), undefined].filter(
      (value) => test(value === undefined ? {} : Object.fromEntries([[condition.attribute, value]])) === wanted,
    )
    known.set(text, choices)
    return choices
  }
  return function solve(draft: Draft, goal: Goal, wanted: boolean): void {
    const { condition } = goal
    if ('segment' in condition) {
      if (wanted) draft.segments.add(condition.segment)
      else draft.segments.delete(condition.segment)
      return
    }
    if ('attribute' in condition) {
      const choices = values.has(condition.attribute) ? fitting(condition, wanted) : []
      if (choices.length > 0) set(draft, condition.attribute, choices, draw)
      return
    }
    const children = childrenOf(goal)
    const needsAll = 'any' in condition ? !wanted : wanted
    const isList = 'all' in condition || 'any' in condition
    const chosen = !isList || needsAll ? children : children.slice(draw(children.length)).slice(0, 1)
    for (const child of chosen) solve(draft, child, 'not' in condition ? !wanted : wanted)
  }
}

/** Values on both sides of the border that a condition draws: equal, above and below, inside and outside. */
export function valuesFor({ operator, value, caseSensitive }: AttributeCondition): unknown[] {
  const found = value === undefined ? ['some'] : byGroup[operators[operator]](value)
  const uppercase = caseSensitive === false ? found.filter(isKey).map((text) => text.toUpperCase()) : []
  return [...found, ...uppercase]
}

const each = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])
const other = 'other'

const byGroup: Record<OperatorGroup, (value: unknown) => unknown[]> = {
  any: (value) => [...each(value), ...each(value).slice(0, 1).map(beside)],
  string: (value) =>
    each(value).flatMap((text) => [`${text}`, `${text}-x`, `x-${text}`, withoutPattern(`${text}`), other]),
  number(value) {
    const number = Number(value)
    return Number.isFinite(number) ? [number - 1, number, number + 1] : []
  },
  date(value) {
    const moment = parseDate(value)
    if (moment === undefined || Math.abs(moment) >= maxMoment) return []
    return [moment - 1, moment, moment + 1].map((at) => new Date(at).toISOString())
  },
  version(value) {
    const [, numbers = '', prerelease] = /^v?(\d+(?:\.\d+)*)(-)?/i.exec(String(value)) ?? []
    const parts = numbers.split('.')
    const last = String(Number(parts.pop()) + 1)
    return [value, [...parts, last].join('.'), prerelease ? '0.0.0-0' : `${numbers}-0`]
  },
  list: (value) => [[], [other], each(value), ...each(value).map((item) => [item])],
  network: (value) => [...each(value).map((block) => String(block).replace(/\/.*$/, '')), '192.0.2.1', '2001:db8::1'],
}

/** The latest moment that a date can hold, in epoch milliseconds. */
const maxMoment = 8.64e15

function beside(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  return typeof value === 'boolean' ? !value : `${value}-${other}`
}

/** A text that a simple pattern matches: what it spells out, with a character for each class of characters. */
const withoutPattern = (pattern: string): string =>
  pattern.replace(/\\(.)|[.^$*+?()[\]{}|]/gu, (sign, escaped?: string) => {
    if (escaped !== undefined) return own(ofClass, escaped) ?? escaped
    return sign === '.' ? 'x' : ''
  })

const ofClass: Record<string, string> = { d: '1', w: 'x', s: ' ' }
