import type { Model } from '@svc/recommend'
import { expect, test } from 'vitest'
import type { LiveModel, Strategy } from '../models/live.ts'
import { factsOf, testsOf } from './item.ts'
import { listsFor, type Visit } from './lists.ts'
import { changedShelf, emptyShelf, numberOf } from './shelf.ts'

const tests = testsOf([])
const product = (itemId: string, categories: string[]) =>
  factsOf({ itemId, productId: itemId, availability: 'IN_STOCK', sourceId: null, doc: { categories } }, tests)
const shelf = changedShelf(emptyShelf(tests), {
  ...{ revision: 1, changed: new Set<string>() },
  present: [
    ...[product('a', ['Clothing', 'Shirts']), product('b', ['Clothing']), product('c', ['Clothings'])],
    ...[product('d', ['Kitchen']), product('e', [])],
  ],
})

/** `zz` is in the model and not on the shelf any more, and the shelf's `e` is new. */
const ids = ['a', 'b', 'c', 'd', 'zz']
const ranked = (...best: string[]): Model => ({
  ...{ kind: 'RANKED', ids },
  ranked: {
    numbers: Uint32Array.from(best, (id) => ids.indexOf(id)),
    scores: Float64Array.from(best, (_id, n) => best.length - n),
  },
})
/** Each product has its own neighbours. */
function neighbours(of: Record<string, string[]>): Model {
  const lists = ids.map((id) => of[id] ?? [])
  const starts = Uint32Array.from([0, ...lists.map((_list, n) => lists.slice(0, n + 1).flat().length)])
  const numbers = Uint32Array.from(lists.flat(), (id) => ids.indexOf(id))
  return { kind: 'NEIGHBOURS', ids, neighbours: { starts, numbers, scores: new Float32Array(numbers.length).fill(1) } }
}
const live = (strategy: Strategy, model: Model, key = strategy.toLowerCase()): LiveModel => ({
  ...{ id: `id-${key}`, key, strategy, runNumber: 1, model },
})

const models = [
  live('POPULAR', ranked('zz', 'd', 'a', 'c', 'b')),
  live('POPULAR', ranked('b'), 'older'),
  live('VIEWED_TOGETHER', neighbours({ a: ['b', 'zz'], b: ['a'] })),
  live('BOUGHT_TOGETHER', neighbours({ d: ['c'] })),
]

const asked = (
  names: string[],
  { seen = [], context = [], category = null }: Partial<Record<string, unknown>> = {},
) => {
  const numbers = (of: unknown) => (of as string[]).map((id) => numberOf(shelf.productIds, id))
  const visit: Visit = { context: numbers(context), seen: numbers(seen), category: category as string | null }
  return [...listsFor(names, { shelf, models }, visit)].map(({ strategy, numbers: found }) => [
    strategy,
    Array.from(found, (number) => shelf.productIds[number]).join(''),
  ])
}

test.each<[string, ReturnType<typeof asked>, string[][]]>([
  [
    'strategies in their order',
    asked(['RECENTLY_VIEWED', 'POPULAR'], { seen: ['c', 'a', 'c'] }),
    [
      ['RECENTLY_VIEWED', 'ca'],
      ['POPULAR', 'dacb'],
    ],
  ],
  ['a model by its key', asked(['older']), [['POPULAR', 'b']]],
  ['what no model answers', asked(['TRENDING', 'SIMILAR', 'nobody']), []],
  ['the category and those below it', asked(['POPULAR'], { category: 'Clothing' }), [['POPULAR', 'ab']]],
  [
    'first those like the product of the page',
    asked(['POPULAR'], { context: ['d'] }),
    [
      ['POPULAR', 'd'],
      ['POPULAR', 'dacb'],
    ],
  ],
  ['a product without a category', asked(['POPULAR'], { context: ['e'] }), [['POPULAR', 'dacb']]],
  [
    'neighbours of the page alone',
    asked(['VIEWED_TOGETHER'], { context: ['a'], seen: ['b'] }),
    [['VIEWED_TOGETHER', 'b']],
  ],
  ['nothing beside nothing', asked(['VIEWED_TOGETHER'], { seen: ['a'] }), []],
  [
    'nobody bought it: what was viewed with it',
    asked(['BOUGHT_TOGETHER'], { context: ['a'] }),
    [['VIEWED_TOGETHER', 'b']],
  ],
  ['what was bought with it', asked(['BOUGHT_TOGETHER'], { context: ['d'] }), [['BOUGHT_TOGETHER', 'c']]],
  ['for a visitor without a model: the popular', asked(['FOR_YOU'], { seen: ['a'] }), [['POPULAR', 'dacb']]],
])('%s', (_name, found, expected) => {
  expect(found).toEqual(expected)
})

test('sessions look at what was seen, then at neighbours, then at what is popular', () => {
  const index = {
    sessions: { starts: Uint32Array.of(0, 2, 4), numbers: Uint32Array.of(0, 3, 1, 2) },
    ofProducts: { starts: Uint32Array.of(0, 1, 2, 3, 4, 4), numbers: Uint32Array.of(0, 1, 1, 0) },
    idf: new Float32Array(5).fill(Math.LN2),
  }
  const forYou = { id: 'f', key: 'for-you', strategy: 'FOR_YOU', runNumber: 1 } as const
  const both: LiveModel[] = [
    { ...forYou, model: { kind: 'SESSIONS', ids, index } },
    { ...forYou, model: neighbours({ b: ['d'] }) },
    ...models,
  ]
  const shown = (...seen: string[]) =>
    [
      ...listsFor(
        ['FOR_YOU'],
        { shelf, models: both },
        {
          ...{ context: [], category: null },
          seen: seen.map((id) => numberOf(shelf.productIds, id)),
        },
      ),
    ].map(({ strategy, numbers }) => [strategy, Array.from(numbers, (number) => shelf.productIds[number]).join('')])
  expect(shown('a')).toEqual([['FOR_YOU', 'ad']])
  expect(shown('e')).toEqual([['POPULAR', 'dacb']])
})

test('the products of a model are found in any order', () => {
  const mixed = ['b', 'zz', 'a', 'c', 'a0', 'd']
  const model: Model = {
    ...{ kind: 'RANKED', ids: mixed },
    ranked: { numbers: Uint32Array.from(mixed.keys()), scores: new Float64Array(mixed.length) },
  }
  const [list] = listsFor(
    ['POPULAR'],
    { shelf, models: [live('POPULAR', model)] },
    { context: [], seen: [], category: null },
  )
  expect(Array.from(list!.numbers, (number) => shelf.productIds[number])).toEqual(['b', 'a', 'c', 'd'])
})
