import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nameOfRow, rowsOf, shownValue } from './dimension-rows.ts'
import type { Results } from './figures.ts'

const results: Results = JSON.parse(readFileSync(new URL('./example.json', import.meta.url), 'utf8'))
const revenue = results.metrics[1]!
const needing = (unitsForSkewness: number) => ({
  ...revenue,
  variations: revenue.variations.map((each) => ({ ...each, unitsForSkewness })),
})

test('each value has a row for each variation but the original, which says whether a few visitors decide it', () => {
  const values = [
    { value: 'NL', units: 30_000, metrics: [needing(100)] },
    { value: 'DE', units: 2_000, metrics: [needing(1_000_000)] },
  ]
  const rows = rowsOf({ name: 'country', values }, revenue.metricId)
  expect(rows.map(({ value, units, isSkewed }) => [value, units, isSkewed])).toEqual([
    ['NL', 30_000, false],
    ['DE', 2_000, true],
  ])
  expect(rows[0]!.originalMean).toBe(revenue.variations[0]!.mean)
})

test.each([
  ['NL', undefined, 'NL'],
  ['(other)', 'OTHER', '(other)'],
  ['(other)', 'VALUE', '"(other)"'],
  ['(none)', 'NONE', '(none)'],
  ['(none)', undefined, '"(none)"'],
] as const)('the row of %s, %s, is called %s', (value, kind, name) => {
  expect(nameOfRow({ value, kind: kind! })).toBe(name)
})

test('an invisible value has a word', () => {
  const blank = ['', ' ', '\r\n', '\u202e', '\u200b\u00a0']
  expect(blank.map(shownValue)).toEqual(blank.map(() => '(blank)'))
  expect(['NL', '-1', 'null', '😀', 'a\nb'].map(shownValue)).toEqual(['NL', '-1', 'null', '😀', 'a\nb'])
})
