import { expect, it } from 'vitest'
import { exampleOf, type Schema, type Schemas } from './example.ts'

const named: Schema = { type: 'object', properties: { name: { type: 'string' } } }
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
  [{ type: 'object', properties: { projects: { type: 'array', items: named } } }, { projects: [{ name: 'Web shop' }] }],
  [{ type: 'object', properties: { triggeredBy: named } }, { triggeredBy: { name: 'Ada Lovelace' } }],
  [named, { name: 'New checkout' }],
])('%j has the example %j', (schema, value) => expect(exampleOf(schema, schemas)).toEqual(value))

it('an object within itself ends', () => {
  expect(JSON.stringify(exampleOf({ $ref: '#/components/schemas/Tree' }, schemas)).length).toBeLessThan(1000)
})

it('a body shows what is required, else its first field, and as many entries as there must be', () => {
  const properties = { one: { type: 'boolean' }, two: { type: 'array', minItems: 2, items: { type: 'boolean' } } }
  expect(exampleOf({ type: 'object', properties, required: ['two'] }, {}, 'Body')).toEqual({ two: [true, true] })
  expect(exampleOf({ type: 'object', properties }, {}, 'Body')).toEqual({ one: true })
})

it.each([
  ['CreateFlagBody', 'New checkout'],
  ['CreateEnvironmentBody', 'Staging'],
  ['Environment', 'Production'],
  ['NewSlackDestination', '#releases'],
  ['CreateExclusionGroupBody', 'Checkout tests'],
])('the name in a %s is that of its noun: %s', (name, shown) => {
  const schema: Schema = { ...named, required: ['name'] }
  expect(exampleOf(schema, {}, name)).toEqual({ name: shown })
  expect(exampleOf({ $ref: `#/components/schemas/${name}` }, { [name]: schema })).toMatchObject({
    name: shown === 'Staging' ? 'Production' : shown,
  })
})

it('a body names others by their keys, and two variations differ', () => {
  const text: Schema = { type: 'string' }
  const variation: Schema = { type: 'object', properties: { key: text }, required: ['key'] }
  const properties: Record<string, Schema> = {
    flagIds: { type: 'array', items: text },
    variations: { type: 'array', minItems: 2, items: variation },
  }
  expect(exampleOf({ type: 'object', properties, required: ['flagIds', 'variations'] }, {}, 'CopyBody')).toEqual({
    flagIds: ['new-checkout'],
    variations: [{ key: 'on' }, { key: 'off' }],
  })
})
