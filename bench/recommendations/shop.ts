import type { Interactions } from '@svc/recommend'

const dayMs = 86_400_000
const from = Date.UTC(2026, 8, 1)
const days = 60
const tasteSize = 40
const perVisitor = 10

/** Numbers from 0 to 1 that are the same in each run: Park and Miller's generator. */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

export interface Shop {
  interactions: Interactions
  unitCount: number
  productCount: number
}

/**
 * A shop in which the right neighbours are known: each visitor has one of many tastes, of 40 products each, and sees some of
 * them in two visits; a fifth of the views are of anything, and few products have most of the views.
 */
export function generatedShop(views: number): Shop {
  const random = randomOf(20_261_201)
  const unitCount = Math.ceil(views / perVisitor)
  const productCount = Math.max(400, Math.min(100_000, Math.ceil(views / 50)))
  const tastes = Math.floor(productCount / tasteSize)
  const interactions: Interactions = {
    units: new Uint32Array(views),
    products: new Uint32Array(views),
    at: new Float64Array(views),
    weights: new Float32Array(views).fill(1),
  }
  // The square of an even number makes the first ones frequent.
  const skewed = (below: number) => Math.floor(random() ** 2 * below)
  for (let unit = 0, view = 0; unit < unitCount; unit += 1) {
    const taste = skewed(tastes)
    const visits = [0, 1].map(() => from + random() * days * dayMs)
    for (let n = 0; n < perVisitor && view < views; n += 1, view += 1) {
      interactions.units[view] = unit
      interactions.products[view] = random() < 0.2 ? skewed(productCount) : taste * tasteSize + skewed(tasteSize)
      interactions.at[view] = visits[n % 2]! + n * 60_000
    }
  }
  return { interactions, unitCount, productCount }
}
