import fc from 'fast-check'
import type { Interactions, Rows } from '../src/index.ts'

/** Enough to meet what examples leave out, and the same in each run. */
export const runs = { numRuns: 1000, seed: 20261201 } as const

export const dayMs = 86_400_000
export const start = Date.UTC(2026, 10, 1)

export const interactionsFrom = (
  actions: readonly { unit: number; product: number; at: number; weight?: number }[],
): Interactions => ({
  units: Uint32Array.from(actions, ({ unit }) => unit),
  products: Uint32Array.from(actions, ({ product }) => product),
  at: Float64Array.from(actions, ({ at }) => at),
  weights: Float32Array.from(actions, ({ weight }) => weight ?? 1),
})

export const rowsFrom = (lists: readonly (readonly number[])[], productCount: number): Rows => {
  const sorted = lists.map((list) => [...new Set(list)].sort((one, other) => one - other))
  const starts = new Uint32Array(sorted.length + 1)
  for (const [row, { length }] of sorted.entries()) starts[row + 1] = starts[row]! + length
  return { starts, numbers: Uint32Array.from(sorted.flat()), productCount }
}

export const productCount = 12

/** Rows of a few products, some empty. */
export const someRows = fc
  .array(fc.array(fc.nat(productCount - 1), { maxLength: 7 }), { maxLength: 15 })
  .map((lists) => rowsFrom(lists, productCount))

/** What a few units have done in three weeks, often at the same moment. */
export const someActions = fc.array(
  fc.record({
    unit: fc.nat(5),
    product: fc.nat(productCount - 1),
    at: fc.nat(60).map((tenths) => start + tenths * 600_000),
    weight: fc.constantFrom(1, 3, 5),
  }),
  { maxLength: 40 },
)

/** Best first, ties by number. */
export const sortedBest = (scored: readonly (readonly [number, number])[], most: number): [number, number][] =>
  [...scored]
    .map(([number, score]): [number, number] => [number, score])
    .sort(([one, a], [other, b]) => b - a || one - other)
    .slice(0, most)

export const pairs = ({ numbers, scores }: { numbers: ArrayLike<number>; scores: ArrayLike<number> }) =>
  Array.from(numbers, (number, n): [number, number] => [number, scores[n]!])
