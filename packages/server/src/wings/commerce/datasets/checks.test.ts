import { expect, test } from 'vitest'
import { checksOf, heldBecause } from './checks.ts'
import { defaultGuards } from './dataset.ts'

const found = (rows: number, unknown: number | null, active?: number) =>
  checksOf({ rows, unknown }, active === undefined ? undefined : { rows: active }, defaultGuards)

test.each<[number, number | null, number | undefined, string[]]>([
  [100, 0, undefined, ['SKIPPED', 'OK']],
  [100, null, undefined, ['SKIPPED', 'SKIPPED']],
  [50, 10, 100, ['OK', 'OK']],
  [49, 0, 100, ['FAILED', 'OK']],
  [200, 41, 100, ['OK', 'FAILED']],
  [0, 0, 100, ['FAILED', 'SKIPPED']],
  [10, 0, 0, ['SKIPPED', 'OK']],
])('%d rows, %j with an unknown product, after %j rows: %j', (rows, unknown, active, statuses) => {
  expect(found(rows, unknown, active).map(({ status }) => status)).toEqual(statuses)
})

test('what is held says why', () => {
  expect(heldBecause(found(39, 30, 100))).toBe(
    '61 % of the rows of the active version would be gone; the limit is 50 %. 77 % of the rows have a product that the catalog does not have; the limit is 20 %.',
  )
  expect(heldBecause(found(499, 0, 1000))).toBe(
    '50.1 % of the rows of the active version would be gone; the limit is 50 %.',
  )
  expect(heldBecause(found(100, 0, 100))).toBeNull()
})
