import { isRounded } from '@svc/core'

/** What `JSON.parse` would change silently: the path of a number, and the number that it would become. */
export interface Rounded {
  path: PropertyKey[]
  source: string
  value: number
}

/**
 * The first whole number of a JSON text that a double cannot hold. The digits that a double is written with are
 * accepted, such as 12345678901234567000, and longer fractions are rounded, as everywhere.
 *
 * @param text well-formed JSON that is not nested deeply
 */
export function roundedNumber(text: string): Rounded | undefined {
  if (!longNumber.test(text)) return undefined
  const marks = new Set<unknown>()
  const mark = (_name: string, value: unknown, context?: { source?: string }): unknown => {
    const source = context?.source
    if (typeof value !== 'number' || source === undefined || !isRounded(source, value)) return value
    const marked = { source, value }
    marks.add(marked)
    return marked
  }
  const document: unknown = JSON.parse(text, mark)
  const find = (node: unknown, path: PropertyKey[]): Rounded | undefined => {
    if (typeof node !== 'object' || node === null) return undefined
    if (marks.has(node)) return { ...(node as Omit<Rounded, 'path'>), path }
    for (const [name, child] of Object.entries(node)) {
      const found = find(child, [...path, Array.isArray(node) ? Number(name) : name])
      if (found) return found
    }
    return undefined
  }
  return marks.size > 0 ? find(document, []) : undefined
}

/** Also with a point between its digits. */
const longNumber = /\d(?:\.?\d){15}/

/** Why a number is refused, after what it must be. */
export const wouldBecome = ({ source, value }: Rounded): string =>
  `${source} would become ${value}, because numbers are doubles. Use text for longer ones.`

/**
 * Only for well-formed JSON. Outside strings, there is a colon after each name and a comma between items, and each list or
 * object is opened once.
 */
export function shapeOf(text: string): { names: number; commas: number; opened: number; depth: number } {
  const shape = { names: 0, commas: 0, opened: 0, depth: 0 }
  let level = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') index = endOfText(text, index)
    else if (character === ',') shape.commas += 1
    else if (character === ':') shape.names += 1
    else if (character === ']' || character === '}') level -= 1
    else if (character === '[' || character === '{') {
      level += 1
      shape.opened += 1
      if (level > shape.depth) shape.depth = level
    }
  }
  return shape
}

function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text[quote - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

/** How many names the objects of a value have. If its text has more, an object has the same name twice. */
export function namesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const children = Object.values(value)
  return children.reduce<number>((sum, child) => sum + namesOf(child), Array.isArray(value) ? 0 : children.length)
}
