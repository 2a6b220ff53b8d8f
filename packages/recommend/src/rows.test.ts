import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { interactionsFrom, productCount, runs, someActions, someRows } from '../testing/naive.ts'
import { listCount, listOf, numbered, rowsOf, transposed } from './rows.ts'

test('ids are numbered in the order of their code units, whatever order they come in', () => {
  const { ids, numberOf } = numbered(['b', 'é', 'B', 'a', 'b'])
  expect(ids).toEqual(['B', 'a', 'b', 'é'])
  expect([numberOf('B'), numberOf('é'), numberOf('z')]).toEqual([0, 3, undefined])
})

it('rows are the distinct products of a unit, or the latest of very many', () => {
  fc.assert(
    fc.property(someActions, fc.integer({ min: 1, max: 5 }), (actions, most) => {
      const rows = rowsOf(interactionsFrom(actions), { unitCount: 6, productCount, most })
      for (let unit = 0; unit < 6; unit += 1) {
        const latest = new Map<number, number>()
        for (const { product, at } of actions.filter((action) => action.unit === unit))
          latest.set(product, Math.max(at, latest.get(product) ?? 0))
        const newest = [...latest].sort(([one, a], [other, b]) => b - a || one - other).slice(0, most)
        expect([...listOf(rows, unit)]).toEqual(newest.map(([product]) => product).sort((one, other) => one - other))
      }
    }),
    runs,
  )
})

it('columns have the rows that have the product', () => {
  fc.assert(
    fc.property(someRows, (rows) => {
      const columns = transposed(rows)
      const all = [...Array(listCount(rows)).keys()]
      for (let product = 0; product < productCount; product += 1)
        expect([...listOf(columns, product)]).toEqual(all.filter((row) => listOf(rows, row).includes(product)))
    }),
    runs,
  )
})
