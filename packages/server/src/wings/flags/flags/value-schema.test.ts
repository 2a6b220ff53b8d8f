import { expect, test } from 'vitest'
import { schemaFaults, type ValueSchema, valueFault } from './value-schema.ts'

const theme: ValueSchema = {
  type: 'object',
  properties: {
    primary: { type: 'string', minLength: 4, maxLength: 7 },
    columns: { type: 'integer', minimum: 1, maximum: 4 },
    mode: { enum: ['light', 'dark', { custom: [1] }] },
    tags: { type: 'array', items: { type: 'string', minLength: 1 } },
  },
  required: ['primary'],
  additionalProperties: { const: null },
}

test.each<[value: unknown, fault: [path: string, rule: string] | undefined]>([
  [{ primary: '#fff' }, undefined],
  [{ primary: '#fff', columns: 4, mode: { custom: [1] }, tags: ['a', 'b'], more: null }, undefined],
  ['text', ['', 'must be of the type object.']],
  [[], ['', 'must be of the type object.']],
  [null, ['', 'must be of the type object.']],
  [{}, ['', 'must have the property primary.']],
  [{ primary: '#ff' }, ['primary', 'must have at least 4 characters.']],
  [{ primary: '🎨🎨🎨🎨🎨🎨🎨' }, undefined],
  [{ primary: '#fffffff' }, ['primary', 'must have at most 7 characters.']],
  [{ primary: '#fff', columns: 1.5 }, ['columns', 'must be of the type integer.']],
  [{ primary: '#fff', columns: 0 }, ['columns', 'must be at least 1.']],
  [{ primary: '#fff', columns: 5 }, ['columns', 'must be at most 4.']],
  [{ primary: '#fff', mode: { custom: [2] } }, ['mode', 'must be one of "light", "dark", {"custom":[1]}.']],
  [{ primary: '#fff', tags: ['a', 1] }, ['tags.1', 'must be of the type string.']],
  [{ primary: '#fff', tags: [''] }, ['tags.0', 'must have at least 1 character.']],
  [{ primary: '#fff', more: 1 }, ['more', 'must be null.']],
])('%j', (value, fault) => {
  const found = valueFault(theme, value)
  expect(found && [found.path.join('.'), found.message]).toEqual(fault)
})

test('properties that the schema does not know can be refused', () => {
  const closed: ValueSchema = { properties: { a: {} }, additionalProperties: false }
  expect(valueFault(closed, { a: 1 })).toBeUndefined()
  expect(valueFault(closed, { constructor: 1 })).toEqual({
    path: ['constructor'],
    message: 'is not a property of the schema.',
  })
})

test.each<[schema: unknown, path: string | undefined]>([
  [theme, undefined],
  [{}, undefined],
  ['text', ''],
  [{ type: 'date' }, 'type'],
  [{ pattern: 'a+' }, 'pattern'],
  [{ properties: { a: { items: { format: 'uri' } } } }, 'properties.a.items.format'],
  [{ properties: [] }, 'properties'],
  [{ required: ['a', 'a'] }, 'required'],
  [{ enum: [] }, 'enum'],
  [{ items: [{}] }, 'items'],
  [{ additionalProperties: { minimum: '1' } }, 'additionalProperties.minimum'],
  [{ minLength: -1 }, 'minLength'],
])('the schema %j', (schema, path) => {
  expect(schemaFaults(schema)[0]?.path.join('.')).toBe(path)
})

test('a schema cannot be deeper than the service follows', () => {
  let deep: unknown = {}
  for (let level = 0; level < 5_000; level += 1) deep = { items: deep }
  expect(schemaFaults(deep)[0]?.message).toBe('must have at most 32 levels.')
})
