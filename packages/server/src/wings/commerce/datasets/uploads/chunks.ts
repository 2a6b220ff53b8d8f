import { gunzipSync, gzipSync } from 'node:zlib'
import type { Pair } from './rows.ts'

export const rowsOfChunk = 5_000

/** Rows as they are stored: lines of JSON, packed. */
export const packed = (pairs: readonly Pair[]): { lines: string; bytes: Buffer } => {
  const lines = pairs
    .map(({ productId, relatedId, score }) => `${JSON.stringify([productId, relatedId, score])}\n`)
    .join('')
  return { lines, bytes: gzipSync(lines) }
}

export const unpacked = (bytes: Uint8Array): Pair[] =>
  gunzipSync(bytes)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [productId, relatedId, score] = JSON.parse(line) as [string, string, number]
      return { productId, relatedId, score }
    })

/** Pairs as columns of the same length. `of` and `other` are places in `productIds`. */
export interface Related {
  productIds: string[]
  of: Uint32Array
  other: Uint32Array
  scores: Float32Array
}

/** Puts chunks of pairs into columns. Ids are numbered as they come. */
export function relating(rows: number) {
  const numbers = new Map<string, number>()
  const columns = { of: new Uint32Array(rows), other: new Uint32Array(rows), scores: new Float32Array(rows) }
  let size = 0
  const numberOf = (id: string): number => {
    const known = numbers.get(id)
    if (known !== undefined) return known
    numbers.set(id, numbers.size)
    return numbers.size - 1
  }
  return {
    size: () => size,
    add(pairs: readonly Pair[]) {
      for (const { productId, relatedId, score } of pairs) {
        columns.of[size] = numberOf(productId)
        columns.other[size] = numberOf(relatedId)
        columns.scores[size] = score
        size += 1
      }
    },
    end: (): Related => ({ productIds: [...numbers.keys()], ...columns }),
  }
}

/** How many different products have pairs. */
export const productsOf = ({ of }: Related): number => new Set(of).size
