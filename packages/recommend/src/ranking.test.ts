import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { runs } from '../testing/naive.ts'
import { bitsOf, type LeftOut, pinsAt, type RankingRequest, rank, type Shelf } from './ranking.ts'

const { inStock, later, outOfStock } = { inStock: 0, later: 1, outOfStock: 2 }

interface Item {
  availability: number
  price: number
}

interface Product {
  items: Item[]
  brand: number
  category: number
}

const shelfOf = (products: readonly Product[]): Shelf => {
  const items = products.flatMap((product) => product.items)
  const itemStarts = new Uint32Array(products.length + 1)
  for (const [n, product] of products.entries()) itemStarts[n + 1] = itemStarts[n]! + product.items.length
  return {
    itemStarts,
    availability: Uint8Array.from(items, ({ availability }) => availability),
    prices: Float64Array.from(items, ({ price }) => price),
    brands: Int32Array.from(products, ({ brand }) => brand),
    categories: Int32Array.from(products, ({ category }) => category),
  }
}

const plain: RankingRequest = {
  ...{ limit: 10, lists: [], allowed: null, passes: null, includesLater: false, sameCategory: false },
  ...{
    excluded: [],
    context: [],
    bought: [],
    boosts: null,
    sameAs: [],
    maxPerBrand: null,
    maxPerCategory: null,
    pins: [],
  },
}
const list = (strategy: string, ...numbers: number[]) => ({
  strategy,
  numbers,
  scores: numbers.map((_, n) => 1 - n / 10),
})
const single = (more: Partial<Product> = {}): Product => ({
  ...{ items: [{ availability: inStock, price: 10 }], brand: -1, category: -1 },
  ...more,
})
const shop = shelfOf(Array.from({ length: 8 }, (_, n) => single({ brand: n % 2, category: n < 4 ? 0 : 1 })))
const shown = (request: Partial<RankingRequest>, shelf = shop) =>
  rank(shelf, { ...plain, ...request }).items.map(({ product }) => product)
const reasons = (request: Partial<RankingRequest>, shelf = shop) =>
  Object.fromEntries(
    rank(shelf, { ...plain, explains: true, ...request }).candidates.map(({ product, reason }) => [product, reason]),
  )

describe('a list', () => {
  test('is filled by one strategy after the other, each product once', () => {
    const { items } = rank(shop, { ...plain, limit: 4, lists: [list('A', 5, 2), list('B', 2, 7, 0, 1)] })
    expect(items.map(({ product, strategy }) => [product, strategy])).toEqual([
      [5, 'A'],
      [2, 'A'],
      [7, 'B'],
      [0, 'B'],
    ])
  })

  test('says of each product why it is not in it', () => {
    const lists = [list('A', 0, 1, 2, 3, 4, 5, 6, 7)]
    const allowed = bitsOf(8, (item) => item !== 0)
    expect(
      reasons({ lists, allowed, excluded: [1], context: [2, 1], bought: [3, 2], limit: 2, maxPerBrand: 1 }),
    ).toEqual({
      ...{ 0: 'FILTERED', 1: 'EXCLUDED', 2: 'CONTEXT', 3: 'BOUGHT', 4: null, 5: null, 6: 'CAP', 7: 'CAP' },
    })
    expect(reasons({ lists, limit: 1, maxPerCategory: 9 })[1]).toBe('LIMIT')
  })

  test('keeps to the category of the page', () => {
    expect(shown({ lists: [list('A', 0, 5, 2, 6)], context: [1], sameCategory: true })).toEqual([0, 2])
    expect(shown({ lists: [list('A', 0, 5)], sameCategory: true })).toEqual([0, 5])
  })

  test('is ordered by boosts within a strategy, never across', () => {
    const boosts = Float32Array.from(Array(8).keys(), (item) => (item === 6 ? 4 : 1))
    const sameAs = [{ values: shop.brands, factor: 1.5 }]
    expect(shown({ lists: [list('A', 0, 1), list('B', 4, 6)], boosts })).toEqual([0, 1, 6, 4])
    expect(shown({ lists: [list('A', 0, 1)], context: [7], sameAs })).toEqual([1, 0])
  })

  test('of a placement without strategies is empty', () => {
    expect(rank(shop, plain)).toEqual({ items: [], candidates: [] })
  })
})

describe('the item of a product', () => {
  const items = (...all: [number, number][]) => [
    single({ items: all.map(([availability, price]) => ({ availability, price })) }),
  ]
  const chosen = (products: Product[], request: Partial<RankingRequest> = {}) =>
    rank(shelfOf(products), { ...plain, lists: [list('A', 0)], ...request }).candidates.map(
      ({ item, reason }) => reason ?? item,
    )

  test.each<[string, [number, number][], Partial<RankingRequest>, number | LeftOut]>([
    [
      'is in stock, then the cheapest',
      [
        [later, 1],
        [inStock, 9],
        [inStock, 5],
        [outOfStock, 1],
      ],
      { includesLater: true },
      2,
    ],
    [
      'comes later, if that is wanted',
      [
        [outOfStock, 1],
        [later, 9],
      ],
      { includesLater: true },
      1,
    ],
    ['does not come later otherwise', [[later, 9]], {}, 'OUT_OF_STOCK'],
    ['is never out of stock, not by a pin', [[outOfStock, 1]], { pins: [{ product: 0, position: 0 }] }, 'OUT_OF_STOCK'],
    [
      'passes the filter of the request',
      [
        [inStock, 1],
        [inStock, 5],
      ],
      { passes: (item) => item === 1 },
      1,
    ],
    ['passes both filters', [[inStock, 1]], { passes: () => true, allowed: bitsOf(1, () => false) }, 'FILTERED'],
  ])('%s', (_name, all, request, expected) => {
    expect(chosen(items(...all), request)).toEqual([expected])
  })
})

