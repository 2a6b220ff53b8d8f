/** A set of numbers, one bit each. */
export interface Bits {
  has(number: number): boolean
}

/** The bits of all numbers below `count` for which a rule holds. */
export function bitsOf(count: number, holds: (number: number) => boolean): Bits {
  const words = new Uint32Array(Math.ceil(count / 32))
  for (let number = 0; number < count; number += 1) if (holds(number)) words[number >>> 5]! |= 1 << (number & 31)
  return { has: (number) => number < count && ((words[number >>> 5]! >>> (number & 31)) & 1) === 1 }
}

export const availabilities = { inStock: 0, later: 1, outOfStock: 2 } as const

/** What ranking knows of a catalog. Products and items are numbered in the order of their ids. */
export interface Shelf {
  /** The items of a product are those from `itemStarts[product]` up to `itemStarts[product + 1]`. */
  itemStarts: Uint32Array
  /** By item: one of `availabilities`. `later` is preorder and backorder. */
  availability: Uint8Array
  /** By item: the price that visitors pay. */
  prices: Float64Array
  /** By product: the number of its brand, −1 without one. */
  brands: Int32Array
  /** By product: the number of its deepest category, −1 without one. */
  categories: Int32Array
}

/** What a strategy answered, the best first. */
export interface StrategyList {
  strategy: string
  numbers: ArrayLike<number>
  scores: ArrayLike<number>
}

/** A product that a person has put to a place of the list, counted from 0. */
export interface Pin {
  product: number
  position: number
}

/** A pin with the times between which it counts. Null: it has no such end. */
export interface TimedPin extends Pin {
  from: Date | null
  until: Date | null
}

/** The pins that count at a moment. The end of a time is no part of it. */
export const pinsAt = (pins: readonly TimedPin[], now: Date): Pin[] =>
  pins.filter(({ from, until }) => (from === null || from <= now) && (until === null || now < until))

export interface RankingRequest {
  limit: number
  /** They are taken one by one, and no more of them than the list needs. */
  lists: Iterable<StrategyList>
  /** Whether every candidate is told. Default: those of strategies that the list needs. */
  explains?: boolean
  /** Items that pass the filter of the placement. Null: all. */
  allowed: Bits | null
  /** Whether an item passes the filter of the request. Null: all do. It is asked for candidates alone. */
  passes: ((item: number) => boolean) | null
  includesLater: boolean
  /** Only products of the category of the first product of `context`. */
  sameCategory: boolean
  excluded: readonly number[]
  /** The products that the visitor looks at. */
  context: readonly number[]
  bought: readonly number[]
  /** By item: what its score is multiplied by. Null: nothing. */
  boosts: Float32Array | null
  /** By product: a value, −1 without one. A product with the value of the first product of `context` is boosted. */
  sameAs: readonly { values: Int32Array; factor: number }[]
  maxPerBrand: number | null
  maxPerCategory: number | null
  /** Those that count at this moment: `pinsAt`. */
  pins: readonly Pin[]
}

export type LeftOut = 'FILTERED' | 'OUT_OF_STOCK' | 'EXCLUDED' | 'CONTEXT' | 'BOUGHT' | 'CAP' | 'LIMIT'

export interface Candidate {
  product: number
  /** The item that stands for the product; −1 if none can. */
  item: number
  /** Null: only a pin has brought it. */
  strategy: string | null
  /** After boosts. */
  score: number
  isPinned: boolean
  /** Why it is not in the list; null: it is. */
  reason: LeftOut | null
}

export interface RankedList {
  items: Candidate[]
  /** All that were looked at: pins, then those of each strategy, the best first. What is in the list needs no others. */
  candidates: Candidate[]
}

const mostCandidates = 2_000

/**
 * Makes the list of a placement. Strategies fill it in their order, each with its best products. Then pins take their
 * places: they obey everything but the filter and the caps of the placement.
 */
export function rank(shelf: Shelf, request: RankingRequest): RankedList {
  const gone = goneOf(request)
  const pinned = new Map<number, Candidate>()
  for (const { product } of request.pins)
    if (!pinned.has(product)) pinned.set(product, candidateOf(shelf, request, gone, { product, isPinned: true }))
  const pins = placed(request, pinned)
  const candidates: Candidate[] = []
  const met = new Set(pinned.keys())
  const room = rooming(shelf, request, request.limit - pins.length)
  if (request.explains || room.left() > 0)
    for (const list of request.lists) {
      const own = candidatesOf(shelf, request, gone, list, met)
      room.fill(own)
      for (const candidate of own) candidates.push(candidate)
      // What comes later is in no place of the list.
      if (!request.explains && room.left() <= 0) break
    }
  const items = candidates.filter(({ reason }) => reason === null)
  let free = 0
  for (const { candidate, position } of pins) {
    // A place that is taken by another pin moves this one to the next place.
    const place = Math.max(position, free)
    items.splice(place, 0, candidate)
    free = place + 1
  }
  return { items, candidates: [...pinned.values(), ...candidates] }
}

/** Why products are left out whatever they are. The last reason that is set wins: what a person asked for explains most. */
function goneOf({ excluded, context, bought }: RankingRequest): Map<number, LeftOut> {
  const gone = new Map<number, LeftOut>()
  for (const product of bought) gone.set(product, 'BOUGHT')
  for (const product of context) gone.set(product, 'CONTEXT')
  for (const product of excluded) gone.set(product, 'EXCLUDED')
  return gone
}

