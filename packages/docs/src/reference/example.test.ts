import { expect, it } from 'vitest'
import { curl, exampleOf, toJson } from './example.ts'
import type { Call, Schema, Schemas } from './openapi.ts'

const schemas: Schemas = {
  Tree: {
    type: 'object',
    properties: { name: { type: 'string' }, below: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
  },
  Plain: { type: 'object', properties: { enabled: { type: 'boolean' } } },
}

it.each<[Schema, unknown]>([
  [{ examples: ['given'] }, 'given'],
  [{ const: 1 }, 1],
  [{ enum: ['A', 'B'] }, 'A'],
  [{ type: 'string', format: 'date-time' }, '2026-12-01T09:00:00.000Z'],
  [{ anyOf: [{ type: 'null' }, { type: 'boolean' }] }, true],
  [{ type: 'integer', minimum: 5 }, 5],
  [{ $ref: '#/components/schemas/Plain' }, { enabled: true }],
  [
    { type: 'object', properties: { key: { type: 'string' }, flagId: { type: 'string' } } },
    { key: 'new-checkout', flagId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  ],
  [{ type: 'array', items: { type: 'boolean' } }, [true]],
])('%j has the example %j', (schema, value) => expect(exampleOf(schema, schemas)).toEqual(value))

it('an object that contains itself ends', () => {
  expect(JSON.stringify(exampleOf({ $ref: '#/components/schemas/Tree' }, schemas)).length).toBeLessThan(1000)
})

it('a body has its required fields, or else its first field, and lists of the minimum length', () => {
  const properties = { one: { type: 'boolean' }, two: { type: 'array', minItems: 2, items: { type: 'boolean' } } }
  expect(exampleOf({ type: 'object', properties, required: ['two'] }, {}, true)).toEqual({ two: [true, true] })
  expect(exampleOf({ type: 'object', properties }, {}, true)).toEqual({ one: true })
})

it('a call becomes a curl command', () => {
  const call: Call = {
    method: 'PUT',
    path: '/api/v1/projects/{projectId}/flags/{flagId}',
    operationId: 'x',
    parameters: [
      { name: 'format', in: 'query', required: true, schema: { enum: ['csv'] } },
      { name: 'from', in: 'query' },
    ],
    requestBody: { content: { 'application/json': { schema: { const: "it's" } } } },
    responses: {},
  }
  expect(curl(call, {})).toBe(`curl -X PUT "$SVC_URL/api/v1/projects/$SVC_PROJECT/flags/$FLAG_ID?format=csv" \\
  -H "Authorization: Bearer $SVC_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '"it'\\''s"'`)
})

it.each([
  [{ a: 1, b: [true, null] }, '{ "a": 1, "b": [true, null] }'],
  [[], '[]'],
  [{}, '{}'],
  [{ a: 'x'.repeat(70), b: [1] }, `{\n  "a": "${'x'.repeat(70)}",\n  "b": [1]\n}`],
])('%j fits into the line length', (value, text) => expect(toJson(value)).toBe(text))