describe('a pin', () => {
  const lists = [list('A', 0, 1, 2, 3)]
  test.each<[string, Partial<RankingRequest>, number[]]>([
    ['takes its place', { lists, pins: [{ product: 7, position: 1 }], limit: 3 }, [0, 7, 1]],
    ['moves a product of a strategy', { lists, pins: [{ product: 3, position: 0 }] }, [3, 0, 1, 2]],
    ['is last in a short list', { lists: [], pins: [{ product: 3, position: 5 }] }, [3]],
    [
      'of the same place is after the smaller id',
      {
        lists,
        pins: [
          { product: 6, position: 0 },
          { product: 5, position: 0 },
        ],
        limit: 3,
      },
      [5, 6, 0],
    ],
    ['beyond the list is left out', { lists, pins: [{ product: 7, position: 2 }], limit: 2 }, [0, 1]],
    [
      'ignores the filter and the caps of the placement',
      {
        lists,
        allowed: bitsOf(8, (item) => item < 7),
        maxPerCategory: 1,
        pins: [
          { product: 7, position: 0 },
          { product: 6, position: 1 },
        ],
      },
      [7, 6, 0],
    ],
    [
      'obeys the filter of the request and what is excluded',
      {
        lists: [],
        passes: (item) => item !== 6,
        excluded: [5],
        context: [4],
        pins: [4, 5, 6, 7].map((product) => ({ product, position: 0 })),
      },
      [7],
    ],
  ])('%s', (_name, request, expected) => {
    expect(shown(request)).toEqual(expected)
  })
})

test('pins count from their beginning until before their end', () => {
  const [before, at, after] = [1, 2, 3].map((day) => new Date(Date.UTC(2026, 11, day))) as [Date, Date, Date]
  const pins = [
    [null, null],
    [at, null],
    [after, null],
    [null, at],
    [before, after],
  ] as const
  const timed = pins.map(([from, until], product) => ({ product, position: 0, from, until }))
  expect(pinsAt(timed, at).map(({ product }) => product)).toEqual([0, 1, 4])
})

it('lists are what their rules say', () => {
  const item = fc.record({ availability: fc.nat(2), price: fc.nat(3) })
  const product = fc.record({
    items: fc.array(item, { maxLength: 3 }),
    brand: fc.integer({ min: -1, max: 2 }),
    category: fc.integer({ min: -1, max: 2 }),
  })
  const numbers = fc.array(fc.nat(9), { maxLength: 4 })
  const cap = fc.option(fc.integer({ min: 1, max: 2 }))
  const request = fc.record({
    limit: fc.integer({ min: 1, max: 6 }),
    lists: fc.array(
      fc.uniqueArray(fc.nat(9)).map((all) => list('A', ...all)),
      { maxLength: 3 },
    ),
    forbidden: numbers,
    includesLater: fc.boolean(),
    excluded: numbers,
    context: numbers,
    bought: numbers,
    maxPerBrand: cap,
    maxPerCategory: cap,
    pins: fc.uniqueArray(fc.record({ product: fc.nat(9), position: fc.nat(6) }), {
      maxLength: 3,
      selector: (pin) => pin.product,
    }),
  })
  fc.assert(
    fc.property(fc.array(product, { minLength: 10, maxLength: 10 }), request, (products, { forbidden, ...asked }) => {
      const shelf = shelfOf(products)
      const whole = { ...plain, ...asked, passes: (number: number) => !forbidden.includes(number) }
      const { items, candidates } = rank(shelf, { ...whole, explains: true })
      expect(rank(shelf, whole).items).toEqual(items)
      const order = (number: number) => products.flatMap(({ items: all }, p) => all.map(() => p)).indexOf(number)
      const canBeSold = (number: number) =>
        products[number]!.items.some(
          ({ availability }, n) =>
            !forbidden.includes(order(number) + n) &&
            (availability === inStock || (availability === later && asked.includesLater)),
        ) && ![...asked.excluded, ...asked.context, ...asked.bought].includes(number)
      // Pins first, then one strategy after the other, as long as caps allow.
      const pins = asked.pins
        .filter(({ product: number, position }) => canBeSold(number) && position < asked.limit)
        .sort((one, other) => one.position - other.position || one.product - other.product)
        .slice(0, asked.limit)
      const expected: number[] = []
      const isFull = (of: 'brand' | 'category', most: number | null, number: number) =>
        most !== null &&
        products[number]![of] !== -1 &&
        expected.filter((other) => products[other]![of] === products[number]![of]).length >= most
      for (const number of new Set(asked.lists.flatMap((all) => all.numbers))) {
        if (expected.length === asked.limit - pins.length) break
        if (asked.pins.some((pin) => pin.product === number) || !canBeSold(number)) continue
        if (isFull('brand', asked.maxPerBrand, number) || isFull('category', asked.maxPerCategory, number)) continue
        expected.push(number)
      }
      const places: (number | undefined)[] = Array(asked.limit + asked.pins.length).fill(undefined)
      for (const pin of pins) {
        let place = pin.position
        while (places[place] !== undefined) place += 1
        places[place] = pin.product
      }
      for (const number of expected) places[places.indexOf(undefined)] = number
      expect(items.map((shownItem) => shownItem.product)).toEqual(places.filter((there) => there !== undefined))
      expect(candidates.filter(({ reason }) => reason === null)).toHaveLength(items.length)
      for (const { item: number } of items) expect(shelf.availability[number]).not.toBe(outOfStock)
    }),
    runs,
  )
})
