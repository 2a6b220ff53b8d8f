import { availabilities, type Bits, bitsOf, type Shelf } from '@svc/recommend'
import type { ItemFacts, ItemTests } from './item.ts'

/** The items of a shelf in the order of their products, then of their own ids; one value for each. */
interface Columns {
  productOf: readonly string[]
  prices: Float64Array
  salePrices: Float64Array
  saleFrom: Float64Array
  saleUntil: Float64Array
  brands: Int32Array
  categories: Int32Array
  attributes: readonly Int32Array[]
  passes: readonly Bits[]
}

/** The catalog of a project at a revision, as ranking needs it. */
export interface ProjectShelf extends Shelf {
  revision: number
  tests: ItemTests
  /** In ascending order. The same list as before while products stay and only their items change. */
  productIds: readonly string[]
  itemIds: readonly string[]
  /** By the JSON of a condition: the items that pass. */
  passes: ReadonlyMap<string, Bits>
  /** By the name of an attribute and by product: the number of its value, −1 without one. */
  attributes: ReadonlyMap<string, Int32Array>
  /** The path of each number of a category. */
  categoryPaths: readonly string[]
  /** Until then, the prices that visitors pay stay as they are. Milliseconds since 1970. */
  pricesUntil: number
  columns: Columns
  numbers: Numbers
  /** The number of the product of each item that does not have its id. */
  productsByItem: ReadonlyMap<string, number>
}

/** Work in portions of a few milliseconds. Whoever does it lets others come in between. */
type InPortions<Result> = Generator<void, Result>

const itemsAtOnce = 32_768

/** Texts get numbers in the order in which they come, and keep them. */
interface Numbers {
  brands: Map<string, number>
  categories: Map<string, number>
  attributes: readonly Map<string, number>[]
}

const numberIn = (numbers: Map<string, number>, text: string | null): number => {
  if (text === null) return -1
  const known = numbers.get(text)
  if (known !== undefined) return known
  numbers.set(text, numbers.size)
  return numbers.size - 1
}

export function emptyShelf(tests: ItemTests, revision = 0): ProjectShelf {
  const numbers = { brands: new Map(), categories: new Map(), attributes: tests.attributes.map(() => new Map()) }
  return atOnce(shelfFrom(undefined, [], new Int32Array(), { tests, revision, numbers }))
}

const fewTexts = 1_000

/**
 * Whether most of the texts that have numbers can be those of items that are gone or have others by now. They stay in
 * memory with each further revision, so the shelf is then to be made anew.
 */
export const isWorn = ({ numbers: { brands, categories, attributes }, itemIds }: ProjectShelf): boolean =>
  [brands, categories, ...attributes].some(({ size }) => size > 2 * itemIds.length + fewTexts)

