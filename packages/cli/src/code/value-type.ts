export type Json = boolean | string | number | null | Json[] | { [key: string]: Json }

/** The keywords of a value schema that types need. The service refuses unknown keywords. */
interface ValueSchema {
  type?: string
  properties?: Record<string, ValueSchema>
  required?: string[]
  additionalProperties?: boolean | ValueSchema
  items?: ValueSchema
  enum?: Json[]
  const?: Json
}

/** The TypeScript type of values that fit a schema. What the schema leaves open is `JsonValue`. */
export function typeOfSchema(schema: ValueSchema): string {
  if ('const' in schema) return literalType(schema.const!)
  if (schema.enum) return union(schema.enum.map(literalType))
  if (schema.type === 'array') return `readonly ${grouped(schema.items ? typeOfSchema(schema.items) : anything)}[]`
  if (schema.type === 'object') return objectType(schema)
  return simpleTypes[schema.type ?? ''] ?? anything
}

const anything = 'JsonValue'
const simpleTypes: Record<string, string> = {
  ...{ string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' },
}

function objectType({ properties = {}, required = [], additionalProperties = true }: ValueSchema): string {
  const names = new Set([...Object.keys(properties), ...required])
  if (names.size > 0)
    return fields(
      [...names].map((name) => {
        const schema = Object.hasOwn(properties, name) ? properties[name]! : {}
        return `readonly ${propertyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOfSchema(schema)}`
      }),
    )
  if (additionalProperties === false) return 'Readonly<Record<string, never>>'
  return fields([
    `readonly [name: string]: ${additionalProperties === true ? anything : typeOfSchema(additionalProperties)}`,
  ])
}

/** The type that only this value has. */
function literalType(value: Json): string {
  if (Array.isArray(value)) return `readonly [${value.map(literalType).join(', ')}]`
  if (typeof value !== 'object' || value === null) return literalOf(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return 'Readonly<Record<string, never>>'
  return fields(entries.map(([name, field]) => `readonly ${propertyOf(name)}: ${literalType(field)}`))
}

/** A value as it is written in TypeScript. */
export function literalOf(value: Json): string {
  if (typeof value === 'string') return textOf(value)
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, field]) => `${propertyOf(key)}: ${literalOf(field)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

export const union = (types: string[]): string => [...new Set(types)].join(' | ')

/** `__proto__` in brackets, because the plain name would set the prototype. */
export const propertyOf = (key: string): string =>
  key === '__proto__' ? `['__proto__']` : /^[A-Za-z_$][\w$]*$/.test(key) ? key : textOf(key)

/** A text in single quotes. */
export const textOf = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')}'`

const fields = (all: string[]): string => `{ ${all.join('; ')} }`

const grouped = (type: string): string => (/^[\w.]+$/.test(type) || type.startsWith('{') ? type : `(${type})`)
