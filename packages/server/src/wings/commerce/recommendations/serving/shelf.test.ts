import { availabilities } from '@svc/recommend'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ShelfItem } from '../../../model/catalog/index.ts'
import { covers, factsOf, type ItemTests, testsOf } from './item.ts'
import {
  changedShelf,
  emptyShelf,
  isWorn,
  numberOf,
  type ProjectShelf,
  productCalled,
  takeOff,
  updatePrices,
} from './shelf.ts'

const cheap = { attribute: 'price', operator: 'lessThan', value: 20 } as const
const variant = {
  ...{ strategies: [], sameCategory: false, excludeBought: true, maxPerBrand: null, maxPerCategory: null, pins: [] },
  filter: cheap,
  boosts: [{ sameAs: 'attributes.color', factor: 2 }],
}
const tests = testsOf([{ variants: { default: variant } }])

const item = (itemId: string, of: Partial<ShelfItem> = {}, doc: ShelfItem['doc'] = {}): ShelfItem => ({
  ...{ itemId, productId: itemId, availability: 'IN_STOCK', sourceId: null, ...of },
  doc: { price: 100_000, salePrice: null, saleFrom: null, saleUntil: null, categories: [], attributes: {}, ...doc },
})

const shelfOf = (items: readonly ShelfItem[], with_: ItemTests = tests): ProjectShelf =>
  changedShelf(emptyShelf(with_), {
    ...{ revision: 1, changed: new Set<string>() },
    present: items.map((each) => factsOf(each, with_)),
  })

/** All that a shelf says, without the numbers of texts, which depend on what came first. */
const said = ({
  productIds,
  itemIds,
  itemStarts,
  availability,
  columns,
  numbers,
  passes,
  attributes,
}: ProjectShelf) => {
  const texts = (of: Map<string, number>, column: Int32Array) => {
    const names = [...of.keys()]
    return [...column].map((number) => names[number] ?? null)
  }
  return {
    ...{ productIds, itemIds, starts: [...itemStarts], availability: [...availability] },
    ...{ prices: [...columns.prices], sales: [...columns.salePrices] },
    brands: texts(numbers.brands, columns.brands),
    categories: texts(numbers.categories, columns.categories),
    passes: [...passes].map(([key, bits]) => [key, itemIds.map((_id, n) => bits.has(n))]),
    colors: [...attributes].map(([, column]) => texts(numbers.attributes[0]!, column)),
  }
}

const items = fc
  .uniqueArray(
    fc.record({
      itemId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'é', '\u{1f600}', '\uffee'),
      productId: fc.constantFrom('p', 'q', '\u{1f600}', '\uffee'),
      availability: fc.constantFrom('IN_STOCK', 'OUT_OF_STOCK', 'PREORDER', 'BACKORDER'),
      price: fc.integer({ min: 0, max: 400_000 }),
      brand: fc.constantFrom(null, 'Acme', 'Best'),
      categories: fc.constantFrom<string[]>([], ['A'], ['A', 'B']),
      color: fc.constantFrom(undefined, 'red', 'blue'),
    }),
    { selector: ({ itemId }) => itemId },
  )
  .map((rows) =>
    rows.map(({ itemId, productId, availability, price, brand, categories, color }) =>
      item(
        itemId,
        { productId, availability: availability as ShelfItem['availability'] },
        {
          ...{ price, brand, categories },
          attributes: color === undefined ? {} : { color },
        },
      ),
    ),
  )

test('a shelf that was changed is the shelf that would have been made anew', () => {
  fc.assert(
    fc.property(items, items, (before, after) => {
      const idsOf = (rows: readonly ShelfItem[]) => new Set(rows.map(({ itemId }) => itemId))
      // Only what is in both and the same may be left out of the changes: nothing here is.
      const moved = changedShelf(shelfOf(before), {
        ...{ revision: 2, changed: new Set([...idsOf(before), ...idsOf(after)]) },
        present: after.map((each) => factsOf(each, tests)),
      })
      expect(said(moved)).toEqual(said(shelfOf(after)))
      // Additions alone leave the others as they are.
      const more = after.filter(({ itemId }) => !idsOf(before).has(itemId))
      const grown = changedShelf(shelfOf(before), {
        ...{ revision: 2, changed: idsOf(more) },
        present: more.map((each) => factsOf(each, tests)),
      })
      expect(said(grown)).toEqual(said(shelfOf([...before, ...more])))
    }),
  )
})

