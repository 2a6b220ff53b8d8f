import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../testing/databases/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase('blank')
})

afterAll(() => database.close())

const read = async (value: RawBuilder<unknown>) => {
  const { rows } = await sql<{ value: unknown }>`select ${value} as value`.execute(database.db)
  return rows[0]!.value
}

const moment = new Date('2026-02-28T23:59:59.999Z')
const nested = { a: [1, 'two', null, { three: true }], é: '\u{1F600}' }

describe('values', () => {
  it.each<[string, RawBuilder<unknown>, unknown]>([
    ['int8', sql`${Number.MAX_SAFE_INTEGER}::int8`, Number.MAX_SAFE_INTEGER],
    ['count', sql`(select count(*) from pg_class where false)`, 0],
    ['int8[]', sql`${[1, null, -3]}::int8[]`, [1, null, -3]],
    ['numeric', sql`1.50::numeric`, '1.50'],
    ['float8', sql`0.1::float8`, 0.1],
    ['timestamptz', sql`${moment}::timestamptz`, moment],
    ['timestamptz from text', sql`'2026-03-01T01:59:59.999+02'::timestamptz`, moment],
    ['date', sql`'2026-03-29'::date`, '2026-03-29'],
    ['date', sql`date_trunc('day', ${moment}::timestamptz)`, new Date('2026-02-28T00:00:00Z')],
    ['jsonb', sql`${nested}::jsonb`, nested],
    ['jsonb from text', sql`${JSON.stringify(['a'])}::jsonb`, ['a']],
    ['bytea', sql`${Buffer.from([0, 1, 255])}::bytea`, Buffer.from([0, 1, 255])],
    ['bytea from a Uint8Array', sql`${new Uint8Array([7, 8])}::bytea`, Buffer.from([7, 8])],
    ['empty bytea', sql`${Buffer.alloc(0)}::bytea`, Buffer.alloc(0)],
    ['text[]', sql`${['a', 'b,"c\\', null, '']}::text[]`, ['a', 'b,"c\\', null, '']],
    ['text with a byte order mark', sql`${'\ufeffa\ufeff'}::text`, '\ufeffa\ufeff'],
    ['text[] with byte order marks', sql`${['\ufeff', '\ufeffa']}::text[]`, ['\ufeff', '\ufeffa']],
    ['jsonb with byte order marks', sql`${JSON.stringify({ '\ufeffa': '\ufeffb' })}::jsonb`, { '\ufeffa': '\ufeffb' }],
    ['jsonb that is a text', sql`${JSON.stringify('\ufeffa')}::jsonb`, '\ufeffa'],
    ['text from jsonb', sql`${JSON.stringify({ a: '\ufeffb' })}::jsonb ->> 'a'`, '\ufeffb'],
    ['NULL', sql`${null}::bytea`, null],
    ['undefined', sql`${undefined}::text`, null],
    ['boolean', sql`${true}::boolean`, true],
    ['uuid', sql`${'0192D3C2-0000-7000-8000-000000000000'}::uuid`, '0192d3c2-0000-7000-8000-000000000000'],
  ])('are read correctly: %s', async (_, value, expected) => {
    expect(await read(value)).toEqual(expected)
  })

  it('of bytes are Buffers', async () => {
    expect(Buffer.isBuffer(await read(sql`'\\x0a'::bytea`))).toBe(true)
  })

  it('are refused when a number would not be exact', async () => {
    await expect(read(sql`9007199254740993::int8`)).rejects.toThrow('beyond 2^53')
    expect(await read(sql`1`)).toBe(1)
  })

  it('survive a round trip', async () => {
    const text = fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0'))
    const row = fc.record({
      number: fc.maxSafeInteger(),
      // A parameter has no negative zero.
      real: fc.double({ noDefaultInfinity: true, noNaN: true }).map((real) => real + 0),
      words: fc.array(fc.option(text)),
      bytes: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      at: fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      json: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))),
    })
    await fc.assert(
      fc.asyncProperty(row, async ({ number, real, words, bytes, at, json }) => {
        const { rows } = await sql`
          select ${number}::int8 as number, ${real}::float8 as real, ${words}::text[] as words, ${bytes}::bytea as bytes,
            ${at}::timestamptz as at, ${JSON.stringify(json)}::json as json`.execute(database.db)
        expect(rows).toEqual([{ number, real, words, bytes, at, json: { ...json } }])
      }),
      { numRuns: 100 },
    )
  })
})