function atOnce<Result>(work: InPortions<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

interface Change {
  revision: number
  /** The ids of the items that changed. */
  changed: ReadonlySet<string>
  /** Those of them that are still there. */
  present: readonly ItemFacts[]
}

/** The shelf at a later revision. What did not change is taken over. */
export const changedShelf = (shelf: ProjectShelf, change: Change): ProjectShelf => atOnce(changing(shelf, change))

/** The same in portions: of 100,000 items, the whole takes 50 to 100 ms. */
export function* changing(shelf: ProjectShelf, { revision, changed, present }: Change): InPortions<ProjectShelf> {
  const facts = [...present].sort(inOrder)
  const { itemIds, columns } = shelf
  const sources: number[] = []
  let next = 0
  for (let item = 0; item < itemIds.length; item += 1) {
    if (item % itemsAtOnce === 0) yield
    const itemId = itemIds[item]!
    if (changed.has(itemId)) continue
    const here = { productId: columns.productOf[item]!, itemId }
    while (next < facts.length && inOrder(facts[next]!, here) < 0) {
      sources.push(~next)
      next += 1
    }
    sources.push(item)
  }
  for (; next < facts.length; next += 1) sources.push(~next)
  return yield* shelfFrom(shelf, facts, Int32Array.from(sources), {
    tests: shelf.tests,
    revision,
    numbers: shelf.numbers,
  })
}

type Placed = Pick<ItemFacts, 'productId' | 'itemId'>

const compare = (one: string, other: string): number => {
  if (one === other) return 0
  return one < other ? -1 : 1
}

const inOrder = (one: Placed, other: Placed): number =>
  compare(one.productId, other.productId) || compare(one.itemId, other.itemId)

/** @param sources for each item: its number on the shelf before, or the complement of its number among the facts */
function* shelfFrom(
  before: ProjectShelf | undefined,
  facts: readonly ItemFacts[],
  sources: Int32Array,
  kept: Pick<ProjectShelf, 'tests' | 'revision' | 'numbers'>,
): InPortions<ProjectShelf> {
  const { tests, revision, numbers } = kept
  const { columns, availability, itemIds } = yield* columnsFrom(before, facts, sources, kept)
  const conditions = [...tests.conditions.keys()]
  const products = yield* byProduct(columns, before, tests.attributes)
  return {
    ...products,
    ...{ revision, tests, columns, numbers, availability, itemIds },
    productsByItem: yield* indexedByItem({ itemIds, ...products }),
    prices: new Float64Array(sources.length),
    pricesUntil: 0,
    categoryPaths: [...numbers.categories.keys()],
    passes: new Map(conditions.map((key, n) => [key, columns.passes[n]!])),
  }
}

type Column = Float64Array | Int32Array | Uint8Array

/** Reads each value of an item from the shelf before or from a fact. */
function reading(facts: readonly ItemFacts[], sources: Int32Array) {
  const count = sources.length
  const valueAt =
    <Value>(old: (item: number) => Value, fresh: (fact: ItemFacts) => Value) =>
    (item: number): Value => {
      const source = sources[item]!
      return source >= 0 ? old(source) : fresh(facts[~source]!)
    }
  return {
    *filled<Of extends Column>(
      column: Of,
      old: (item: number) => number,
      fresh: (fact: ItemFacts) => number,
    ): InPortions<Of> {
      const value = valueAt(old, fresh)
      for (let item = 0; item < count; item += 1) {
        if (item % itemsAtOnce === 0) yield
        column[item] = value(item)
      }
      return column
    },
    *texts(old: (item: number) => string, fresh: (fact: ItemFacts) => string): InPortions<string[]> {
      yield
      const value = valueAt(old, fresh)
      return Array.from({ length: count }, (_none, item) => value(item))
    },
    *bits(old: (item: number) => boolean, fresh: (fact: ItemFacts) => boolean): InPortions<Bits> {
      yield
      return bitsOf(count, valueAt(old, fresh))
    },
  }
}

function* columnsFrom(
  before: ProjectShelf | undefined,
  facts: readonly ItemFacts[],
  sources: Int32Array,
  { tests, numbers }: Pick<ProjectShelf, 'tests' | 'numbers'>,
): InPortions<Pick<ProjectShelf, 'columns' | 'availability' | 'itemIds'>> {
  const count = sources.length
  const was = before?.columns as Columns
  const { filled, texts, bits } = reading(facts, sources)
  const money = (column: 'prices' | 'salePrices' | 'saleFrom' | 'saleUntil', of: (fact: ItemFacts) => number) =>
    filled(new Float64Array(count), (item) => was[column][item]!, of)
  const numbered = (old: (item: number) => number, of: (fact: ItemFacts) => number) =>
    filled(new Int32Array(count), old, of)
  const attributes: Int32Array[] = []
  for (const n of tests.attributes.keys()) {
    const known = numbers.attributes[n]!
    attributes.push(
      yield* numbered(
        (item) => was.attributes[n]![item]!,
        (fact) => numberIn(known, fact.attributes[n]!),
      ),
    )
  }
  const passes: Bits[] = []
  for (let n = 0; n < tests.conditions.size; n += 1)
    passes.push(
      yield* bits(
        (item) => was.passes[n]!.has(item),
        (fact) => fact.passes[n]!,
      ),
    )
  const columns: Columns = {
    ...{ attributes, passes },
    productOf: yield* texts(
      (item) => was.productOf[item]!,
      (fact) => fact.productId,
    ),
    prices: yield* money('prices', ({ price }) => price),
    salePrices: yield* money('salePrices', ({ salePrice }) => salePrice),
    saleFrom: yield* money('saleFrom', ({ saleFrom }) => saleFrom),
    saleUntil: yield* money('saleUntil', ({ saleUntil }) => saleUntil),
    brands: yield* numbered(
      (item) => was.brands[item]!,
      ({ brand }) => numberIn(numbers.brands, brand),
    ),
    categories: yield* numbered(
      (item) => was.categories[item]!,
      ({ category }) => numberIn(numbers.categories, category),
    ),
  }
  const itemIds = yield* texts(
    (item) => before!.itemIds[item]!,
    (fact) => fact.itemId,
  )
  const availability = yield* filled(
    new Uint8Array(count),
    (item) => before!.availability[item]!,
    (fact) => fact.availability,
  )
  return { columns, availability, itemIds }
}

function* byProduct(columns: Columns, before: ProjectShelf | undefined, names: readonly string[]) {
  const { productOf } = columns
  const productIds: string[] = []
  const starts: number[] = []
  for (let item = 0; item < productOf.length; item += 1) {
    if (item % itemsAtOnce === 0) yield
    if (item === 0 || productOf[item] !== productOf[item - 1]) {
      productIds.push(productOf[item]!)
      starts.push(item)
    }
  }
  const itemStarts = Uint32Array.from([...starts, productOf.length])
  const first = function* (column: Int32Array): InPortions<Int32Array> {
    yield
    return Int32Array.from(productIds, (_id, product) => {
      for (let item = itemStarts[product]!; item < itemStarts[product + 1]!; item += 1)
        if (column[item] !== -1) return column[item]!
      return -1
    })
  }
  yield
  const isSame =
    before?.productIds.length === productIds.length && productIds.every((id, n) => id === before.productIds[n])
  const attributes = new Map<string, Int32Array>()
  for (const [n, name] of names.entries()) attributes.set(name, yield* first(columns.attributes[n]!))
  return {
    ...{ productIds: isSame ? before.productIds : productIds, itemStarts, attributes },
    brands: yield* first(columns.brands),
    categories: yield* first(columns.categories),
  }
}

/** Items are in the order of their products, so they are found by an index. Only shops with variants need it. */
function* indexedByItem({
  itemIds,
  itemStarts,
  productIds,
}: Pick<ProjectShelf, 'itemIds' | 'itemStarts' | 'productIds'>): InPortions<Map<string, number>> {
  const index = new Map<string, number>()
  for (let product = 0; product < productIds.length; product += 1) {
    if (product % indexedAtOnce === 0) yield
    for (let item = itemStarts[product]!; item < itemStarts[product + 1]!; item += 1)
      if (itemIds[item] !== productIds[product]) index.set(itemIds[item]!, product)
  }
  return index
}

const indexedAtOnce = 8_192

/** Brings the prices that visitors pay up to date, if a sale has begun or ended. */
export function updatePrices(shelf: ProjectShelf, now: number): void {
  if (now < shelf.pricesUntil) return
  const { prices, salePrices, saleFrom, saleUntil } = shelf.columns
  let until = Number.POSITIVE_INFINITY
  for (let item = 0; item < prices.length; item += 1) {
    const [from, to] = [saleFrom[item]!, saleUntil[item]!]
    const isOn = !Number.isNaN(salePrices[item]!) && from <= now && now < to
    shelf.prices[item] = isOn ? salePrices[item]! : prices[item]!
    if (from > now) until = Math.min(until, from)
    else if (to > now) until = Math.min(until, to)
  }
  shelf.pricesUntil = until
}

/** The number of an id in an ascending list; −1 if it is not there. */
export function numberOf(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length - 1]
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = ids[middle]!
    if (found === id) return middle
    if (found < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** The number of the product with this id, or with an item with this id; −1 without one. */
export function productCalled({ productIds, productsByItem }: ProjectShelf, id: string): number {
  const product = numberOf(productIds, id)
  return product === -1 ? (productsByItem.get(id) ?? -1) : product
}

/** Items that cannot be sold any more, before the shelf of the next revision is there. */
export function takeOff(shelf: ProjectShelf, itemIds: ReadonlySet<string>): void {
  if (itemIds.size === 0) return
  for (const [item, id] of shelf.itemIds.entries())
    if (itemIds.has(id)) shelf.availability[item] = availabilities.outOfStock
}
