import { expect, test } from 'vitest'
import { readValues } from './read-values.ts'
import { inPieces, source } from './testing/reading.ts'

test('a row that cannot be used names its items all the same, so that what they have stays', async () => {
  const text = 'sku,cost\nS-1,7.50\nS-2,free\nS-3,7,50\n,8\n'
  const of = { source, fields: ['cost'], contentType: 'text/csv' } as const
  for await (const { values, broken, problems } of readValues(of, inPieces(text))) {
    expect(values).toMatchObject([{ name: 'sku', key: 'S-1', values: { cost: 75_000 } }])
    expect(broken).toEqual(['S-2', 'S-3'].map((key) => ({ name: 'sku', key })))
    expect(problems.map(({ line, itemId, code }) => [line, itemId, code])).toEqual([
      [3, 'S-2', 'bad_price'],
      [4, 'S-3', 'malformed_row'],
      [5, null, 'missing_id'],
    ])
  }
})
