/** The parts of an OpenAPI 3.1 document that the reference uses. */
export interface OpenApi {
  info: { title: string; version: string; description?: string }
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

export interface Operation {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: Body & { required?: boolean }
  responses: Record<string, Answer>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  description?: string
  schema?: Schema
}

export interface Body {
  content?: Record<string, { schema?: Schema; example?: unknown }>
}

export interface Answer extends Body {
  description?: string
  headers?: Record<string, { description?: string; schema?: Schema; required?: boolean }>
}

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  format?: string
  pattern?: string
  default?: unknown
  example?: unknown
  examples?: unknown[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** Schemas by name. */
export type Schemas = Readonly<Record<string, Schema>>

/** The name of the schema that this one refers to. */
export const refersTo = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1)

/** The choices of a schema without `null`, and whether `null` is one of them. */
export function choicesOf(schema: Schema): { choices: Schema[]; isNullable: boolean } {
  const choices = schema.oneOf ?? schema.anyOf ?? []
  const kept = choices.filter(({ type }) => type !== 'null')
  const types = [schema.type].flat()
  return { choices: kept, isNullable: kept.length < choices.length || (types.length > 1 && types.includes('null')) }
}

/** One operation of the document with its method and path. */
export interface Call extends Operation {
  method: string
  path: string
}

/** The calls by tag, in the order of the document. */
export function callsByTag({ paths }: OpenApi): Map<string, Call[]> {
  const found = new Map<string, Call[]>()
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? 'Other'
      found.set(tag, [...(found.get(tag) ?? []), { ...operation, method: method.toUpperCase(), path }])
    }
  return found
}
