import { deliveryHeaders } from '@svc/core'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { describe, expect, it, test } from 'vitest'
import { bodySchemas } from '../packages/server/src/catalogue/payloads.ts'
import { answerHeaders } from '../packages/server/src/http/openapi/answer-headers.ts'
import { onlyUsed, publicPart, type Response } from '../packages/server/src/http/openapi/document.ts'
import type { Schema } from '../packages/server/src/http/openapi/example.ts'
import { describedAnswers } from '../packages/server/testing/described-answers.ts'
import { apiDescription } from './api-description.ts'

const whole = await apiDescription()
const document = publicPart(whole)
const { parserOf, resolved } = describedAnswers(document)
const schemas = Object.entries(document.components?.schemas ?? {})
const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
)
const received = Object.entries(document.webhooks ?? {}).map(([event, { post }]) => ({ ...post!, event }))
const named = { pattern: /^#\/components\/schemas\/\w+$/ }

describe.each([...operations, ...received.map((each) => ({ name: each.event, ...each }))])('$name', (operation) => {
  test('has an id, a summary, a description in sentences, a tag and its security', () => {
    const { operationId, summary = '', description = '', tags, security } = operation
    expect(operationId).toMatch(/^[a-z][A-Za-z]+$/)
    expect(summary).toMatch(/^[A-Z].+[^.]$/)
    expect(description).toMatch(/^[A-Z`\d].+[.)]$/s)
    expect(tags).toHaveLength(1)
    expect(security).toBeInstanceOf(Array)
  })

  test('names the schemas of its bodies, and each has an example', () => {
    const answers = Object.values(operation.responses).map((response) => resolved(response))
    for (const content of [operation.requestBody?.content, ...answers.map((answer) => answer.content)])
      for (const [mediaType, { schema, examples }] of Object.entries(content ?? {})) {
        if (schema?.type === 'string') expect(schema.examples, mediaType).toHaveLength(1)
        else expect(schema?.$ref, mediaType).toMatch(named.pattern)
        for (const { value } of Object.values((examples ?? {}) as Record<string, { value: unknown }>))
          expect(parserOf(schema!).safeParse(value).error).toBeUndefined()
      }
  })

  test('describes every answer and its headers', () => {
    for (const [status, response] of Object.entries(operation.responses)) {
      const { description = '', headers = {} }: Response = resolved(response)
      expect(description, status).toMatch(/^[A-Z]/)
      for (const { $ref } of Object.values(headers)) expect($ref).toMatch(/^#\/components\/headers\//)
    }
  })
})

it('the document has no two operations of one name', () => {
  const ids = [...operations, ...received].map(({ operationId }) => operationId)
  expect(ids).toHaveLength(new Set(ids).size)
})

test.each(operations)('$name names the headers of each answer by its status', ({ name, responses, ...operation }) => {
  const accepts = (header: string) => operation.parameters?.some((each) => each.in === 'header' && each.name === header)
  const namesOf = (status: string | number) => Object.keys(resolved(responses[status] ?? {}).headers ?? {})
  for (const status of Object.keys(responses)) expect(namesOf(status)).toContain('X-Request-Id')
  expect(namesOf(405)).toContain('Allow')
  for (const status of ['429', '503']) if (status in responses) expect(namesOf(status), status).toContain('Retry-After')
  if (accepts('svc-org-id')) {
    for (const status of Object.keys(responses)) expect(namesOf(status)).toContain('X-RateLimit-Remaining')
    for (const status of ['400', '401', '404', '429', '500', '503']) expect(responses).toHaveProperty(status)
    expect(namesOf(401)).toContain('WWW-Authenticate')
  }
  if (accepts('if-none-match')) expect(namesOf(304)).toContain('ETag')
  if (accepts('x-svc-if-match')) expect(responses).toHaveProperty('412')
  const success = Object.keys(responses).find((status) => status.startsWith('2'))!
  expect(namesOf(success).includes('Idempotency-Replayed')).toBe(accepts('idempotency-key') === true)
})

it('the document describes the addresses of SDKs, which need no credential but the public key or a secret link', () => {
  const without = (token: string) => operations.filter(({ security }) => !security!.some((each) => token in each))
  expect(
    without('bearer')
      .map(({ name }) => name)
      .sort(),
  ).toEqual([
    'GET /api/sdk/v1/datafile/{sdkKey}.json',
    'GET /api/sdk/v1/stream/{sdkKey}',
    'GET /api/sdk/v1/web/{sdkKey}.json',
    'GET /sdk/v1/web/previews/{ticket}',
    'GET /sdk/v1/web/{sdkKey}.js',
    'POST /api/sdk/heartbeat',
    'POST /api/sdk/v1/events',
    'POST /api/sdk/v1/recommendations',
    'POST /api/web/v1/editor/redeem',
    'POST /api/web/v1/previews/ticket',
    'POST /ofrep/v1/evaluate/flags',
    'POST /ofrep/v1/evaluate/flags/{key}',
  ])
})

describe('webhooks', () => {
  it('describes a delivery of every event of this build', () => {
    expect(received.map(({ event }) => event).sort()).toEqual(Object.keys(bodySchemas).sort())
  })

  test.each(received)('$event has the headers that are signed, its body, and what counts as received', (operation) => {
    const { event, parameters, requestBody, responses } = operation
    expect(parameters!.map(({ name }) => name)).toEqual(Object.values(deliveryHeaders))
    const { $ref } = requestBody!.content['application/json']!.schema!
    const body = resolved<Schema>({ $ref: $ref! })
    expect(body.properties?.event).toEqual({ type: 'string', const: event })
    expect(bodySchemas[event as keyof typeof bodySchemas].safeParse(body.examples?.[0]).error).toBeUndefined()
    expect(Object.keys(responses).sort()).toEqual(['2XX', '410', 'default'])
  })
})

test.each(schemas)('the schema %s has an example that is valid', (_name, schema) => {
  expect(schema.examples).toHaveLength(1)
  expect(parserOf(schema).safeParse(schema.examples![0]).error).toBeUndefined()
})

test.each(schemas)('the schema %s names every object with several fields', (_name, schema) => {
  const parts = ({ properties = {}, items, additionalProperties, oneOf = [], anyOf = [] }: Schema): Schema[] =>
    [...Object.values(properties), items, additionalProperties, ...oneOf, ...anyOf].filter(
      (part): part is Schema => typeof part === 'object',
    )
  const nameless = (part: Schema): Schema[] => [
    ...(Object.keys(part.properties ?? {}).length > 2 ? [part] : []),
    ...parts(part).flatMap(nameless),
  ]
  expect(parts(schema).flatMap(nameless)).toEqual([])
})

it('a program that openapi-typescript makes demands no field of a request that can be left out', async () => {
  const types = astToString(await openapiTS(document as unknown as OpenAPI3))
  const bodies = operations.flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => (schema?.$ref ? [schema.$ref] : [])),
  )
  const optional = [...new Set(bodies)].map((ref) => {
    const { properties = {}, required = [] } = resolved<Schema>({ $ref: ref })
    return {
      name: ref.split('/').at(-1)!,
      fields: Object.keys(properties).filter((field) => !required.includes(field)),
    }
  })
  expect(optional.flatMap(({ fields }) => fields).length).toBeGreaterThan(100)
  for (const { name, fields } of optional) {
    const body = types.slice(types.indexOf(`\n        ${name}: {`)).split('\n        };')[0]!
    for (const field of fields) expect(body, `${name}.${field}`).toMatch(new RegExp(`^ {12}${field}\\?: `, 'm'))
  }
  // Whatever the field is in. A placement of an example has a variant with this name.
  const withoutExamples = (name: string, part: unknown) => (name === 'examples' ? undefined : part)
  expect(JSON.stringify(document.components!.schemas, withoutExamples)).not.toMatch(/"default":/)
})

it('the document contains every component that it refers to, and no other', () => {
  const kept = JSON.stringify(document)
  const references = new Set([...kept.matchAll(/"#\/components\/(\w+\/[^"]+)"/g)].map(([, path]) => path))
  const { securitySchemes: _schemes, ...components } = document.components!
  const present = Object.entries(components).flatMap(([kind, all]) =>
    Object.keys(all!).map((each) => `${kind}/${each}`),
  )
  expect(present.sort()).toEqual([...references].sort())
})

it('the document keeps what only webhooks refer to, and leaves out the routes of the dashboard', () => {
  expect(document.components!.schemas).toHaveProperty('EventAuthor')
  expect(Object.keys(whole.paths!).some((path) => path.startsWith('/api/dashboard/'))).toBe(true)
  expect(operations.some(({ name }) => name.includes('/api/dashboard/'))).toBe(false)
  expect(onlyUsed({ paths: {}, components: { schemas: { Lonely: {} } } }).components).toEqual({ schemas: {} })
})

test.each(Object.entries(answerHeaders))('the header %s is described once, and used', (name, { description }) => {
  expect(document.components!.headers).toHaveProperty([name])
  expect(description).toMatch(/\.$/)
})
