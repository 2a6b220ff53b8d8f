import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { type EventStore, isReserved, type MeasuredEvents, type Portion, type TrackedKeys } from '../events/index.ts'
import { boughtIn, changedIn, endOfChanges, endOfOrders, ordersIn, ordersOf } from './queries.ts'

/** How many orders a portion has. Each gives up to four events. */
const readAtOnce = 20_000
/** Each has up to 200 items. */
const boughtAtOnce = 1_000

/**
 * Joins two sources of events: reserved keys come from orders, and all others from the store. Both number their batches
 * alike.
 */
export function withOrders(store: EventStore, db: Db): MeasuredEvents {
  async function fromOrders(of: TrackedKeys, { after, through }: { after: number; through: number }, share = 1) {
    const end = await endOfOrders(db, of, { after, through }, Math.ceil(readAtOnce * share))
    return end && { ...end, rows: ordersIn(of, { after, through: end.last }) }
  }
  return {
    ...store,
    async trackedAfter({ envId, eventKeys }, batches, share) {
      const [ordered, others] = split(eventKeys)
      const ofOrders = (through: number) => fromOrders({ envId, eventKeys: ordered }, { ...batches, through }, share)
      const ofOthers = (through: number) =>
        store.trackedAfter({ envId, eventKeys: others }, { ...batches, through }, share)
      if (ordered.length === 0) return ofOthers(batches.through)
      if (others.length === 0) return ofOrders(batches.through)
      // Both sources must be read up to the same batch.
      const portions = [await ofOrders(batches.through), await ofOthers(batches.through)] as const
      const last = Math.min(...portions.flatMap((portion) => portion?.last ?? []))
      const [first, second] = portions
      if (!first || !second) return first ?? second
      return union(
        first.last > last ? await ofOrders(last) : first,
        second.last > last ? await ofOthers(last) : second,
        last,
      )
    },
    async trackedOfUnits({ envId, eventKeys }, units, through) {
      const [ordered, others] = split(eventKeys)
      const rows = [
        ...(ordered.length > 0 ? [ordersOf({ envId, eventKeys: ordered }, units, through)] : []),
        ...(others.length > 0 ? [await store.trackedOfUnits({ envId, eventKeys: others }, units, through)] : []),
      ]
      return sql.join(rows, sql` union all `)
    },
    async *happened(of) {
      const [ordered, others] = split(of.eventKeys)
      if (others.length > 0) yield* store.happened({ ...of, eventKeys: others })
      if (!ordered.includes('order')) return
      for (let after = 0; ; ) {
        const end = await endOfOrders(db, { ...of, eventKeys: ordered }, { after, through: of.through }, boughtAtOnce)
        if (!end) return
        yield await boughtIn(db, of, { after, through: end.last })
        after = end.last
      }
    },
    async changedAfter({ envId }, batches) {
      const end = await endOfChanges(db, envId, batches, readAtOnce)
      return end && { ...end, rows: changedIn(envId, { ...batches, through: end.last }) }
    },
  }
}

const split = (keys: readonly string[]) => [keys.filter(isReserved), keys.filter((key) => !isReserved(key))] as const

function union(one: Portion | undefined, other: Portion | undefined, last: number): Portion {
  const portions = [one, other].filter((portion) => portion !== undefined)
  return {
    last,
    size: portions.reduce((sum, { size }) => sum + size, 0),
    rows: sql.join(
      portions.map(({ rows }) => rows),
      sql` union all `,
    ),
  }
}
