import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../testing/databases/database.ts'
import {
  booleanColumn,
  integerColumn,
  longTextColumn,
  numberColumn,
  smallintColumn,
  textColumn,
  timeColumn,
  uuidColumn,
} from './columns.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase('blank')
})

afterAll(() => database.close())

interface Row {
  id: string
  small: number
  whole: number
  yes: boolean
  at: Date
  number: number | null
  text: string | null
  long: string
}

const row: fc.Arbitrary<Row> = fc.record({
  id: fc.uuid(),
  small: fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 }),
  whole: fc.integer(),
  yes: fc.boolean(),
  at: fc.date({ min: new Date('1800-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
  number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  text: fc.option(fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0'))),
  long: fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0')),
})

async function roundTrip(rows: readonly Row[]): Promise<Row[]> {
  const answer = await sql<Row>`
    select unnest(${uuidColumn(rows, ({ id }) => id)}::uuid[]) as id,
      unnest(${smallintColumn(rows, ({ small }) => small)}::smallint[]) as small,
      unnest(${integerColumn(rows, ({ whole }) => whole)}::integer[]) as whole,
      unnest(${booleanColumn(rows, ({ yes }) => yes)}::boolean[]) as yes,
      unnest(${timeColumn(rows, ({ at }) => at.getTime())}::timestamptz[]) as at,
      unnest(${numberColumn(rows, ({ number }) => number)}::float8[]) as number,
      unnest(${textColumn(rows, ({ text }) => text)}::text[]) as text,
      unnest(${longTextColumn(rows, ({ long }) => long)}::text[]) as long`.execute(database.db)
  return answer.rows
}

it('the values of columns arrive as they were sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1 }), async (rows) => {
      const sent = rows.map((each) => ({ ...each, number: each.number === null ? null : each.number + 0 }))
      expect(await roundTrip(sent)).toEqual(sent)
    }),
    { numRuns: 100 },
  )
})

it('columns without values are empty arrays', async () => {
  expect(await roundTrip([])).toEqual([])
})

it('an id in upper case is the same id', async () => {
  const id = '019DE3C2-ABCD-7EF0-8000-00000000000F'
  const { rows } = await sql<{ id: string }>`
    select unnest(${uuidColumn([id], (each) => each)}::uuid[]) as id`.execute(database.db)
  expect(rows).toEqual([{ id: id.toLowerCase() }])
})
