import type { Selector } from 'css-what'
import type { Change } from './changes.ts'
import { parseHtml } from './html.ts'
import { parsedSelector } from './selector.ts'

/** How a selector counts an element among its neighbours. */
interface Counted {
  /** Where something that is inserted shifts the element: before it, after it, or in both places. */
  shifts: 'BEFORE' | 'AFTER' | 'BOTH'
  /** Only elements of this name count; undefined if all do. */
  name: string | undefined
}

/**
 * Whether a change makes its own selector find a different element, because the selector counts positions: a move does,
 * and so does an element that is inserted on the side from which positions are counted.
 */
export function shiftsItself(change: Change): boolean {
  if (change.type !== 'MOVE' && change.type !== 'INSERT') return false
  const counted = countedIn(parsedSelector(change.selector))
  if (change.type === 'MOVE') return counted.length > 0
  const { position } = change
  if (counted.length === 0 || position === 'FIRST' || position === 'LAST') return false
  const inserted = namesIn(change.value)
  const counts = (name: string | undefined) => (name === undefined ? inserted.length > 0 : inserted.includes(name))
  return counted.some(({ shifts, name }) => (shifts === 'BOTH' || shifts === position) && counts(name))
}

/** Text that is inserted has no position. */
function namesIn(html: string): string[] {
  const parsed = parseHtml(html)
  return 'faults' in parsed ? [] : parsed.nodes.flatMap((node) => (typeof node === 'string' ? [] : [node[0]]))
}

/** Only what stands behind the last combinator: something beside an element does not shift the elements around it. */
function countedIn(list: readonly Selector[][] | string): Counted[] {
  if (typeof list === 'string') return []
  return list.flatMap((steps) => {
    const at = steps.findLastIndex(({ type }) => combinators.has(type))
    const own = steps.slice(at + 1)
    const name = own.flatMap((step) => (step.type === 'tag' ? [step.name.toLowerCase()] : []))[0]
    const next: Counted[] = steps[at]?.type === 'adjacent' ? [{ shifts: 'BEFORE', name: undefined }] : []
    return [...next, ...own.flatMap((step) => countedBy(step, name))]
  })
}

const combinators: ReadonlySet<string> = new Set(['child', 'descendant', 'adjacent', 'sibling'])

function countedBy(step: Selector, name: string | undefined): Counted[] {
  if (step.type !== 'pseudo') return []
  if (Array.isArray(step.data)) return step.name === 'has' ? [] : countedIn(step.data)
  const [, which, kind] = /^(nth|nth-last|first|last|only)-(child|of-type)$/.exec(step.name) ?? []
  if (which === undefined) return []
  const isEvery = which === 'only' || (typeof step.data === 'string' && !/^\s*\+?\d+\s*$/.test(step.data))
  const shifts = isEvery ? 'BOTH' : which === 'nth-last' || which === 'last' ? 'AFTER' : 'BEFORE'
  return [{ shifts, name: kind === 'of-type' ? name : undefined }]
}
