import { describe, expect, it } from 'vitest'
import { typeOfSchema } from './value-type.ts'

describe('typeOfSchema', () => {
  it.each([
    [{}, 'JsonValue'],
    [{ type: 'string', maxLength: 3 }, 'string'],
    [{ type: 'integer', minimum: 1 }, 'number'],
    [{ type: 'null' }, 'null'],
    [{ enum: ['a', 'a', 1, null, true] }, "'a' | 1 | null | true"],
    [{ const: { a: [1, 'x'] } }, "{ readonly a: readonly [1, 'x'] }"],
    [{ type: 'array' }, 'readonly JsonValue[]'],
    [{ type: 'array', items: { type: 'number' } }, 'readonly number[]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, "readonly ('a' | 'b')[]"],
    [{ type: 'array', items: { type: 'array', items: {} } }, 'readonly (readonly JsonValue[])[]'],
    [{ type: 'object' }, '{ readonly [name: string]: JsonValue }'],
    [{ type: 'object', additionalProperties: false }, 'Readonly<Record<string, never>>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, '{ readonly [name: string]: number }'],
    [
      {
        type: 'object',
        properties: { primary: { type: 'string' }, dark: { type: 'boolean' }, 'x-y': {} },
        required: ['primary', 'other'],
      },
      "{ readonly primary: string; readonly dark?: boolean; readonly 'x-y'?: JsonValue; readonly other: JsonValue }",
    ],
    // Without a type, values of other types fit too.
    [{ properties: { a: { type: 'string' } } }, 'JsonValue'],
  ])('of %j is %s', (schema, type) => {
    expect(typeOfSchema(schema)).toBe(type)
  })
})
