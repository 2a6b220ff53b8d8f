/** A visitor as an SDK gets it: `targetingKey` and attributes. */
export type Context = Record<string, unknown>

/** One attribute in the form, with its value as it is typed. */
export interface Row {
  name: string
  text: string
}

/** What the form shows: the visitor id, and one row for each attribute. */
export interface VisitorForm {
  targetingKey: string
  rows: Row[]
}

/** This many attributes of the project have a field before anybody adds one. */
const offered = 6

/** The form for a visitor. Attributes that rules of the project read have a field, even if they are empty. */
export function formOf(context: Context, known: readonly string[]): VisitorForm {
  const { targetingKey, ...attributes } = context
  const rows = Object.entries(attributes).map(([name, value]) => ({ name, text: textOf(value) }))
  const empty = known
    .filter((name) => isOffered(name) && !(name in attributes))
    .slice(0, Math.max(0, offered - rows.length))
    .map((name) => ({ name, text: '' }))
  const key = typeof targetingKey === 'string' ? targetingKey : targetingKey === undefined ? '' : textOf(targetingKey)
  return { targetingKey: key, rows: [...rows, ...empty] }
}

/** People do not type the visitor id or the names that the evaluation fills in. */
export const isOffered = (name: string): boolean => name !== 'targetingKey' && !name.startsWith('$')

/** The visitor in the form. Rows without a name or a value are left out. */
export function contextOf({ targetingKey, rows }: VisitorForm): Context {
  const typed = rows.filter(({ name, text }) => name.trim() !== '' && text.trim() !== '')
  return {
    ...(targetingKey.trim() !== '' && { targetingKey: targetingKey.trim() }),
    ...Object.fromEntries(typed.map(({ name, text }) => [name.trim(), valueIn(text)])),
  }
}

/**
 * What a typed text means: a number, true or false, a list or an object in JSON; anything else is a text. Quotes make a
 * text of what looks like something else: "30".
 */
export function valueIn(text: string): unknown {
  const trimmed = text.trim()
  if (!/^(-?\d|true$|false$|null$|[["{])/.test(trimmed)) return trimmed
  try {
    return JSON.parse(trimmed)
  } catch {
    return trimmed
  }
}

/** The text that means this value. */
export function textOf(value: unknown): string {
  if (typeof value === 'string' && value !== '' && value === value.trim() && valueIn(value) === value) return value
  return JSON.stringify(value)
}

/** What the text is taken as, where that is not a text. */
export function kindOf(text: string): string | undefined {
  const value = valueIn(text)
  if (typeof value === 'number') return 'a number'
  if (typeof value === 'boolean') return 'true or false'
  if (Array.isArray(value)) return 'a list'
  if (value === null) return 'no value'
  if (typeof value === 'object') return 'an object'
  return text.trim().startsWith('"') && value !== text.trim() ? 'a text' : undefined
}

/** A visitor that was typed as JSON; undefined if it is not an object. */
export function contextIn(json: string): Context | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Context) : undefined
  } catch {
    return undefined
  }
}
