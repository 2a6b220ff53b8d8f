import type { Database } from '../../../platform/db/index.ts'
import { dayOf, isPast, timeOf } from './days.ts'
import {
  createDay,
  daysOf,
  dayTables,
  deleteUnitsOf,
  dropDay,
  endOfExposures,
  endOfTracked,
  exposuresIn,
  insertAllEvents,
  insertFreshEvents,
  lastBatch,
  metKnownId,
  rulesExposedTo,
  trackedIn,
  trackedOf,
} from './queries.ts'
import type { EventStore, NewEvent } from './store.ts'

// One transaction of a snapshot reads this many events. On the embedded database, others wait meanwhile.
const readAtOnce = { embedded: 20_000, server: 1_000_000 }

/** Keeps events in the main database. */
export function databaseStore({ db, kind }: Pick<Database, 'db' | 'kind'>): EventStore {
  // Repeated events come in runs, for example after an outage.
  let expectsRepeated = false

  async function insert(events: readonly NewEvent[], receivedAt: Date): Promise<ReadonlySet<string> | null> {
    if (!expectsRepeated)
      try {
        await insertAllEvents(db, events, receivedAt)
        return null
      } catch (error) {
        if (!metKnownId(error)) throw error
      }
    const fresh = await insertFreshEvents(db, events, receivedAt)
    expectsRepeated = fresh !== null
    return fresh
  }

  async function insertOn(receivedAt: Date, events: readonly NewEvent[]): Promise<ReadonlySet<string> | null> {
    try {
      return await insert(events, receivedAt)
    } catch (error) {
      if (!lacksPartition(error)) throw error
      for (const table of dayTables) {
        const { name, from, until } = dayOf(table, receivedAt)
        await db.transaction().execute((tx) => createDay(tx, table, name, from, until))
      }
      return insert(events, receivedAt)
    }
  }

  return {
    async append(events, receivedAt) {
      const keys = events.map(({ envId, id }) => `${envId} ${id}`)
      const seen = new Set<string>()
      const isFirst = keys.map((key) => seen.size < seen.add(key).size)
      const distinct = seen.size === events.length ? events : events.filter((_, place) => isFirst[place])
      const fresh = await insertOn(receivedAt, distinct)
      return fresh ? isFirst.map((first, place) => first && fresh.has(keys[place]!)) : isFirst
    },
    position: () => db.transaction().execute(lastBatch),
    async exposuresAfter(of, batches, share = 1) {
      const end = await endOfExposures(db, of, batches, Math.ceil(readAtOnce[kind] * share))
      return end && { ...end, rows: exposuresIn(of, { ...batches, through: end.last }) }
    },
    async trackedAfter(of, batches, share = 1) {
      const end = await endOfTracked(db, of, batches, Math.ceil(readAtOnce[kind] * share))
      return end && { ...end, rows: trackedIn(of, { ...batches, through: end.last }) }
    },
    trackedOfUnits: async (of, units, through) => trackedOf(of, units, through),
    async rulesExposedTo(of) {
      const rules = new Set<string>()
      for (const day of await daysOf(db, 'exposures'))
        for (const ruleId of await rulesExposedTo(db, of, timeOf(day)!)) rules.add(ruleId)
      return [...rules]
    },
    // A day at a time, so that no statement takes long.
    async deleteUnits(of, signal) {
      for (const table of dayTables)
        for (const day of await daysOf(db, table)) {
          signal.throwIfAborted()
          await deleteUnitsOf(db, table, of, timeOf(day)!)
        }
    },
    async deleteBefore(before) {
      let dropped = 0
      for (const table of dayTables)
        for (const name of await daysOf(db, table))
          if (isPast(name, before)) {
            await db.transaction().execute((tx) => dropDay(tx, name))
            dropped += 1
          }
      return dropped
    },
  }
}

/** There is no partition for the row: it violates no constraint that has a name. */
const lacksPartition = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23514' && !('constraint' in error && error.constraint)
