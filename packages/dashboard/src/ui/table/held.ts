/**
 * The rows in the order in which they were shown first: what others edit stays where it is. Rows that came since wait,
 * so that nothing moves under the pointer.
 */
export function held<Row>(
  rows: readonly Row[],
  order: readonly string[],
  keyOf: (row: Row) => string,
): { shown: Row[]; waiting: Row[] } {
  const places = new Map(order.map((key, place) => [key, place]))
  const placeOf = (row: Row) => places.get(keyOf(row))
  return {
    shown: rows.filter((row) => placeOf(row) !== undefined).sort((one, other) => placeOf(one)! - placeOf(other)!),
    waiting: rows.filter((row) => placeOf(row) === undefined),
  }
}

/** The order with these rows besides, each after the row that it follows in the list. All others keep their places. */
export function admitted(order: readonly string[], keys: readonly string[], wanted: ReadonlySet<string>): string[] {
  if (wanted.size === 0) return [...order]
  const result = [...order]
  const known = new Set(order)
  let before = -1
  for (const key of keys) {
    if (known.has(key)) before = result.indexOf(key)
    else if (wanted.has(key)) {
      before += 1
      result.splice(before, 0, key)
    }
  }
  return result
}
