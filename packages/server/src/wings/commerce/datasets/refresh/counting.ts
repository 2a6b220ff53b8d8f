import { maxRows } from '../dataset.ts'

/** What one row is about. */
interface CountedRow {
  unit: string | null
  productId: string
}

/** A version would have more rows than a dataset can have. */
export class TooManyRows extends Error {
  constructor() {
    super(`A version can have up to ${maxRows.toLocaleString('en')} rows. Shorten the window, or count fewer events.`)
  }
}

/** Counts rows, the visitors that they name, and rows by product. */
export function counting(most = maxRows) {
  const units = new Set<string>()
  const products = new Map<string, number>()
  let rows = 0
  return {
    add({ unit, productId }: CountedRow) {
      if (rows === most) throw new TooManyRows()
      rows += 1
      if (unit !== null) units.add(unit)
      products.set(productId, (products.get(productId) ?? 0) + 1)
    },
    rows: () => rows,
    units: () => units.size,
    /** Rows by product. */
    products: (): ReadonlyMap<string, number> => products,
  }
}

export type Counting = ReturnType<typeof counting>
