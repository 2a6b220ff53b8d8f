import { popularity, trend } from '@svc/recommend'
import type { Happening } from '../../../../measuring/events/index.ts'
import type { ActionWeights } from '../../../datasets/index.ts'

/** More would not fit into the memory of a node beside what it serves. */
export const maxInteractions = 5_000_000

/** No unit, or no order. */
export const nobody = 0xffffffff

/** Interactions as columns of the same length, in the order in which they were read. */
export interface Gathered {
  productIds: string[]
  unitCount: number
  orderCount: number
  /** Numbers of units; `nobody` if nobody knows who it was. */
  units: Uint32Array
  /** Numbers of orders; `nobody` if it was no order. */
  orders: Uint32Array
  /** Places in `productIds`. */
  products: Uint32Array
  /** Milliseconds since 1970. */
  at: Float64Array
  weights: Float32Array
}

/** There are more interactions than a model can be built from. */
export class TooManyInteractions extends Error {}

/** Puts what happened into columns, which go to the thread that builds models. Texts are numbered as they come. */
export function gathering(actions: ActionWeights, most = maxInteractions) {
  const [units, orders, products] = [numbering(), numbering(), numbering()]
  let size = 0
  let columns = columnsOf(1024)
  return {
    size: () => size,
    add(happened: readonly Happening[]) {
      if (size + happened.length > most) throw new TooManyInteractions()
      if (size + happened.length > columns.at.length) columns = grown(columns, 2 * (size + happened.length))
      for (const { unit, eventKey, at, productId, orderId } of happened) {
        columns.units[size] = unit === null ? nobody : units.numberOf(unit)
        columns.orders[size] = orderId === null ? nobody : orders.numberOf(orderId)
        columns.products[size] = products.numberOf(productId)
        columns.at[size] = at
        columns.weights[size] = actions[eventKey] ?? 0
        size += 1
      }
    },
    end: (): Gathered => ({
      productIds: products.texts(),
      unitCount: units.texts().length,
      orderCount: orders.texts().length,
      units: columns.units.slice(0, size),
      orders: columns.orders.slice(0, size),
      products: columns.products.slice(0, size),
      at: columns.at.slice(0, size),
      weights: columns.weights.slice(0, size),
    }),
  }
}

/** What products have come to, in the order in which they were read. */
export interface Scored {
  productIds: string[]
  scores: Float64Array
}

/** Adds up what happened for a list of the best products, which any number of interactions can make. */
export function scoring(strategy: 'POPULAR' | 'TRENDING', actions: ActionWeights, now: number) {
  const products = numbering()
  const tally = strategy === 'POPULAR' ? popularity(now) : trend(now)
  let size = 0
  return {
    size: () => size,
    add(happened: readonly Happening[]) {
      for (const { eventKey, at, productId } of happened)
        tally.add(products.numberOf(productId), at, actions[eventKey] ?? 0)
      size += happened.length
    },
    end: (): Scored => ({ productIds: products.texts(), scores: tally.scores() }),
  }
}

function numbering() {
  const numbers = new Map<string, number>()
  return {
    texts: () => [...numbers.keys()],
    numberOf(text: string): number {
      const known = numbers.get(text)
      if (known !== undefined) return known
      numbers.set(text, numbers.size)
      return numbers.size - 1
    },
  }
}

type Columns = Pick<Gathered, 'units' | 'orders' | 'products' | 'at' | 'weights'>

const columnsOf = (length: number): Columns => ({
  units: new Uint32Array(length),
  orders: new Uint32Array(length),
  products: new Uint32Array(length),
  at: new Float64Array(length),
  weights: new Float32Array(length),
})

function grown(columns: Columns, length: number): Columns {
  const larger = columnsOf(length)
  for (const name of ['units', 'orders', 'products', 'at', 'weights'] as const) larger[name].set(columns[name])
  return larger
}