/**
 * The products of a strategy, the best first.
 *
 * @param met those that came before. They are left out, and those of the list are added
 */
function candidatesOf(
  shelf: Shelf,
  request: RankingRequest,
  gone: ReadonlyMap<number, LeftOut>,
  { strategy, numbers, scores }: StrategyList,
  met: Set<number>,
): Candidate[] {
  const own: Candidate[] = []
  for (let n = 0; n < numbers.length && met.size < mostCandidates; n += 1) {
    const product = numbers[n]!
    if (met.has(product)) continue
    met.add(product)
    own.push(candidateOf(shelf, request, gone, { product, strategy, score: scores[n]!, isPinned: false }))
  }
  return own.sort((one, other) => other.score - one.score || one.product - other.product)
}

function candidateOf(
  shelf: Shelf,
  request: RankingRequest,
  gone: ReadonlyMap<number, LeftOut>,
  of: { product: number; strategy?: string; score?: number; isPinned: boolean },
): Candidate {
  const { product, strategy = null, score = 0, isPinned } = of
  const found = itemOf(shelf, request, product, isPinned)
  const reason = typeof found === 'string' ? found : (gone.get(product) ?? null)
  const item = typeof found === 'string' ? -1 : found
  const factor = item === -1 || isPinned ? 1 : boostOf(request, product, item)
  return { product, item, strategy, score: score * factor, isPinned, reason }
}

/** The item that stands for a product: of those that pass and can be sold, the ones in stock first, then the cheapest. */
function itemOf(shelf: Shelf, request: RankingRequest, product: number, isPinned: boolean): number | LeftOut {
  const { itemStarts, availability, prices, categories } = shelf
  const { allowed, passes, includesLater, sameCategory, context } = request
  if (sameCategory && !isPinned && context.length > 0) {
    const category = categories[context[0]!]
    if (category === undefined || category === -1 || categories[product] !== category) return 'FILTERED'
  }
  let isFiltered = true
  let chosen = -1
  for (let item = itemStarts[product] ?? 0; item < (itemStarts[product + 1] ?? 0); item += 1) {
    if ((!isPinned && allowed?.has(item) === false) || passes?.(item) === false) continue
    isFiltered = false
    const state = availability[item]!
    if (state === availabilities.outOfStock || (state === availabilities.later && !includesLater)) continue
    const isBetter =
      chosen === -1 ||
      state < availability[chosen]! ||
      (state === availability[chosen] && prices[item]! < prices[chosen]!)
    if (isBetter) chosen = item
  }
  if (chosen !== -1) return chosen
  return isFiltered ? 'FILTERED' : 'OUT_OF_STOCK'
}

function boostOf({ boosts, sameAs, context }: RankingRequest, product: number, item: number): number {
  let factor = boosts?.[item] ?? 1
  for (const { values, factor: more } of sameAs) {
    const value = context.length === 0 ? undefined : values[context[0]!]
    if (value !== undefined && value !== -1 && values[product] === value) factor *= more
  }
  return factor
}

/** The pins that can be shown, by position. They are at most as many as the list has places. */
function placed({ pins, limit }: RankingRequest, pinned: ReadonlyMap<number, Candidate>) {
  const shown: { candidate: Candidate; position: number }[] = []
  for (const [product, candidate] of pinned) {
    if (candidate.reason !== null) continue
    const { position } = pins.find((pin) => pin.product === product)!
    if (position >= limit) candidate.reason = 'LIMIT'
    else shown.push({ candidate, position })
  }
  shown.sort((one, other) => one.position - other.position || one.candidate.product - other.candidate.product)
  for (const { candidate } of shown.splice(limit)) candidate.reason = 'LIMIT'
  return shown
}

/** The places of a list that no pin has. */
function rooming(shelf: Shelf, { maxPerBrand, maxPerCategory }: RankingRequest, room: number) {
  const brands = counting(shelf.brands, maxPerBrand)
  const categories = counting(shelf.categories, maxPerCategory)
  let left = room
  return {
    left: () => left,
    /** Takes the first candidates that no cap refuses, and notes why the others are left out. */
    fill(candidates: readonly Candidate[]): void {
      for (const candidate of candidates) {
        if (candidate.reason !== null) continue
        const { product } = candidate
        if (brands.isFull(product) || categories.isFull(product)) candidate.reason = 'CAP'
        else if (left <= 0) candidate.reason = 'LIMIT'
        else {
          brands.add(product)
          categories.add(product)
          left -= 1
        }
      }
    },
  }
}

/** How many products of each group are in the list. Products without a group have no cap. */
function counting(groups: Int32Array, most: number | null) {
  const counts = new Map<number, number>()
  const countOf = (product: number) => counts.get(groups[product]!) ?? 0
  const isFree = (product: number) => most === null || (groups[product] ?? -1) === -1
  return {
    isFull: (product: number) => !isFree(product) && countOf(product) >= most!,
    add: (product: number) => void (isFree(product) || counts.set(groups[product]!, countOf(product) + 1)),
  }
}
