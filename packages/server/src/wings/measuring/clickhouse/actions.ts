import { setTimeout } from 'node:timers/promises'
import type { ClickHouse } from '../../../platform/clickhouse.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { EventStore, HappenedIn, Happening } from '../events/index.ts'
import * as queries from './queries.ts'
import { dayOf, isPast, rowOf } from './rows.ts'

// A request that is repeated is stored again, so an insert needs no look-up first. A batch is in one partition of one
// table, so it is stored whole or not at all.

const readAtOnce = 50_000
const unitsAtOnce = 2_000
/** All of them are in memory at once, as objects. */
const happenedAtOnce = 10_000
// Longer than a request to ClickHouse can take.
const writeLimitMs = 60_000
const pollMs = 500

/** Keeps events in ClickHouse. The main database numbers the batches. */
export function clickHouseStore(clickHouse: ClickHouse, db: Db): EventStore {
  let table: Promise<void> | undefined
  /** Tried again if it failed: the service can start before ClickHouse does. */
  const ready = () => {
    table ??= queries.createTable(clickHouse).catch((error) => {
      table = undefined
      throw error
    })
    return table
  }

  async function portion(which: queries.Which, batches: { after: number; through: number }, share: number) {
    await ready()
    const last = await queries.lastBatchOf(clickHouse, which, batches, Math.ceil(readAtOnce * share))
    if (last === null) return undefined
    return { last, rows: await queries.eventsIn(clickHouse, which, { ...batches, through: last }) }
  }

  return {
    async append(events, receivedAt) {
      await ready()
      const seen = new Set<string>()
      const isFirst = events.map(({ envId, id }) => seen.size < seen.add(`${envId} ${id}`).size)
      const batch = await queries.beginBatch(db, writeLimitMs)
      const rows = events.filter((_, place) => isFirst[place]).map((event) => rowOf(event, batch, receivedAt))
      await queries.insertRows(clickHouse, rows)
      await queries.endBatch(db, batch)
      return isFirst
    },
    position: () => db.transaction().execute(queries.lastWrittenBatch),
    async exposuresAfter({ envId, ruleId }, batches, share = 1) {
      const found = await portion({ envId, type: 'exposure', names: [ruleId] }, batches, share)
      return found && { last: found.last, size: found.rows.length, rows: queries.exposuresOf(found.rows) }
    },
    async trackedAfter(of, batches, share = 1) {
      const found = await portion(queries.whichTracked(of), batches, share)
      if (!found) return undefined
      const told = found.rows.filter(({ kind }) => kind === 0)
      return { last: found.last, size: told.length, rows: queries.trackedOf(told) }
    },
    async trackedOfUnits(of, units, through) {
      await ready()
      const names = await queries.unitsIn(db, units)
      const rows: queries.ToldRow[] = []
      for (let from = 0; from < names.length; from += unitsAtOnce) {
        const page = names.slice(from, from + unitsAtOnce)
        rows.push(...(await queries.eventsOf(clickHouse, queries.whichTracked(of), page, through)))
      }
      return queries.trackedOf(rows)
    },
    async *happened(of) {
      await ready()
      yield* happened(clickHouse, of)
    },
    numberIn: queries.nextBatch,
    async rulesExposedTo(of, signal) {
      await ready()
      signal.throwIfAborted()
      return queries.rulesExposedTo(clickHouse, of)
    },
    async deleteUnits(of, signal) {
      await ready()
      signal.throwIfAborted()
      await queries.deleteUnits(clickHouse, of)
      // ClickHouse rewrites its parts in the background. Until then, its answers still contain what was deleted.
      while (await queries.isDeleting(clickHouse)) await setTimeout(pollMs, undefined, { signal })
    },
    deleteBefore: (before) => ready().then(() => dropDaysBefore(clickHouse, before)),
  }
}

async function dropDaysBefore(clickHouse: ClickHouse, before: Date): Promise<number> {
  const past = (await queries.daysOf(clickHouse)).filter((day) => isPast(day, before))
  for (const day of past) await queries.dropDay(clickHouse, day)
  return past.length
}

async function* happened(clickHouse: ClickHouse, of: HappenedIn): AsyncGenerator<readonly Happening[]> {
  const { from, until, through } = of
  // An event is received after its time.
  const which = { ...queries.whichTracked(of), since: dayOf(from) }
  for (let after = 0; ; ) {
    const last = await queries.lastBatchOf(clickHouse, which, { after, through }, happenedAtOnce)
    if (last === null) return
    yield await queries.happenedIn(clickHouse, which, { after, through: last }, { from, until })
    after = last
  }
}
