import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayMs, interactionsFrom, pairs, productCount, runs, sortedBest, start } from '../testing/naive.ts'
import { popular, ranked, trend } from './popularity.ts'

const actions = fc.array(
  fc.record({
    unit: fc.nat(3),
    product: fc.nat(productCount - 1),
    at: fc.integer({ min: -20, max: 2 }).map((halfDays) => start + (halfDays * dayMs) / 2),
    weight: fc.constantFrom(1, 3, 5),
  }),
  { maxLength: 40 },
)
const ranking = { now: start, most: 5 }
const products = [...Array(productCount).keys()]
const scoresOf = (all: Parameters<typeof interactionsFrom>[0]) => {
  const tally = trend(start)
  for (const { product, at, weight = 1 } of all) tally.add(product, at, weight)
  return tally.scores()
}
const isAlike = (found: [number, number][], expected: [number, number][]) => {
  expect(found.map(([product]) => product)).toEqual(expected.map(([product]) => product))
  for (const [n, [, score]] of expected.entries()) expect(found[n]![1]).toBeCloseTo(score, 9)
}

it('what is popular counts half after a week', () => {
  fc.assert(
    fc.property(actions, (all) => {
      const scores = products.map((product): [number, number] => [
        product,
        all
          .filter((action) => action.product === product)
          .reduce((sum, { at, weight }) => sum + weight * 0.5 ** (Math.max(0, start - at) / (7 * dayMs)), 0),
      ])
      isAlike(
        pairs(popular(interactionsFrom(all), ranking)),
        sortedBest(
          scores.filter(([, score]) => score > 0),
          5,
        ),
      )
    }),
    runs,
  )
})

it('what rises has more actions in the last day than on a day of the two weeks before', () => {
  fc.assert(
    fc.property(actions, (all) => {
      const scores = products.map((product): [number, number] => {
        const ages = all.filter((action) => action.product === product).map(({ at }) => (start - at) / dayMs)
        const latest = ages.filter((days) => days >= 0 && days < 1).length
        const mean = ages.filter((days) => days >= 1 && days < 15).length / 14
        return [product, (latest - mean) / Math.sqrt(mean + 1)]
      })
      isAlike(
        pairs(ranked(scoresOf(all), ranking.most)),
        sortedBest(
          scores.filter(([, score]) => score > 0),
          5,
        ),
      )
    }),
    runs,
  )
})
