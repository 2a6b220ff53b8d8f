import { expect, it } from 'vitest'
import { facts, inside, typeOf } from './fields.ts'
import type { Schema } from './openapi.ts'

const flag = '<a href="/docs/api-reference/objects#Flag">Flag</a>'

it.each<[Schema, string]>([
  [{ type: 'string' }, 'string'],
  [{ type: 'string', format: 'date-time' }, 'date and time'],
  [{ type: ['string', 'null'] }, 'string or null'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'string or integer'],
  [{ $ref: '#/components/schemas/Flag' }, flag],
  [{ type: 'array', items: { $ref: '#/components/schemas/Flag' } }, `list of ${flag}`],
  [{ type: 'array' }, 'list of any'],
  [{ const: 1 }, 'number'],
  [{}, 'any'],
])('%j is called %s', (schema, words) => expect(typeOf(schema)).toBe(words))

it.each<[Schema, string[]]>([
  [{ enum: ['A', 'B'] }, ['One of <code>A</code>, <code>B</code>.']],
  [{ enum: ['A'] }, ['Always <code>A</code>.']],
  [{ type: 'string', minLength: 1, maxLength: 1000 }, ['1 to 1,000 characters.']],
  [{ type: 'string', maxLength: 1 }, ['At most 1 character.']],
  [{ type: 'array', minItems: 2, maxItems: 2 }, ['Exactly 2 entries.']],
  [{ type: 'integer', minimum: 0, maximum: 10000 }, ['0 to 10,000.']],
  [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, []],
  [{ type: 'integer', exclusiveMinimum: 0 }, ['At least 1.']],
  [{ type: 'number', exclusiveMinimum: 0, maximum: 0.5 }, ['More than 0, at most 0.5.']],
  [{ type: 'number', maximum: 0.5 }, ['At most 0.5.']],
  [{ type: 'string', pattern: '^[a-z]+$' }, ['Matches <code>^[a-z]+$</code>.']],
  [{ type: 'string', pattern: '\\S' }, []],
  [{ type: 'string', default: '' }, ['Default: empty.']],
  [
    { default: null, anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] },
    ['Default: <code>null</code>.', 'At most 5 characters.'],
  ],
  [{ type: 'array', items: { enum: ['<'] } }, ['Each one of <code>&lt;</code>.']],
])('%j has the rules %j', (schema, words) => expect(facts(schema)).toEqual(words))

it('the reference lists the fields of an object, and of each form under the value that distinguishes it', () => {
  const html = inside({
    oneOf: [
      {
        type: 'object',
        properties: { type: { const: 'A' }, one: { type: 'string', description: 'The first' } },
        required: ['one'],
      },
      {
        type: 'object',
        properties: {
          type: { const: 'B' },
          two: { type: 'array', items: { type: 'object', properties: { three: {} } } },
        },
      },
    ],
  })
  expect(html).toContain('<code>type</code> is <code>A</code>')
  expect(html).toContain('<code>type</code> is <code>B</code>')
  expect(html).toContain(
    '<code>one</code> <span class="type">string</span> <span class="required">required</span></div><div class="about">The first.</div>',
  )
  expect(html).toContain('<code>three</code>')
})
