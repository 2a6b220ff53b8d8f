import { type RefusalKind, refusals } from '../../catalogue/refusals.ts'
import { headersOfRefusal } from '../errors.ts'
import { type AnswerHeader, answerHeaders } from './answer-headers.ts'
import { exampleOf, type Schema, type Schemas } from './example.ts'
import type { DescribedAnswers, ErrorAnswer } from './operation.ts'

export interface OpenApiDocument {
  paths?: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
  components?: Components
  [key: string]: unknown
}

export interface Components {
  schemas?: Record<string, Schema>
  [kind: string]: Record<string, unknown> | undefined
}

/** Marks an operation whose body can be left out, for `completed`. */
export const optionalBody = 'x-optional-body'

export interface Operation extends Partial<DescribedAnswers> {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  security?: object[]
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[]
  [optionalBody]?: true
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, Response>
  [key: string]: unknown
}

export interface Response {
  $ref?: string
  description?: string
  headers?: Record<string, { $ref: string }>
  content?: Content
}

type Content = Record<string, { schema?: Schema; example?: unknown; examples?: object }>

/** Completes what the framework has printed: names for bodies and answers, headers, refusals and examples. */
export function completed(document: OpenApiDocument): OpenApiDocument {
  const responses: Record<string, unknown> = {}
  const schemas = named(withoutInputNames(document))
  const paths = mapValues(schemas.paths ?? {}, (operations) =>
    mapValues(operations, (operation) => withAnswers(withRequired(operation), responses)),
  )
  const { components = {} } = schemas
  return {
    ...schemas,
    paths,
    components: {
      ...components,
      schemas: withExamples(components.schemas ?? {}),
      headers: mapValues(answerHeaders, headerOf),
      responses,
    },
  }
}

const referenceTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const namesIn = (node: unknown): [kind: string, name: string][] =>
  [...JSON.stringify(node ?? null).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)].map(([, kind = '', name = '']) => [
    kind,
    name,
  ])

/**
 * The framework prints a second schema, with a name that ends in `Input`, for what requests contain. It is needed only
 * where requests and answers of one name differ.
 */
function withoutInputNames(document: OpenApiDocument): OpenApiDocument {
  const schemas = document.components?.schemas ?? {}
  const text = (node: unknown) => JSON.stringify(node)
  const used = new Set(usedBy({ ...document, components: {} }, document.components ?? {}).map(([, name]) => name))
  const plain = (json: string) => json.replaceAll(/("#\/components\/schemas\/\w+?)Input"/g, '$1"')
  const needed = Object.keys(schemas).filter((name) => {
    const base = name.replace(/Input$/, '')
    if (base === name || !Object.hasOwn(schemas, base)) return false
    return used.has(name) && used.has(base) && plain(text(schemas[name])) !== plain(text(schemas[base]))
  })
  const isPlain = (name: string) => !name.endsWith('Input') || needed.includes(name)
  const renamed = text(document).replaceAll(/"#\/components\/schemas\/(\w+)"/g, (reference, name: string) =>
    isPlain(name) ? reference : `"#/components/schemas/${name.slice(0, -'Input'.length)}"`,
  )
  const result = JSON.parse(renamed) as OpenApiDocument
  const all = result.components?.schemas ?? {}
  for (const [name, schema] of Object.entries(all)) {
    if (isPlain(name)) continue
    const base = name.slice(0, -'Input'.length)
    if (used.has(name) && !used.has(base)) all[base] = schema
    delete all[name]
  }
  return result
}

/** Objects with fewer fields are shown where they are used. */
const leastFieldsOfNamed = 3

/**
 * Gives every object of requests and answers a name: after its operation, after the resource that it contains, or after
 * the object and the field that it is in. Equal objects share one.
 */
function named(document: OpenApiDocument): OpenApiDocument {
  const schemas = { ...document.components?.schemas }
  const nameOfEqual = new Map<string, string>()
  const add = (wanted: string, { description, ...schema }: Schema, isShared = true): Schema => {
    const text = JSON.stringify(schema)
    const name = (isShared ? nameOfEqual.get(text) : undefined) ?? wanted
    if (schemas[name] && JSON.stringify(schemas[name]) !== text)
      throw new Error(`The OpenAPI document has two different schemas with the name ${name}.`)
    schemas[name] = schema
    if (isShared) nameOfEqual.set(text, name)
    return { ...referenceTo('schemas', name), ...(isShared && description && { description }) }
  }
  /** The schema with references in place of the objects in it. */
  const within = (schema: Schema, name: string): Schema => {
    const { properties, items, additionalProperties, oneOf, anyOf } = schema
    const each = (part: Schema, partName: string) => {
      const inner = within(part, partName)
      return Object.keys(inner.properties ?? {}).length >= leastFieldsOfNamed ? add(partName, inner) : inner
    }
    const options = (list: Schema[]) =>
      list.map((option, index) => each(option, index === 0 ? name : `${name}${index + 1}`))
    return {
      ...schema,
      ...(properties && { properties: mapValues(properties, (part, field) => each(part, `${name}${pascal(field)}`)) }),
      ...(items && { items: each(items, name.replace(/s$/, '')) }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: each(additionalProperties, name) }),
      ...(oneOf && { oneOf: options(oneOf) }),
      ...(anyOf && { anyOf: options(anyOf) }),
    }
  }
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = within(schema, name)
  const withNames = (content: Content, nameOf: (schema: Schema) => string) =>
    mapValues(content, ({ schema, ...media }) => {
      if (!schema || !isObject(schema)) return { ...media, ...(schema && { schema }) }
      const name = nameOf(schema)
      // The framework takes the example of a body out of its schema.
      const shown = media.example === undefined ? schema : { ...schema, examples: [media.example] }
      return { ...media, schema: add(name, within(shown, name), false) }
    })
  const paths = mapValues(document.paths ?? {}, (operations) =>
    mapValues(operations, ({ requestBody, ...operation }) => {
      const name = pascal(operation.operationId)
      const responses = mapValues(operation.responses, (response) => ({
        ...response,
        ...(response.content && { content: withNames(response.content, (schema) => answerName(schema, name)) }),
      }))
      const body = requestBody && {
        requestBody: { ...requestBody, content: withNames(requestBody.content, () => `${name}Body`) },
      }
      return { ...operation, ...body, responses } as Operation
    }),
  )
  return { ...document, paths, components: { ...document.components, schemas } }
}

