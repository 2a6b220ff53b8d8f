import type { ChangeSet } from './change-set.ts'

/** The set as people edit it: what is null by default is left out of changes. */
export const textOfSet = ({ changes, css }: ChangeSet): string =>
  JSON.stringify({ changes: changes.map(withoutDefaults), css }, null, 2)

const withoutDefaults = (change: ChangeSet['changes'][number]) =>
  Object.fromEntries(Object.entries(change).filter(([field, value]) => !(field === 'was' && value === null)))

/**
 * The set that a text describes, or what is wrong with the text. It can be what an assistant answers: in a block of code, or
 * the list of changes alone. What is wrong with the changes themselves, the service says.
 */
export function setIn(text: string): { set: ChangeSet } | { fault: string } {
  const json = /^\s*```\w*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text
  if (json.trim() === '') return { fault: 'Enter the changes as JSON.' }
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (fault) {
    return { fault: `This is not JSON${placeIn(json, fault)}. Check the quotes, commas and brackets.` }
  }
  if (Array.isArray(value)) return { set: { changes: value, css: null } }
  if (typeof value !== 'object' || value === null)
    return { fault: 'Enter an object with changes and css, or a list of changes.' }
  const { dryRun: _none, ...set } = value as Record<string, unknown>
  return { set: { css: null, ...set } as unknown as ChangeSet }
}

/** Browsers say where in different words, or not at all. */
function placeIn(json: string, fault: unknown): string {
  const { message } = fault as Error
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? []
  if (line !== undefined) return ` at line ${line}, column ${column}`
  const at = /position (\d+)/.exec(message)?.[1]
  if (at === undefined) return ''
  const before = json.slice(0, Number(at)).split('\n')
  return ` at line ${before.length}, column ${before.at(-1)!.length + 1}`
}

/** A path as people write it: "changes[2].value.color". */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`)).join('')

/** The line of the text on which the value of a path begins, counted from 1; undefined if the text has no such path. */
export function lineOf(text: string, path: readonly PropertyKey[]): number | undefined {
  const at = startOf(text, path)
  return at === undefined ? undefined : text.slice(0, at).split('\n').length
}

/** Reads the text once, token by token, and notes where each value begins. */
function startOf(text: string, wanted: readonly PropertyKey[]): number | undefined {
  const goal = wanted.map(String).join('\n')
  const here: (string | number)[] = []
  const isList: boolean[] = []
  let isKey = false
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const isValue = !isKey && !['}', ']', ',', ':'].includes(token)
    if (isValue && here.map(String).join('\n') === goal) return index
    if (token === '{' || token === '[') {
      isList.push(token === '[')
      here.push(token === '[' ? 0 : '')
      isKey = token === '{'
    } else if (token === '}' || token === ']') {
      isList.pop()
      here.pop()
      isKey = false
    } else if (token === ',') {
      const last = here.at(-1)
      if (typeof last === 'number') here[here.length - 1] = last + 1
      isKey = isList.at(-1) === false
    } else if (isKey) {
      here[here.length - 1] = nameIn(token)
      isKey = false
    }
  }
  return undefined
}

function nameIn(token: string): string {
  try {
    return String(JSON.parse(token))
  } catch {
    return token
  }
}
