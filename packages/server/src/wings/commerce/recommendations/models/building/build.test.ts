import { fromNeighbours, fromSessions, modelOf, NotAModel } from '@svc/recommend'
import { expect, test } from 'vitest'
import { groupOf, shopOrders, shopViews } from '../testing/shop.ts'
import { build, type Task } from './build.ts'
import { gathering, scoring, TooManyInteractions } from './gathered.ts'

const now = Date.parse('2026-11-20T10:00:00.000Z')

function gathered(happened: ReturnType<typeof shopViews>, most?: number) {
  const interactions = gathering({ product_viewed: 1, order: 5 }, most)
  for (let from = 0; from < happened.length; from += 100) interactions.add(happened.slice(from, from + 100))
  return interactions.end()
}

const task = (strategy: 'VIEWED_TOGETHER' | 'BOUGHT_TOGETHER' | 'FOR_YOU', of = shopViews(now)): Task => ({
  strategy,
  gathered: gathered(of),
})

/** Which share of the neighbours of all products is of their own group. */
function ownShare(bytes: Uint8Array): number {
  const model = modelOf(bytes)
  if (model.kind !== 'NEIGHBOURS') throw new Error(model.kind)
  const { ids, neighbours } = model
  const recommend = fromNeighbours(neighbours, ids.length)
  const pairs = ids.flatMap((id, product) =>
    [...recommend([product], [product], 5).numbers].map((other) => [id, ids[other]!]),
  )
  return pairs.filter(([one, other]) => groupOf(one!) === groupOf(other!)).length / pairs.length
}

test('what is viewed together is of one group, and found much better than by what is popular', () => {
  const { models, metrics, products } = build(task('VIEWED_TOGETHER'), [])
  expect([products, models.length, ownShare(models[0]!)]).toEqual([200, 1, 1])
  expect(metrics!.recall20).toBeGreaterThan(0.9)
  expect(metrics!.popular.recall20).toBeLessThan(0.2)
  expect(metrics).toMatchObject({ hitRate20: null, mrr20: null, fallbackShare: expect.closeTo(0, 1) })
})

test('what is bought together is of one group, and what was never bought has what was viewed with it', () => {
  const views = shopViews(now).map((view) => ({ ...view, productId: view.productId.replace('G1-', 'new-') }))
  const { models } = build(task('BOUGHT_TOGETHER', [...views, ...shopOrders(now)]), [])
  expect(ownShare(models[0]!)).toBe(1)
  const model = modelOf(models[0]!)
  const found = model.kind === 'NEIGHBOURS' && fromNeighbours(model.neighbours, model.ids.length)
  const place = model.ids.indexOf('new-1')
  expect(found && [...found([place], [place], 3).numbers].map((n) => groupOf(model.ids[n]!))).toEqual(
    Array(3).fill('new'),
  )
})

test('for a visitor, sessions and neighbours go on in the group, and the next product is found', () => {
  const { models, metrics } = build(task('FOR_YOU'), [])
  const [sessions, neighbours] = models.map((bytes) => modelOf(bytes))
  if (sessions?.kind !== 'SESSIONS' || neighbours?.kind !== 'NEIGHBOURS') throw new Error('The kinds are different.')
  const seen = [sessions.ids.indexOf('G3-1')]
  const found = [...fromSessions(sessions.index)(seen, seen, 5).numbers]
  expect(found.map((product) => groupOf(sessions.ids[product]!))).toEqual(Array(found.length).fill('G3'))
  expect([found.length > 0, ownShare(models[1]!)]).toEqual([true, 1])
  expect(metrics!.mrr20).toBeGreaterThan(0.2)
  expect(metrics!.popular.mrr20!).toBeLessThan(0.1)
  expect(metrics).toMatchObject({ recall20: null, ndcg20: null })
})

test.each(['VIEWED_TOGETHER', 'BOUGHT_TOGETHER', 'FOR_YOU'] as const)(
  'equal interactions give equal bytes of %s',
  (strategy) => {
    const both = [...shopViews(now), ...shopOrders(now)]
    expect(build(task(strategy, both), [])).toEqual(build(task(strategy, both), []))
  },
)

test.each(['VIEWED_TOGETHER', 'BOUGHT_TOGETHER', 'FOR_YOU'] as const)(
  'without interactions, %s has no product',
  (strategy) => {
    expect(build(task(strategy, []), [])).toMatchObject({ products: 0, metrics: null })
  },
)

test('noise in the last days is found worse', () => {
  const scrambled = [...shopViews(now), ...shopViews(now, { noise: 1, seed: 3, since: 5 })]
  const [{ metrics: good }, { metrics: bad }] = [
    build(task('VIEWED_TOGETHER'), []),
    build(task('VIEWED_TOGETHER', scrambled), []),
  ]
  expect(bad!.recall20! / good!.recall20!).toBeLessThan(0.9)
})

test('pairs that others have trained keep their best, and ties go by id', () => {
  const related = {
    productIds: ['B', 'A', 'C'],
    of: Uint32Array.of(0, 0, 1),
    other: Uint32Array.of(2, 1, 0),
    scores: Float32Array.of(0.5, 0.5, 2),
  }
  const { models, products } = build({ strategy: 'IMPORTED', related }, [])
  const model = modelOf(models[0]!)
  expect([products, model.ids]).toEqual([2, ['A', 'B', 'C']])
  expect(model).toMatchObject({
    neighbours: {
      ...{ starts: Uint32Array.of(0, 1, 3, 3), numbers: Uint32Array.of(1, 0, 2) },
      scores: Float32Array.of(2, 0.5, 0.5),
    },
  })
})

test('a model that nodes could not read is none', () => {
  const related = { productIds: ['A', 'B'], of: Uint32Array.of(0), other: Uint32Array.of(1) }
  const of = (score: number): Task => ({
    strategy: 'IMPORTED',
    related: { ...related, scores: Float32Array.of(score) },
  })
  expect(build(of(3e38), []).products).toBe(1)
  expect(() => build(of(3e39), [])).toThrow(NotAModel)
})

test.each([
  ['POPULAR', ['B', 'A', 'C']],
  ['TRENDING', ['C']],
] as const)('a list of %s is that of all interactions, read in portions', (strategy, expected) => {
  const day = 86_400_000
  const happened = (productId: string, agoDays: number, times: number, eventKey = 'product_viewed') =>
    Array.from({ length: times }, () => ({
      ...{ unit: null, eventKey, at: now - agoDays * day, productId, orderId: null },
    }))
  const scores = scoring(strategy, { product_viewed: 1, order: 5 }, now)
  for (const portion of [happened('A', 2, 2_000), happened('B', 2, 500, 'order'), happened('C', 0, 900)])
    scores.add(portion)
  expect(scores.size()).toBe(3_400)
  const model = modelOf(build({ strategy, scored: scores.end() }, []).models[0]!)
  expect(model.kind === 'RANKED' && [...model.ranked.numbers].map((number) => model.ids[number])).toEqual(expected)
})

test('more interactions than a model can have are refused', () => {
  expect(() => gathered(shopViews(now), 1_000)).toThrow(TooManyInteractions)
})
