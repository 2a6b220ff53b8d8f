/** The parts of an OpenAPI 3.1 document that the reference uses. */
export interface OpenApi {
  info: { title: string; version: string; description?: string }
  paths: Record<string, Record<string, Operation>>
  /** The requests that the service sends, by event. */
  webhooks?: Record<string, Record<string, Operation>>
  components?: Components
}

export interface Components {
  schemas?: Record<string, Schema>
  headers?: Record<string, Header>
  responses?: Record<string, Answer>
}

export interface Header {
  $ref?: string
  description?: string
  schema?: Schema
  example?: unknown
}

export interface Operation {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  /** Empty: no credential. */
  security?: object[]
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
  example?: unknown
}

export interface Body {
  content?: Record<string, { schema?: Schema; example?: unknown }>
}

export interface Answer extends Body {
  $ref?: string
  description?: string
  headers?: Record<string, Header>
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
  /** The event, if the service sends the request. */
  event?: string
}

/** The calls by tag, in the order of the document. */
export function callsByTag({ paths, webhooks = {} }: OpenApi): Map<string, Call[]> {
  const called = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  const received = Object.entries(webhooks).flatMap(([event, operations]) =>
    Object.entries(operations).map(([method, each]) => ({ ...each, method: method.toUpperCase(), path: '', event })),
  )
  return Map.groupBy([...called, ...received], ({ tags }) => tags?.[0] ?? 'Other')
}
