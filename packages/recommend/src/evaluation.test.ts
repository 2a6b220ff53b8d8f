import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { dayMs, interactionsFrom, productCount, rowsFrom, runs, someRows, start } from '../testing/naive.ts'
import { chooseDamping, fromRanked, holdoutFrom, judgeSessions, judgeUnits, splitAt } from './evaluation.ts'
import { fromNeighbours, neighbours } from './neighbours.ts'
import { listCount, listOf } from './rows.ts'

describe('the holdout', () => {
  test.each([
    ['is the last week of a long time', 90, 83],
    ['is the last fifth of a short one', 10, 8],
    ['begins with the only moment', 0, 0],
  ])('%s', (_name, days, expected) => {
    const at = Float64Array.from([0, days / 2, days], (day) => start + day * dayMs)
    expect(holdoutFrom({ at })).toBe(start + expected * dayMs)
  })

  test('of nothing is nothing', () => {
    expect(holdoutFrom({ at: new Float64Array(0) })).toBeNull()
  })

  test('has what came from its moment on', () => {
    const all = interactionsFrom(
      [1, 2, 3].map((product) => ({ unit: 0, product, at: start + product, weight: product })),
    )
    const { before, after } = splitAt(all, start + 2)
    expect([[...before.products], [...after.products], [...after.weights]]).toEqual([[1], [2, 3], [2, 3]])
  })
})

/** A list that is right about some products, whoever asks. */
const some = fromRanked({ numbers: Uint32Array.from([3, 1, 4, 5, 9]) })
const nothing = fromRanked({ numbers: new Uint32Array(0) })

describe('units', () => {
  it('have the recall and the gain of their definitions', () => {
    fc.assert(
      fc.property(someRows, someRows, (train, later) => {
        const units = [...Array(listCount(later)).keys()].flatMap((unit) => {
          const seen = [...listOf(train, unit)]
          const wanted = [...listOf(later, unit)].filter((product) => !seen.includes(product))
          const list = [3, 1, 4, 5, 9].filter((product) => !seen.includes(product))
          const gain = (places: number[]) => places.reduce((sum, place) => sum + 1 / Math.log2(place + 2), 0)
          const hits = list.flatMap((product, place) => (wanted.includes(product) ? [place] : []))
          return wanted.length === 0
            ? []
            : [[hits.length / wanted.length, gain(hits) / gain(wanted.map((_, place) => place))]]
        })
        const mean = (n: number) => units.reduce((sum, unit) => sum + unit[n]!, 0) / units.length
        const metrics = judgeUnits(train, later, { recommend: some, fallback: nothing, productsWithAny: 10 })
        if (units.length === 0) expect(metrics).toBeNull()
        else {
          expect(metrics!.recall20).toBeCloseTo(mean(0), 12)
          expect(metrics!.ndcg20).toBeCloseTo(mean(1), 12)
        }
      }),
      runs,
    )
  })

  test('for whom the model has nothing get what is popular, which covers nothing of the model', () => {
    const [train, later] = [rowsFrom([[0]], productCount), rowsFrom([[3, 7]], productCount)]
    expect(judgeUnits(train, later, { recommend: nothing, fallback: some, productsWithAny: 10 })).toMatchObject({
      ...{ recall20: 0.5, hitRate20: null, coverage20: 0, fallbackShare: 1 },
    })
    expect(judgeUnits(train, later, { recommend: some, fallback: nothing, productsWithAny: 10 })).toMatchObject({
      ...{ recall20: 0.5, coverage20: 0.5, fallbackShare: 0 },
    })
  })
})

test('sessions are judged after each product by the place of the next one', () => {
  const sessions = { starts: Uint32Array.from([0, 3, 5]), numbers: Uint32Array.from([0, 1, 4, 3, 2]) }
  // After 0: 1 is second. After 0 and 1: 4 is second. After 3: 2 is not there.
  const metrics = judgeSessions(sessions, { recommend: some, fallback: nothing, productsWithAny: 10 })
  expect(metrics).toMatchObject({ recall20: null, hitRate20: 2 / 3, mrr20: (1 / 2 + 1 / 2) / 3, coverage20: 0.5 })
  expect(
    judgeSessions(
      { starts: new Uint32Array(1), numbers: new Uint32Array(0) },
      { recommend: some, fallback: nothing, productsWithAny: 1 },
    ),
  ).toBeNull()
})

test('of too many, some are asked that are evenly spread', () => {
  const asked: number[] = []
  const recommend = (seen: ArrayLike<number>) => {
    asked.push(seen[0]!)
    return { numbers: new Uint32Array(0) }
  }
  const units = rowsFrom(
    Array.from({ length: 12 }, (_, unit) => [unit]),
    productCount,
  )
  const later = rowsFrom(
    Array.from({ length: 12 }, (_, unit) => (unit < 4 ? [] : [(unit + 1) % 12])),
    productCount,
  )
  judgeUnits(units, later, { recommend, fallback: nothing, productsWithAny: 1, most: 4 })
  expect(asked).toEqual([4, 6, 8, 10])
})

describe('the damping', () => {
  const of = { most: 5 }
  test('of a shop where all follow the crowd is small, and large where nobody does', () => {
    // Everybody has 0. Those of the crowd go on to 1, which is popular; the others go on to a product of their own taste.
    const tastes = Array.from({ length: 8 }, (_, taste) => [2 + 2 * taste, 3 + 2 * taste])
    const train = rowsFrom(
      [
        ...Array(30).fill([0, 1]),
        ...tastes.flatMap(([one, other]) => Array(4).fill([0, one, other])),
        ...tastes.map(([one]) => [0, one!]),
      ],
      18,
    )
    const later = (follows: (taste: number[]) => number) =>
      rowsFrom([...Array(62).fill([]), ...tastes.map((taste) => [follows(taste)])], 18)
    const crowd = chooseDamping(
      train,
      later(() => 1),
      { most: 1 },
    )!
    const niche = chooseDamping(
      train,
      later(([, other]) => other!),
      { most: 1 },
    )!
    expect([crowd.beta, niche.recall20]).toEqual([0.1, 1])
    expect(niche.beta).toBeGreaterThanOrEqual(crowd.beta)
  })

  it('is the best of all pairs, each judged by itself', () => {
    fc.assert(
      fc.property(someRows, someRows, (train, later) => {
        const tried = [0.1, 0.3, 0.5, 0.7].flatMap((beta) =>
          [0.3, 0.5, 0.7].map((gamma) => {
            const recommend = fromNeighbours(neighbours(train, { beta, gamma, ...of }), productCount)
            const metrics = judgeUnits(train, later, { recommend, fallback: nothing, productsWithAny: 1 })
            return { beta, gamma, recall20: metrics?.recall20 ?? null }
          }),
        )
        const chosen = chooseDamping(train, later, of)
        if (tried[0]!.recall20 === null) expect(chosen).toBeNull()
        else {
          const most = Math.max(...tried.map(({ recall20 }) => recall20!))
          expect(chosen).toEqual(tried.find(({ recall20 }) => recall20 === most))
        }
      }),
      { ...runs, numRuns: 300 },
    )
  })
})
