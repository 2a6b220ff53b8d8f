import { escapeHtml } from '../html.ts'
import { inline } from '../markdown.ts'
import { choicesOf, refersTo, type Schema } from './openapi.ts'

/** The page that describes the named schemas. */
export const objectsAddress = '/docs/api-reference/objects'

const longestPattern = 60

export interface Field {
  name: string
  schema: Schema
  isRequired?: boolean | undefined
  description?: string | undefined
}

/** A list of fields with their types, limits and meaning. The fields of an object are listed below it. */
export function fieldList(fields: Field[]): string {
  if (fields.length === 0) return ''
  return `<ul class="fields">\n${fields.map(fieldItem).join('')}</ul>\n`
}

/** The fields of an object, of the objects in a list, or of each form. A named schema is a link and gives nothing. */
export function inside(schema: Schema): string {
  if (refersTo(schema)) return ''
  const { choices } = choicesOf(schema)
  if (choices.length === 1) return inside(choices[0]!)
  if (choices.some(isObject)) return choices.map(variant).join('')
  if (schema.items) return inside(schema.items)
  if (typeof schema.additionalProperties === 'object' && !schema.properties) return inside(schema.additionalProperties)
  return fieldList(fieldsOf(schema))
}

export const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }))

/** The type in words: `string`, `list of Flag`, `string or null`. */
export function typeOf(schema: Schema): string {
  const named = refersTo(schema)
  if (named) return `<a href="${objectsAddress}#${named}">${escapeHtml(named)}</a>`
  const { choices, isNullable } = choicesOf(schema)
  return `${plainType(schema, choices)}${isNullable ? ' or null' : ''}`
}

function plainType(schema: Schema, choices: Schema[]): string {
  if (choices.length > 0) return [...new Set(choices.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return typeof schema.const
  const types = [schema.type].flat().filter((type) => type !== 'null' && type !== undefined)
  if (types[0] === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'any'}`
  if (schema.format && formats[schema.format]) return formats[schema.format]!
  if (types.length === 0) return schema.properties ? 'object' : 'any'
  return escapeHtml(types.join(' or '))
}

const formats: Record<string, string> = {
  'date-time': 'date and time',
  uuid: 'UUID',
  email: 'e-mail address',
  uri: 'URL',
}

function fieldItem({ name, schema, isRequired, description = schema.description }: Field): string {
  // Omit the limits that the description already states.
  const said = description?.replaceAll(',', '')
  const rules = facts(schema).filter((fact) => !said?.includes(fact.replace(/\.$/, '').replaceAll(',', '')))
  const words = [description && inline(sentence(description)), ...rules].filter(Boolean).join(' ')
  return `<li><div class="field"><code>${escapeHtml(name)}</code> <span class="type">${typeOf(schema)}</span>${
    isRequired ? ' <span class="required">required</span>' : ''
  }</div>${words ? `<div class="about">${words}</div>` : ''}${inside(schema)}</li>\n`
}

const sentence = (text: string): string => (/[.!?:)`…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`)
const isObject = (schema: Schema): boolean => schema.properties !== undefined

function variant(schema: Schema, index: number, all: Schema[]): string {
  const mark = Object.entries(schema.properties ?? {}).find(
    ([, { const: value, enum: values }]) => value !== undefined || values?.length === 1,
  )
  const value = mark && (mark[1].const ?? mark[1].enum?.[0])
  const title = mark
    ? `<code>${escapeHtml(mark[0])}</code> is <code>${escapeHtml(String(value))}</code>`
    : `Form ${index + 1} of ${all.length}`
  return `<p class="variant">${title}</p>\n${refersTo(schema) ? `<p>${typeOf(schema)}</p>` : inside(schema)}`
}

const code = (value: unknown): string =>
  `<code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))}</code>`

/** The rules for a value, in words. */
export function facts(schema: Schema): string[] {
  const { choices } = choicesOf(schema)
  const inner = !refersTo(schema) && choices.length === 1 ? facts(choices[0]!) : []
  const { items } = schema
  const found = [
    schema.enum && `${schema.enum.length === 1 ? 'Always' : 'One of'} ${schema.enum.map(code).join(', ')}.`,
    items?.enum && `Each one of ${items.enum.map(code).join(', ')}.`,
    schema.const !== undefined && `Always ${code(schema.const)}.`,
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.minItems, schema.maxItems, 'entry', 'entries'),
    bounds(schema),
    !schema.format &&
      schema.pattern &&
      schema.pattern !== '\\S' &&
      schema.pattern.length <= longestPattern &&
      `Matches ${code(schema.pattern)}.`,
    schema.default !== undefined && `Default: ${schema.default === '' ? 'empty' : code(schema.default)}.`,
  ]
  return [...found.filter((fact) => typeof fact === 'string'), ...inner]
}

function range(least: number | undefined, most: number | undefined, one: string, many = `${one}s`): string | false {
  const counted = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`
  if (least !== undefined && most !== undefined && least > 0)
    return least === most ? `Exactly ${counted(least)}.` : `${least.toLocaleString('en')} to ${counted(most)}.`
  if (most !== undefined) return `At most ${counted(most)}.`
  return least !== undefined && least > 0 && `At least ${counted(least)}.`
}

/** Omits bounds that only keep a number exact in JavaScript. */
function bounds({ type, minimum, exclusiveMinimum, maximum }: Schema): string | false {
  const isTold = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  const words = (bound: number) => bound.toLocaleString('en')
  const isWhole = [type].flat().includes('integer')
  const least = isWhole && isTold(exclusiveMinimum) ? exclusiveMinimum + 1 : minimum
  if (isTold(least) && isTold(maximum)) return `${words(least)} to ${words(maximum)}.`
  const low = isTold(least)
    ? `at least ${words(least)}`
    : isTold(exclusiveMinimum) && `more than ${words(exclusiveMinimum)}`
  const found = [low, isTold(maximum) && `at most ${words(maximum)}`].filter(Boolean).join(', ')
  return found !== '' && `${found.replace(/^./, (letter) => letter.toUpperCase())}.`
}
