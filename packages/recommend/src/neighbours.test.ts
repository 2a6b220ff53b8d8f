import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { pairs, productCount, rowsFrom, runs, someRows, sortedBest } from '../testing/naive.ts'
import { best } from './best.ts'
import { belongTogether, logLikelihoodRatio } from './likelihood.ts'
import { cosine, fromNeighbours, neighbours } from './neighbours.ts'
import { listCount, listOf, type Rows } from './rows.ts'

it('the best of many are the first of all in order', () => {
  const some = fc.uniqueArray(fc.tuple(fc.nat(50), fc.integer({ min: -3, max: 3 })), { selector: ([number]) => number })
  fc.assert(
    fc.property(some, fc.nat(10), (scored, most) => {
      const kept = best(most)
      for (const [number, score] of scored) kept.offer(number, score)
      expect(pairs(kept.take())).toEqual(sortedBest(scored, most))
      expect(pairs(kept.take())).toEqual([])
    }),
    runs,
  )
})

const settings = fc.record({
  beta: fc.constantFrom(0, 0.1, 0.5, 1),
  gamma: fc.constantFrom(0, 0.3, 0.7),
  most: fc.integer({ min: 1, max: 12 }),
  sharesRows: fc.boolean(),
})

const rowsAsLists = (rows: Rows) => Array.from({ length: listCount(rows) }, (_, row) => [...listOf(rows, row)])

/** The formula, one pair at a time. */
function naive(rows: Rows, of: { beta: number; gamma: number; most: number; sharesRows: boolean; isKept?: boolean }) {
  const lists = rowsAsLists(rows)
  const rowsWith = (...products: number[]) =>
    lists.filter((list) => products.every((product) => list.includes(product)))
  const degree = (product: number) => rowsWith(product).length
  return Array.from({ length: rows.productCount }, (_, i) => {
    const scored: [number, number][] = []
    for (let j = 0; j < rows.productCount; j += 1) {
      const both = rowsWith(i, j)
      if (i === j || both.length === 0) continue
      if (of.isKept && !belongTogether({ together: both.length, one: degree(i), other: degree(j), of: lists.length }))
        continue
      const sum = both.reduce((total, list) => total + (of.sharesRows ? 1 / list.length : 1), 0)
      scored.push([j, sum * degree(j) ** -of.beta])
    }
    return sortedBest(scored, of.most).map(([j, score]) => [j, score * degree(i) ** -of.gamma] as const)
  })
}

it('neighbours are those of the formula', () => {
  fc.assert(
    fc.property(someRows, settings, (rows, of) => {
      const found = neighbours(rows, of)
      for (const [product, expected] of naive(rows, of).entries()) {
        const [from, to] = [found.starts[product]!, found.starts[product + 1]!]
        expect([...found.numbers.subarray(from, to)]).toEqual(expected.map(([number]) => number))
        for (const [n, [, score]] of expected.entries())
          expect(Math.abs(found.scores[from + n]! - score)).toBeLessThanOrEqual(1e-6 * score)
      }
    }),
    runs,
  )
})

it('what belongs together is a part of them', () => {
  const repeated = fc
    .array(fc.tuple(fc.array(fc.nat(productCount - 1), { maxLength: 4 }), fc.integer({ min: 1, max: 12 })), {
      maxLength: 6,
    })
    .map((lists) =>
      rowsFrom(
        lists.flatMap(([list, times]) => Array<number[]>(times).fill(list)),
        productCount,
      ),
    )
  fc.assert(
    fc.property(repeated, (rows) => {
      const of = { beta: 0.3, gamma: 0.5, most: 5, sharesRows: true }
      const found = neighbours(rows, { ...of, isKept: belongTogether })
      const lists = Array.from({ length: productCount }, (_, product) => [...listOf(found, product)])
      expect(lists).toEqual(naive(rows, { ...of, isKept: true }).map((list) => list.map(([number]) => number)))
    }),
    runs,
  )
})

