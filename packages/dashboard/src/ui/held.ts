import { useMemo, useState } from 'react'

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

/**
 * Holds a list while others edit it. It takes the order of the rows anew when the person looks for something else, which
 * `subject` names, and when `show` is called for the rows that wait. `keyOf` must be the same function each time.
 */
export function useHeld<Row>(
  rows: readonly Row[],
  subject: string,
  keyOf: (row: Row) => string,
): { rows: Row[]; waiting: number; show: () => void } {
  const inOrder = () => ({ subject, keys: rows.map(keyOf) })
  const [order, setOrder] = useState(inOrder)
  if (order.subject !== subject) setOrder(inOrder())
  const { shown, waiting } = useMemo(() => held(rows, order.keys, keyOf), [rows, order, keyOf])
  return { rows: shown, waiting: waiting.length, show: () => setOrder(inOrder()) }
}
