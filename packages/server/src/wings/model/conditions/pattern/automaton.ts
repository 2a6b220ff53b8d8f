import type { AST } from '@eslint-community/regexpp'
import { kindsOf, type ReadCharacters } from './characters.ts'

type Node = AST.Pattern | AST.Alternative | AST.Element

/**
 * The Glushkov automaton (Glushkov 1961) of a pattern: what a backtracking engine can do with it. Each state is a
 * character of the pattern with its counts written out. Between two states there are as many edges as there are ways
 * from one to the other without reading a character, because such an engine tries each of them.
 */
export interface Automaton {
  /** The search begins at the first state. Unless the pattern is anchored, that state reads any character and stays. */
  states: State[]
  /** The number of kinds of characters. Characters of one kind lead to the same states. */
  kinds: number
}

export interface State {
  /** The kinds of characters that lead to this state. */
  reads: ReadonlySet<number>
  /** Numbers of ways to the next states, by their index. */
  next: Ways
  /** Number of ways to the end of the pattern. */
  ends: number
  /** True if the pattern matches as soon as this state is reached. */
  isEnough: boolean
  /** The source of the innermost unbounded repetition that contains the state. */
  repetition: string | undefined
}

type Ways = Map<number, number>

/** The maximum number of ways that is counted. Without it, the product of many ways would overflow. */
const countlessWays = 1_000_000
const capped = (ways: number): number => Math.min(ways, countlessWays)

/** A part of the pattern, with the states in which it can begin and end. */
interface Part {
  first: Ways
  last: Ways
  /** In how many ways it matches the empty text, and whether one of them has no assertion such as `^` or `\b`. */
  empty: number
  isFree: boolean
  /** The last states after which nothing more is required by the part. */
  enough: Set<number>
}

const nothing: Part = { first: new Map(), last: new Map(), empty: 1, isFree: true, enough: new Set() }

/** The number of characters of a pattern with its counts written out. A part that reads no character counts as one. */
export function sizeOf(node: Node): number {
  if (node.type === 'Quantifier') return copiesOf(node) * sizeOf(node.element)
  return Math.max(
    1,
    childrenOf(node).reduce((size, child) => size + sizeOf(child), 0),
  )
}

/** The first unbounded repetition of a part that can be empty, such as `(a*)*`. It has infinitely many ways. */
export function emptyRepetitionIn(node: Node): string | undefined {
  if (node.type === 'Quantifier' && node.max === Infinity && mayBeEmpty(node.element)) return node.raw
  return childrenOf(node)
    .map(emptyRepetitionIn)
    .find((found) => found !== undefined)
}

/** The pattern must have no look-around, back references or repetitions of a part that can be empty. */
export function automatonOf(pattern: AST.Pattern, readCharacters: ReadCharacters): Automaton {
  const { start, whole, states, characters } = readPattern(pattern)
  const searches = !whole.isFree && !isTied(pattern)
  states[start] = {
    next: searches ? sum(whole.first, new Map([[start, 1]])) : whole.first,
    ends: whole.empty,
    isEnough: whole.isFree,
    repetition: undefined,
  }
  for (const [state, ways] of whole.last) states[state]!.ends = ways
  for (const state of whole.enough) states[state]!.isEnough = true
  const kinds = kindsOf(characters, readCharacters)
  const everything = new Set(Array.from({ length: kinds.count }, (_, kind) => kind))
  return {
    states: states.map((state, index) => ({ ...state, reads: index === start ? everything : kinds.of[index - 1]! })),
    kinds: kinds.count,
  }
}

/** The states of a pattern, the one before its first character among them, and the ways between them. */
function readPattern(pattern: AST.Pattern) {
  const characters: AST.Element[] = []
  const states: Omit<State, 'reads'>[] = []
  let repetition: string | undefined

  function partOf(node: Node): Part {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return node.alternatives.map(partOf).reduce(either)
      case 'Alternative':
        return node.elements.map(partOf).reduce(sequence, nothing)
      case 'Quantifier':
        return repeated(node)
      case 'Assertion':
        return { ...nothing, isFree: false }
      default:
        characters.push(node)
        return stateAlone()
    }
  }

  function stateAlone(): Part {
    const state = states.push({ next: new Map(), ends: 0, isEnough: false, repetition }) - 1
    const ways: Ways = new Map([[state, 1]])
    return { first: ways, last: ways, empty: 0, isFree: false, enough: new Set([state]) }
  }

  function repeated(node: AST.Quantifier): Part {
    const copies = copiesOf(node)
    let whole = nothing
    for (let copy = copies; copy > 0; copy -= 1) {
      whole = node.max === Infinity && copy === copies ? loop(node) : sequence(partOf(node.element), whole)
      if (copy > node.min) whole = { ...whole, empty: capped(whole.empty + 1), isFree: true }
    }
    return whole
  }

  function loop(node: AST.Quantifier): Part {
    const outer = repetition
    repetition = node.raw
    const body = partOf(node.element)
    repetition = outer
    connect(body.last, body.first)
    return body
  }

  function sequence(before: Part, after: Part): Part {
    connect(before.last, after.first)
    return {
      first: sum(before.first, times(after.first, before.empty)),
      last: sum(after.last, times(before.last, after.empty)),
      empty: capped(before.empty * after.empty),
      isFree: before.isFree && after.isFree,
      enough: after.isFree ? before.enough.union(after.enough) : after.enough,
    }
  }

  function connect(from: Ways, to: Ways): void {
    for (const [state, ways] of from) {
      const known = states[state]!
      known.next = sum(known.next, times(to, ways))
    }
  }

  const start = [...stateAlone().first.keys()][0]!
  return { start, whole: partOf(pattern), states, characters }
}

const copiesOf = ({ min, max }: AST.Quantifier): number => (max === Infinity ? Math.max(min, 1) : max)

function childrenOf(node: Node): readonly Node[] {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives
    case 'Alternative':
      return node.elements
    case 'Quantifier':
      return [node.element]
    default:
      return []
  }
}

function mayBeEmpty(node: Node): boolean {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives.some(mayBeEmpty)
    case 'Alternative':
      return node.elements.every(mayBeEmpty)
    case 'Quantifier':
      return node.min === 0 || mayBeEmpty(node.element)
    default:
      return node.type === 'Assertion'
  }
}

/** Whether the pattern can only match at the beginning of the text. */
function isTied(node: Node): boolean {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives.every(isTied)
    case 'Alternative': {
      const first = node.elements.find((element) => element.type !== 'Assertion' || element.kind === 'start')
      return first !== undefined && isTied(first)
    }
    case 'Quantifier':
      return node.min > 0 && isTied(node.element)
    default:
      return node.type === 'Assertion' && node.kind === 'start'
  }
}

const either = (one: Part, other: Part): Part => ({
  first: sum(one.first, other.first),
  last: sum(one.last, other.last),
  empty: capped(one.empty + other.empty),
  isFree: one.isFree || other.isFree,
  enough: one.enough.union(other.enough),
})

function sum(some: Ways, more: Ways): Ways {
  if (some.size === 0) return more
  const all = new Map(some)
  for (const [state, ways] of more) all.set(state, capped((all.get(state) ?? 0) + ways))
  return all
}

const times = (some: Ways, factor: number): Ways =>
  factor === 0
    ? new Map()
    : factor === 1
      ? some
      : new Map([...some].map(([state, ways]) => [state, capped(ways * factor)]))
