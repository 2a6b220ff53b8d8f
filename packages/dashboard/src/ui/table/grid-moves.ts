/** What a key does in a table whose rows can be walked through and selected. */
export type GridMove =
  | { kind: 'go'; to: number; extends: boolean }
  | { kind: 'select' }
  | { kind: 'select-to' }
  | { kind: 'open' }
  | { kind: 'into' }
  | { kind: 'clear' }

interface Stroke {
  key: string
  shiftKey: boolean
}

const page = 10

/** The move of a key on a row, or undefined if the key means nothing here. */
export function gridMove({ key, shiftKey }: Stroke, at: number, count: number): GridMove | undefined {
  const go = (to: number): GridMove => ({ kind: 'go', to: Math.max(0, Math.min(count - 1, to)), extends: shiftKey })
  switch (key) {
    case 'j':
    case 'J':
    case 'ArrowDown':
      return go(at + 1)
    case 'k':
    case 'K':
    case 'ArrowUp':
      return go(at - 1)
    case 'PageDown':
      return go(at + page)
    case 'PageUp':
      return go(at - page)
    case 'Home':
      return go(0)
    case 'End':
      return go(count - 1)
    case 'x':
    case ' ':
      return { kind: 'select' }
    case 'X':
      return { kind: 'select-to' }
    case 'Enter':
      return { kind: 'open' }
    case 'ArrowRight':
      return { kind: 'into' }
    case 'Escape':
      return { kind: 'clear' }
    default:
      return undefined
  }
}

/** The selection with one row switched. */
export function switched(selected: ReadonlySet<string>, key: string): Set<string> {
  const next = new Set(selected)
  if (!next.delete(key)) next.add(key)
  return next
}

/** The selection with all rows between two others, both included. */
export function through(selected: ReadonlySet<string>, keys: readonly string[], from: number, to: number): Set<string> {
  const [first, last] = from < to ? [from, to] : [to, from]
  return new Set([...selected, ...keys.slice(Math.max(0, first), last + 1)])
}
