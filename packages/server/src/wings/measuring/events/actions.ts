import { codeOf, constraintOf, type Database, type Db } from '../../../platform/db/index.ts'
import { dayOf, isPast, timeOf } from './days.ts'
import {
  createDay,
  daysOf,
  dayTables,
  deleteTrackedOf,
  deleteUnitsIn,
  dropDay,
  endOfExposures,
  endOfHappened,
  endOfTracked,
  exposuresIn,
  happenedIn,
  insertAllEvents,
  insertFreshEvents,
  lastBatch,
  metKnownId,
  nextBatch,
  type Pages,
  pagesOf,
  rulesExposedTo,
  trackedIn,
  trackedOf,
} from './queries.ts'
import type { EventStore, HappenedIn, Happening, NewEvent } from './store.ts'

// One transaction of a snapshot reads this many events. On the embedded database, others wait meanwhile.
const readAtOnce = { embedded: 20_000, server: 1_000_000 }
/** All of them are in memory at once, as objects. */
const happenedAtOnce = 5_000
/**
 * An erasure reads all exposures, this many pages of 8 KB at once: others wait for one such statement at most. An index
 * of units would make each exposure dearer for what is seldom asked.
 */
const pagesAtOnce = { embedded: 128, server: 8192 }

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
      await createDays(db, receivedAt)
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
    happened: (of) => happened(db, of),
    numberIn: nextBatch,
    async rulesExposedTo(of, signal) {
      const rules = new Set<string>()
      await inBites(db, pagesAtOnce[kind], signal, async (day, pages) => {
        for (const ruleId of await rulesExposedTo(db, day, of, pages)) rules.add(ruleId)
      })
      return [...rules]
    },
    async deleteUnits(of, signal) {
      await inBites(db, pagesAtOnce[kind], signal, (day, pages) => deleteUnitsIn(db, day, of, pages))
      for (const day of await daysOf(db, 'tracked_events')) {
        signal.throwIfAborted()
        await deleteTrackedOf(db, of, timeOf(day)!)
      }
    },
    deleteBefore: (before) => dropDaysBefore(db, before),
  }
}

async function dropDaysBefore(db: Db, before: Date): Promise<number> {
  let dropped = 0
  for (const table of dayTables)
    for (const name of await daysOf(db, table))
      if (isPast(name, before)) {
        await db.transaction().execute((tx) => dropDay(tx, name))
        dropped += 1
      }
  return dropped
}

async function* happened(db: Db, of: HappenedIn): AsyncGenerator<readonly Happening[]> {
  for (let after = 0; ; ) {
    const end = await endOfHappened(db, of, after, happenedAtOnce)
    if (!end) return
    yield await happenedIn(db, of, { after, through: end.last })
    after = end.last
  }
}

async function createDays(db: Db, at: Date): Promise<void> {
  for (const table of dayTables) {
    const { name, from, until } = dayOf(table, at)
    await db.transaction().execute((tx) => createDay(tx, table, name, from, until))
  }
}

/**
 * Does something with all exposures, some pages of a day at a time. It misses none, because exposures are never
 * updated, so each stays on its page. After a `VACUUM FULL` meanwhile, which moves them, it has to be done again.
 */
async function inBites(
  db: Db,
  size: number,
  signal: AbortSignal,
  work: (day: string, pages: Pages) => Promise<void>,
): Promise<void> {
  for (const day of await daysOf(db, 'exposures'))
    try {
      // Others add pages meanwhile.
      for (let from = 0; from < (await pagesOf(db, day)); from += size) {
        signal.throwIfAborted()
        await work(day, { from, until: from + size })
      }
    } catch (error) {
      if (!lacksTable(error)) throw error
    }
}

/** The day was deleted meanwhile. */
const lacksTable = (error: unknown): boolean => codeOf(error) === '42P01'

/** There is no partition for the row: it violates no constraint that has a name. */
const lacksPartition = (error: unknown): boolean => codeOf(error) === '23514' && !constraintOf(error)
