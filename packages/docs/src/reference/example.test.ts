import { expect, it } from 'vitest'
import { curl, toJson } from './example.ts'
import type { Call } from './openapi.ts'

it('a call becomes a curl command', () => {
  const call: Call = {
    method: 'PUT',
    path: '/api/v1/projects/{projectId}/flags/{flagId}',
    operationId: 'x',
    parameters: [
      { name: 'format', in: 'query', required: true, schema: { enum: ['csv'] } },
      { name: 'from', in: 'query' },
    ],
    requestBody: { content: { 'application/json': { example: "it's" } } },
    responses: {},
  }
  expect(curl(call)).toBe(`curl -X PUT "$SVC_URL/api/v1/projects/$SVC_PROJECT/flags/$FLAG_ID?format=csv" \\
  -H "Authorization: Bearer $SVC_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '"it'\\''s"'`)
})

it('a call that needs no credential sends none', () => {
  const call: Call = { method: 'GET', path: '/x', operationId: 'x', security: [], responses: {} }
  expect(curl(call)).toBe('curl "$SVC_URL/x"')
})

it.each([
  [{ a: 1, b: [true, null] }, '{ "a": 1, "b": [true, null] }'],
  [[], '[]'],
  [{}, '{}'],
  [{ a: 'x'.repeat(70), b: [1] }, `{\n  "a": "${'x'.repeat(70)}",\n  "b": [1]\n}`],
])('%j fits into the line length', (value, text) => expect(toJson(value)).toBe(text))