test('the cosine is a special case', () => {
  const rows = rowsFrom([[0, 1], [0, 1, 2], [0], [1, 2]], 3)
  const { numbers, scores, starts } = neighbours(rows, cosine)
  expect([...numbers.subarray(starts[0], starts[1])]).toEqual([1, 2])
  expect(scores[0]).toBeCloseTo(2 / Math.sqrt(3 * 3), 6)
  expect(scores[1]).toBeCloseTo(1 / Math.sqrt(3 * 2), 6)
})

test.each([
  // 2 · (Σ k ln k − …), worked out by hand from the four cells.
  ['a pair of chance', { together: 10, one: 100, other: 100, of: 1000 }, 0],
  [
    'a pair that is always together',
    { together: 10, one: 10, other: 10, of: 1000 },
    2 * (10 * Math.log(100) + 990 * Math.log(1000 / 990)),
  ],
  ['a pair that is never together', { together: 0, one: 500, other: 500, of: 1000 }, 2 * 1000 * Math.log(2)],
])('the log-likelihood ratio of %s', (_name, pair, expected) => {
  expect(logLikelihoodRatio(pair)).toBeCloseTo(expected, 8)
})

test.each([
  ['often, and chance does not explain it', { together: 10, one: 12, other: 15, of: 1000 }, true],
  ['once', { together: 1, one: 1, other: 1, of: 1000 }, false],
  ['as often as by chance', { together: 10, one: 100, other: 100, of: 1000 }, false],
  ['less often than by chance', { together: 2, one: 500, other: 500, of: 1000 }, false],
])('a pair that occurs %s', (_name, pair, expected) => {
  expect(belongTogether(pair)).toBe(expected)
})

describe('a visitor', () => {
  it('gets the sums over what was seen, without what is excluded, each time anew', () => {
    fc.assert(
      fc.property(
        someRows,
        fc.uniqueArray(fc.nat(productCount - 1)),
        fc.array(fc.nat(productCount - 1)),
        (rows, seen, excluded) => {
          const found = neighbours(rows, { beta: 0.3, gamma: 0.5 })
          const recommend = fromNeighbours(found, productCount)
          const sums = new Map<number, number>()
          for (const product of seen)
            for (let place = found.starts[product]!; place < found.starts[product + 1]!; place += 1)
              sums.set(found.numbers[place]!, (sums.get(found.numbers[place]!) ?? 0) + found.scores[place]!)
          const expected = sortedBest(
            [...sums].filter(([product]) => !excluded.includes(product)),
            5,
          )
          for (let time = 0; time < 2; time += 1) expect(pairs(recommend(seen, excluded, 5))).toEqual(expected)
        },
      ),
      runs,
    )
  })

  test('gets nothing from scores of others that are none', () => {
    const scores = Float32Array.from([Number.NaN, -1, 0, 2])
    const found = { starts: Uint32Array.from([0, 4, 4, 4, 4, 4]), numbers: Uint32Array.from([1, 2, 3, 4]), scores }
    expect(pairs(fromNeighbours(found, 5)([0], [], 5))).toEqual([[4, 2]])
  })
})

test('in a shop of separate tastes, all neighbours are of the same taste', () => {
  // Ten products of each of four tastes. Each visitor sees five of one, and now and then the one that everybody sees.
  const everybodys = 40
  let random = 1
  const next = (below: number) => {
    random = (random * 48_271) % 2_147_483_647
    return random % below
  }
  const visitors = Array.from({ length: 400 }, (_, visitor) => {
    const of = Array.from({ length: 5 }, () => (visitor % 4) * 10 + next(10))
    return next(2) === 0 ? of : [...of, everybodys]
  })
  const found = neighbours(rowsFrom(visitors, 41), { beta: 0.5, gamma: 0.5, most: 9 })
  for (let product = 0; product < 40; product += 1) {
    const own = [...listOf(found, product)].filter((other) => other !== everybodys)
    expect(own.length).toBeGreaterThanOrEqual(8)
    expect(own.every((other) => Math.floor(other / 10) === Math.floor(product / 10))).toBe(true)
  }
})