const isObject = ({ properties, oneOf, anyOf }: Schema): boolean => Boolean(properties ?? oneOf ?? anyOf)

function answerName({ properties: { data, page } = {} }: Schema, operation: string): string {
  const one = resourceOf(data)
  if (one) return `${one}Answer`
  const each = resourceOf(data?.items)
  if (each) return `${each}${page ? 'Page' : 'List'}`
  return data?.type === 'null' ? 'EmptyAnswer' : `${operation}Answer`
}

const resourceOf = (schema: Schema | undefined) => schema?.$ref?.split('/').at(-1)

const pascal = (text: string): string =>
  text.replaceAll(/(?:^|[._-])(\w)/g, (_all, letter: string) => letter.toUpperCase())

function withRequired({ [optionalBody]: canBeLeftOut, requestBody, ...operation }: Operation): Operation {
  if (!requestBody) return operation as Operation
  // A file of any type is described as such.
  const isFile = 'application/octet-stream' in requestBody.content
  const content = mapValues(requestBody.content, (media, type) => (type === 'text/csv' && !isFile ? csv : media))
  return { ...(operation as Operation), requestBody: { ...requestBody, content, required: !canBeLeftOut } }
}

/** The framework prints the schema of the JSON body for every type. */
const csv = {
  schema: { type: 'string', description: 'An id in the first column of each line.', examples: ['id\nu-17\nu-18\n'] },
}

function withAnswers(described: Operation, shared: Record<string, unknown>): Operation {
  const { 'x-headers': headers = {}, 'x-refusals': refused = [], ...operation } = described
  const responses = Object.entries(operation.responses).map(([status, { content, ...response }]) => {
    const isEmpty = Object.values(content ?? {}).every(({ schema }) => schema?.type === 'null')
    return [status, { ...response, headers: references(headers[Number(status)] ?? []), ...(!isEmpty && { content }) }]
  })
  const failures = refused.flatMap(({ kinds, headers: common, suffix = '' }) =>
    [...Map.groupBy(kinds, (kind) => refusals[kind].status)].map(([status, alike]) => {
      const name = `${alike.map(pascal).join('Or')}${suffix}`
      shared[name] = refusalAnswer(alike, common)
      return [status, referenceTo('responses', name)]
    }),
  )
  return { ...(operation as Operation), responses: Object.fromEntries([...responses, ...failures]) }
}

const references = (names: readonly AnswerHeader[]) =>
  Object.fromEntries(names.map((name) => [name, referenceTo('headers', name)]))

