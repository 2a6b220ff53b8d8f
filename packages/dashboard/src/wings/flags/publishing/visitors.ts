export type Visitor = { targetingKey: string } & Record<string, unknown>

export const maxVisitors = 10_000

/**
 * Visitors from pasted text: a JSON array, or one JSON object in each line. A fault names the line and the rule. No
 * line is left out silently.
 */
export function visitorsIn(text: string): { visitors: Visitor[] } | { fault: string } {
  const trimmed = text.trim()
  if (trimmed === '') return { fault: 'Paste at least one visitor.' }
  const read = trimmed.startsWith('[') ? inArray(trimmed) : inLines(trimmed)
  if (typeof read === 'string') return { fault: read }
  if (read.length > maxVisitors)
    return { fault: `These are ${read.length.toLocaleString('en')} visitors. At most 10,000 can be tried.` }
  const bad = read.findIndex(({ value }) => !isVisitor(value))
  if (bad >= 0) return { fault: `${read[bad]!.place} must be an object with the text “targetingKey”.` }
  return { visitors: read.map(({ value }) => value as Visitor) }
}

interface Read {
  place: string
  value: unknown
}

function inArray(text: string): Read[] | string {
  const values = parsed(text)
  if (!Array.isArray(values?.value)) return 'The text is not a JSON array.'
  return values.value.map((value, at) => ({ place: `Visitor ${at + 1}`, value }))
}

function inLines(text: string): Read[] | string {
  const read: Read[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const value = parsed(line)
    if (!value) return `Line ${at + 1} is not JSON.`
    read.push({ place: `Line ${at + 1}`, value: value.value })
  }
  return read
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Whether rules can distinguish this visitor from others. */
export const isVisitor = (value: unknown): value is Visitor =>
  typeof value === 'object' && value !== null && 'targetingKey' in value && typeof value.targetingKey === 'string'
