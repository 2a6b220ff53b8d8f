import { type Call, choicesOf, refersTo, type Schema, type Schemas } from './openapi.ts'

const id = '0198f2c6-1b2d-7c3e-8f4a-5b6c7d8e9f00'
const moment = '2026-12-01T09:00:00.000Z'
const maxDepth = 8

/** Examples by field name, which read better than the name of a type. */
const byName: Record<string, unknown> = {
  name: 'New checkout',
  key: 'new-checkout',
  description: 'One page in place of three',
  defaultVariationKey: 'off',
  variationKey: 'on',
  baselineVariationKey: 'off',
  value: 'true',
  email: 'ada@example.org',
  sdkKey: 'sdk_1f9c0a7e5b3d',
  url: 'https://example.org/hooks/svc',
  shortId: 1,
  position: 0,
  revision: 42,
  nextCursor: null,
  hasMore: false,
  color: '#3b5bdb',
  bucketBy: 'targetingKey',
  attribute: 'country',
}
const byFormat: Record<string, string> = {
  'date-time': moment,
  uuid: id,
  email: 'ada@example.org',
  uri: 'https://example.org',
}

/** @param isBody a request body, which shows only required fields; a response shows all */
export function exampleOf(schema: Schema, schemas: Schemas, isBody = false, name = '', depth = 0): unknown {
  const inner = (part: Schema, partName = name) => exampleOf(part, schemas, isBody, partName, depth + 1)
  const named = refersTo(schema)
  if (named !== undefined) return inner(schemas[named] ?? {})
  if (schema.examples?.length) return schema.examples[0]
  if (schema.example !== undefined) return schema.example
  if (schema.const !== undefined) return schema.const
  if (schema.enum?.length) return schema.enum[0]
  if (depth > maxDepth) return null
  const { choices } = choicesOf(schema)
  if (choices[0]) return inner(choices[0])
  if (schema.properties) return objectOf(schema, isBody, inner)
  const type = [schema.type].flat().find((each) => each !== 'null')
  if (type === 'array') return Array.from({ length: (isBody && schema.minItems) || 1 }, () => inner(schema.items ?? {}))
  if (type === 'object') return {}
  if (schema.format && byFormat[schema.format]) return byFormat[schema.format]
  if (Object.hasOwn(byName, name) && (type === undefined || fits(byName[name], type))) return byName[name]
  if (/(?:^i|I)ds?$/.test(name)) return id
  if (type === 'boolean') return schema.default ?? true
  if (type === 'integer' || type === 'number') return schema.default ?? numberWithin(schema)
  return typeof schema.default === 'string' ? schema.default : type === 'string' ? 'text' : {}
}

const fits = (value: unknown, type: string): boolean =>
  value === null || typeof value === (type === 'integer' ? 'number' : type)

function objectOf(
  { properties = {}, required = [] }: Schema,
  isBody: boolean,
  inner: (part: Schema, name: string) => unknown,
): object {
  const names = Object.keys(properties)
  const shown = isBody ? (required.length > 0 ? required : names.slice(0, 1)) : names
  return Object.fromEntries(shown.map((name) => [name, inner(properties[name] ?? {}, name)]))
}

const numberWithin = ({ minimum = 0, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER }: Schema): number => {
  const low = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1
  return Math.min(Math.max(1, low), maximum)
}

const variables: Record<string, string> = { projectId: 'SVC_PROJECT', envId: 'SVC_ENV' }
const variableOf = (name: string): string => variables[name] ?? name.replace(/[A-Z]/g, '_$&').toUpperCase()

/** The call as a curl command with the variables of the guides. */
export function curl({ method, path, parameters = [], requestBody }: Call, schemas: Schemas): string {
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema = {} }) => `${name}=${String(exampleOf(schema, schemas, true, name))}`)
  const url = path.replace(/\{(\w+)\}/g, (_all, name: string) => `$${variableOf(name)}`)
  const [[contentType, { schema, example = undefined } = {}] = []] = Object.entries(requestBody?.content ?? {})
  const isImplied = method === 'GET' || (method === 'POST' && contentType !== undefined)
  const lines = [
    `curl ${isImplied ? '' : `-X ${method} `}"$SVC_URL${url}${query.length > 0 ? `?${query.join('&')}` : ''}"`,
    `-H "Authorization: Bearer $SVC_TOKEN"`,
  ]
  if (contentType !== undefined) {
    const body = example ?? exampleOf(schema ?? {}, schemas, true)
    lines.push(`-H 'Content-Type: ${contentType}'`, `-d '${toJson(body).replaceAll("'", "'\\''")}'`)
  }
  return lines.join(' \\\n  ')
}

const width = 80

/** Formats JSON as people write it: values that fit stay on one line. */
export function toJson(value: unknown, indent = ''): string {
  const flat = inLine(value)
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= width) return flat
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((each) => `${inner}${toJson(each, inner)}`)
    : Object.entries(value).map(([name, each]) => `${inner}${JSON.stringify(name)}: ${toJson(each, inner)}`)
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${inLine(each)}`)
  return fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}'
}
