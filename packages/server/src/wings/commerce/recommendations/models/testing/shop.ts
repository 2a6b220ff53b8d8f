import type { Happening } from '../../../../measuring/events/index.ts'

const dayMs = 86_400_000

interface ShopSize {
  groups: number
  productsEach: number
  visitors: number
  viewsEach: number
  days: number
}

/** A shop of known structure: products are in groups, and each visitor wants products of one group. */
export const size: ShopSize = { groups: 20, productsEach: 10, visitors: 300, viewsEach: 6, days: 28 }

export const productOf = (group: number, number: number): string => `G${group}-${number}`
export const groupOf = (productId: string): string => productId.split('-')[0]!

/**
 * What visitors of the shop do until `now`, in the order of time.
 *
 * @param noise which share of the views is of any product at all
 * @param since nothing is viewed before this many days ago
 */
export function shopViews(
  now: number,
  { noise = 0, seed = 1, since = size.days }: { noise?: number; seed?: number; since?: number } = {},
): Happening[] {
  const random = numbersOf(seed)
  const below = (count: number) => Math.floor(random() * count)
  const views: Happening[] = []
  for (let visitor = 0; visitor < size.visitors; visitor += 1) {
    const group = visitor % size.groups
    // Visits of two products, a minute apart.
    for (let visit = 0; visit < size.viewsEach / 2; visit += 1) {
      const at = now - 1 - Math.floor(random() * since * dayMs)
      for (let n = 0; n < 2; n += 1) {
        const from = random() < noise ? below(size.groups) : group
        const productId = productOf(from, below(size.productsEach))
        views.push({ unit: `u-${visitor}`, eventKey: 'product_viewed', at: at - n * 60_000, productId, orderId: null })
      }
    }
  }
  return views.toSorted((one, other) => one.at - other.at)
}

/** The same as orders: what a visitor does within an hour is one order. */
export const shopOrders = (now: number): Happening[] =>
  shopViews(now, { seed: 2 }).map((view) => ({
    ...view,
    eventKey: 'order',
    orderId: `${view.unit} ${Math.floor((now - view.at) / 3_600_000)}`,
  }))

/** Pseudo-random numbers from 0 to below 1, the same for a seed: mulberry32. */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
