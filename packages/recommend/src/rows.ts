/** Ids in order, without repeats. The place of an id is its number. */
export interface Numbering {
  ids: readonly string[]
  numberOf(id: string): number | undefined
}

/** Numbers ids in the order of their code units, so that equal data has equal numbers, however it is ordered. */
export function numbered(ids: Iterable<string>): Numbering {
  const sorted = [...new Set(ids)].sort()
  const numbers = new Map(sorted.map((id, number) => [id, number]))
  return { ids: sorted, numberOf: (id) => numbers.get(id) }
}

/** What units have done with products, in any order. All arrays have the same length. */
export interface Interactions {
  /** Numbers of units. */
  units: Uint32Array
  /** Numbers of products. */
  products: Uint32Array
  /** Milliseconds since 1970. */
  at: Float64Array
  /** How much an action counts for `popular`. */
  weights: Float32Array
}

/**
 * Lists of numbers, one after the other: list `n` is `numbers[starts[n]]` up to, not including, `numbers[starts[n + 1]]`.
 * As a sparse matrix of ones, this is its compressed form.
 */
export interface Lists {
  starts: Uint32Array
  numbers: Uint32Array
}

/** The products of each unit, order or token, ascending and without repeats. */
export interface Rows extends Lists {
  productCount: number
}

export const listCount = ({ starts }: Lists): number => Math.max(0, starts.length - 1)

/** Empty for a list that there is not. */
export const listOf = ({ starts, numbers }: Lists, list: number): Uint32Array =>
  numbers.subarray(starts[list] ?? numbers.length, starts[list + 1])

/** Puts lists one after the other. */
export function listsOf(lists: readonly ArrayLike<number>[]): Lists {
  const starts = new Uint32Array(lists.length + 1)
  for (const [n, list] of lists.entries()) starts[n + 1] = starts[n]! + list.length
  const numbers = new Uint32Array(starts[lists.length]!)
  for (const [n, list] of lists.entries()) numbers.set(list, starts[n])
  return { starts, numbers }
}

/** The places of all interactions by unit, in the order in which they are given. */
export function byUnit({ units }: Pick<Interactions, 'units'>, unitCount: number): Lists {
  const starts = new Uint32Array(unitCount + 1)
  for (const unit of units) starts[unit + 1]! += 1
  for (let unit = 0; unit < unitCount; unit += 1) starts[unit + 1]! += starts[unit]!
  const next = starts.slice()
  const numbers = new Uint32Array(units.length)
  for (let place = 0; place < units.length; place += 1) {
    const unit = units[place]!
    numbers[next[unit]!] = place
    next[unit]! += 1
  }
  return { starts, numbers }
}

export const mostOfRow = 200

/**
 * The products of each unit. Of a unit with very many, only the latest count: its row costs the square of its length, and
 * such units are mostly programs.
 */
export function rowsOf(
  interactions: Pick<Interactions, 'units' | 'products' | 'at'>,
  { unitCount, productCount, most = mostOfRow }: { unitCount: number; productCount: number; most?: number },
): Rows {
  const { products, at } = interactions
  const places = byUnit(interactions, unitCount)
  const starts = new Uint32Array(unitCount + 1)
  const numbers = new Uint32Array(products.length)
  let end = 0
  for (let unit = 0; unit < unitCount; unit += 1) {
    for (const product of latestOf(listOf(places, unit), products, at, most)) {
      numbers[end] = product
      end += 1
    }
    starts[unit + 1] = end
  }
  return { starts, numbers: numbers.slice(0, end), productCount }
}

/** The products of some interactions, ascending; if there are too many, those with the latest interaction. */
function latestOf(places: Uint32Array, products: Uint32Array, at: Float64Array, most: number): Uint32Array {
  const latest = new Map<number, number>()
  for (const place of places) {
    const product = products[place]!
    const before = latest.get(product)
    if (before === undefined || at[place]! > before) latest.set(product, at[place]!)
  }
  if (latest.size <= most) return Uint32Array.from(latest.keys()).sort()
  const newest = [...latest].sort(([one, oneAt], [other, otherAt]) => otherAt - oneAt || one - other)
  return Uint32Array.from(newest.slice(0, most), ([product]) => product).sort()
}

/** The rows that contain each product, ascending. */
export function transposed(rows: Rows): Lists {
  const { productCount, numbers, starts: rowStarts } = rows
  const starts = degreesOf(rows, 1)
  for (let product = 0; product < productCount; product += 1) starts[product + 1]! += starts[product]!
  const next = starts.slice()
  const rowsOfProducts = new Uint32Array(numbers.length)
  for (let row = 0; row < listCount(rows); row += 1)
    for (let place = rowStarts[row]!; place < rowStarts[row + 1]!; place += 1) {
      const product = numbers[place]!
      rowsOfProducts[next[product]!] = row
      next[product]! += 1
    }
  return { starts, numbers: rowsOfProducts }
}

/** The number of rows that contain each product, from the place `shift` on. */
export function degreesOf({ numbers, productCount }: Rows, shift = 0): Uint32Array {
  const degrees = new Uint32Array(productCount + shift)
  for (const product of numbers) degrees[product + shift]! += 1
  return degrees
}
