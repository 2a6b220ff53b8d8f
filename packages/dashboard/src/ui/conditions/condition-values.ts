import { type AttributeCondition, type ConditionValue, foldable, type Operator, operators } from './conditions.ts'

/** The entries of a pasted or typed list: by line, comma, semicolon or tab, trimmed, without repetitions. */
export const listIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n\r,;\t]+/)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  ),
]

/** A number if the text is one, else the text as it is, so that nothing typed is lost. */
export function numberIn(text: string): number | string {
  const trimmed = text.trim()
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text
}

/** As `numberIn`, while the text is being typed: "1." and "1.0" stay texts, so that the rest can follow. */
export const typedNumber = (text: string): number | string => (String(Number(text)) === text ? numberIn(text) : text)

export type ScalarType = 'text' | 'number' | 'yes-no'

export const scalarType = (value: unknown): ScalarType =>
  typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'yes-no' : 'text'

/** The same value as another type. A text that is not a number stays a text. */
export function asType(value: string | number | boolean, type: ScalarType): string | number | boolean {
  if (type === 'text') return String(value)
  if (type === 'number') return numberIn(String(value))
  return value === true || value === 'true'
}

/** The condition with another operator. The value is kept as far as the operator can use one. */
export function withOperator(condition: AttributeCondition, operator: Operator): AttributeCondition {
  const { attribute, value, caseSensitive } = condition
  const next: AttributeCondition = { attribute, operator }
  const { kind } = operators[operator]
  if (kind !== 'none') next.value = valueFor(kind, value)
  if (caseSensitive !== undefined && foldable.has(operator)) next.caseSensitive = caseSensitive
  return next
}

function valueFor(kind: string, value: ConditionValue | undefined): ConditionValue {
  if (kind === 'list' || kind === 'networks') {
    if (Array.isArray(value)) return value
    if (value === undefined || value === '') return []
    return typeof value === 'string' ? listIn(value) : [value]
  }
  const one = Array.isArray(value) ? (value.length === 1 ? value[0]! : value.join(', ')) : (value ?? '')
  if (kind === 'scalar') return one
  return kind === 'number' ? numberIn(String(one)) : String(one)
}

/** The value of `<input type="datetime-local">` for a date of a condition, in the time zone of the browser. */
export function localInput(value: unknown): string {
  const date = new Date(typeof value === 'number' ? value : String(value ?? ''))
  if (Number.isNaN(date.getTime())) return ''
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** The date of a condition for what `<input type="datetime-local">` has. */
export function isoOf(input: string): string {
  const date = new Date(input)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

/** What is wrong with a value before it is sent, or undefined. The service checks everything again. */
export function valueFault({ operator, value }: AttributeCondition): string | undefined {
  const { kind } = operators[operator]
  if (kind === 'none') return undefined
  if (kind === 'list' || kind === 'networks') {
    const count = Array.isArray(value) ? value.length : value === undefined || value === '' ? 0 : 1
    return count === 0 ? `Add at least one ${kind === 'list' ? 'value' : 'network'}.` : undefined
  }
  if (kind === 'number') return typeof value === 'number' ? undefined : 'Enter a number.'
  if (kind === 'date') return localInput(value) === '' ? 'Choose a date and a time.' : undefined
  return value === undefined || value === '' ? 'Enter a value.' : undefined
}