test('products keep their list while only items change', () => {
  const before = shelfOf([item('a'), item('b')])
  const dearer = factsOf(item('a', {}, { price: 300_000 }), tests)
  const after = changedShelf(before, { revision: 2, changed: new Set(['a']), present: [dearer] })
  expect(after.productIds).toBe(before.productIds)
  expect([...after.passes.values()].map((bits) => [bits.has(0), bits.has(1)])).toEqual([[false, true]])
})

test('visitors pay the sale price between its ends', () => {
  const [from, until] = ['2026-11-27T00:00:00.000Z', '2026-11-30T00:00:00.000Z']
  const shelf = shelfOf([
    item('a', {}, { salePrice: 50_000, saleFrom: from, saleUntil: until }),
    item('b', {}, { salePrice: 60_000 }),
    item('c'),
  ])
  const at = (time: string) => {
    updatePrices(shelf, Date.parse(time))
    return [...shelf.prices]
  }
  expect(at('2026-11-26T00:00:00Z')).toEqual([100_000, 60_000, 100_000])
  expect(shelf.pricesUntil).toBe(Date.parse(from))
  expect(at(from)).toEqual([50_000, 60_000, 100_000])
  expect(shelf.pricesUntil).toBe(Date.parse(until))
  expect(at(until)).toEqual([100_000, 60_000, 100_000])
  expect(shelf.pricesUntil).toBe(Number.POSITIVE_INFINITY)
})

test('a sale price of nothing, or of at least the price, is no sale', () => {
  const sales = [0, 1, 99_999, 100_000, 200_000]
  const shelf = shelfOf(sales.map((salePrice) => item(String(salePrice), {}, { salePrice })))
  updatePrices(shelf, Date.now())
  expect(new Set(shelf.prices)).toEqual(new Set([100_000, 1, 99_999]))
})

test('products are found by their ids, and by those of their items', () => {
  const shelf = shelfOf([item('a-1', { productId: 'a' }), item('a-2', { productId: 'a' }), item('b')])
  expect(['a', 'b', 'c', ''].map((id) => numberOf(shelf.productIds, id))).toEqual([0, 1, -1, -1])
  expect(['a', 'a-2', 'b', 'c'].map((id) => productCalled(shelf, id))).toEqual([0, 0, 1, -1])
})

test('what is sold out leaves the shelf before the next one is there', () => {
  const shelf = shelfOf([item('a'), item('b')])
  takeOff(shelf, new Set(['b', 'c']))
  expect([...shelf.availability]).toEqual([availabilities.inStock, availabilities.outOfStock])
})

test('a shelf answers placements whose conditions and attributes it has looked at', () => {
  const other = testsOf([{ variants: { default: { ...variant, filter: { not: cheap } } } }])
  const fewer = testsOf([{ variants: { default: { ...variant, filter: null } } }])
  expect([covers(tests, tests), covers(tests, fewer), covers(tests, other)]).toEqual([true, true, false])
  expect(tests.unread).toContain('title')
  const named = { attribute: 'title', operator: 'contains', value: 'Shirt' } as const
  expect(testsOf([{ variants: { default: { ...variant, filter: named } } }]).unread).not.toContain('title')
})

test.each([
  ['brand', (text: string) => ({ brand: text })],
  ['category', (text: string) => ({ categories: [text] })],
  ['attribute', (text: string) => ({ attributes: { color: text } })],
])('a shelf whose one item gets another %s with each revision is made anew after a thousand of them', (_what, doc) => {
  let shelf = shelfOf([item('a')])
  const changed = new Set(['a'])
  let revision = 1
  while (!isWorn(shelf)) {
    revision += 1
    const present = [factsOf(item('a', {}, doc(`text ${revision}`)), tests)]
    shelf = changedShelf(shelf, { revision, changed, present })
  }
  expect(revision).toBe(1_004)
  expect(isWorn(shelfOf([item('a', {}, doc('text'))]))).toBe(false)
})