function refusalAnswer(kinds: readonly RefusalKind[], headers: readonly AnswerHeader[]) {
  const names = Object.keys(answerHeaders) as AnswerHeader[]
  const added = kinds.flatMap(headersOfRefusal)
  const titles = kinds.map((kind) => refusals[kind].title)
  const [first = '', ...others] = titles
  return {
    description: [first, ...others.map((title) => title.replace(/^./, (letter) => letter.toLowerCase()))].join(
      '; or: ',
    ),
    headers: references(names.filter((name) => headers.includes(name) || added.includes(name.toLowerCase()))),
    content: {
      'application/json': {
        schema: referenceTo('schemas', 'Error'),
        examples: Object.fromEntries(
          kinds.map((kind) => [kind, { summary: refusals[kind].title, value: refusalExample(kind) }]),
        ),
      },
    },
  }
}

const refusalExample = (kind: RefusalKind): ErrorAnswer => ({
  error: {
    code: refusals[kind].code,
    message: `${refusals[kind].title}.`,
    docUrl: `https://flags.example.org/docs/errors#${kind}`,
    requestId: answerHeaders['X-Request-Id'].example,
  },
})

function headerOf({ description, example, ...rest }: (typeof answerHeaders)[AnswerHeader]) {
  const type = 'type' in rest ? rest.type : 'string'
  return { description, ...('always' in rest && { required: true }), schema: { type }, example }
}

/** Every named schema shows a value. Bodies show only what is required. */
function withExamples(schemas: Schemas): Record<string, Schema> {
  return mapValues(schemas, ({ example, ...schema }, name) => {
    if (schema.examples) return schema
    return { ...schema, examples: [example ?? exampleOf(schema, schemas, name)] }
  })
}

/**
 * Says the defaults of fields in their descriptions. With the keyword `default`, generators such as openapi-typescript
 * take a field for one that is always there, and demand it in requests.
 */
export function defaultsInWords(document: OpenApiDocument): OpenApiDocument {
  const { components = {} } = document
  const schemas = mapValues(components.schemas ?? {}, (schema) => inWords(withDefaultsInWords(schema)))
  return { ...document, components: { ...components, schemas } }
}

function withDefaultsInWords(schema: Schema): Schema {
  const { properties, items, additionalProperties, oneOf, anyOf } = schema
  const all = (list: Schema[]) => list.map(withDefaultsInWords)
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, (field) => inWords(withDefaultsInWords(field))) }),
    ...(items && { items: withDefaultsInWords(items) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: withDefaultsInWords(additionalProperties),
    }),
    ...(oneOf && { oneOf: all(oneOf) }),
    ...(anyOf && { anyOf: all(anyOf) }),
  }
}

function inWords({ default: value, description, ...schema }: Schema): Schema {
  // A field that is left out means null anyway.
  const isSaid = value === undefined || value === null || /\bdefault\b/i.test(description ?? '')
  const words = [description, !isSaid && `Default: \`${JSON.stringify(value)}\`.`].filter(Boolean).join(' ')
  return { ...schema, ...(words && { description: words }) }
}

const dashboardPaths = '/api/dashboard/'

/** What users read: without the dashboard's own routes, which are not part of the contract and accept no tokens. */
export function publicPart(document: OpenApiDocument): OpenApiDocument {
  const shown = Object.entries(document.paths ?? {}).filter(([path]) => !path.startsWith(dashboardPaths))
  return defaultsInWords(onlyUsed({ ...document, paths: Object.fromEntries(shown) }))
}

/** Leaves out the components that nothing refers to. */
export function onlyUsed({ components = {}, ...document }: OpenApiDocument): OpenApiDocument {
  const used = new Set(usedBy(document, components).map((path) => path.join('/')))
  const kept = mapValues(components, (entries = {}, kind) =>
    kind === 'securitySchemes'
      ? entries
      : Object.fromEntries(Object.entries(entries).filter(([name]) => used.has(`${kind}/${name}`))),
  )
  return { ...document, components: kept as Components }
}

/** The components that a part of a document refers to, directly or through others. */
function usedBy(part: object, components: Components): [kind: string, name: string][] {
  const used = new Map<string, [string, string]>()
  const follow = (node: unknown) => {
    for (const [kind, name] of namesIn(node)) {
      if (used.has(`${kind}/${name}`)) continue
      used.set(`${kind}/${name}`, [kind, name])
      follow(components[kind]?.[name])
    }
  }
  follow(part)
  return [...used.values()]
}

const mapValues = <Value, Result>(
  object: Record<string, Value>,
  change: (value: Value, key: string) => Result,
): Record<string, Result> => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
