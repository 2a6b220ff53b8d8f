import type { Database, Log } from '../db/index.ts'
import { newId } from '../ids.ts'
import { recurring } from '../recurring.ts'
import { deleteWorker, findWorkers, saveWorker } from './queries.ts'
import { listen, silentAfterMs, type Watch } from './silence.ts'

/** Which nodes do background work. */
export interface Workers {
  /** For a node that does background work: says so now, and again and again. */
  announce(): void
  /** For a node that does none: the log says when no node was heard for a minute, and when one is back. */
  watch(): void
  /** Looks once. `watch` does this again and again. */
  look(): Promise<void>
  /** How many nodes were heard in the last minute. */
  count(): Promise<number>
  /** A node that announced itself does not count from now on. */
  stop(): Promise<void>
}

export interface WorkersOptions {
  database: Pick<Database, 'db' | 'kind'>
  log: Log
  now: () => Date
  onError: (error: unknown) => void
}

/** Short enough that several fit into the time after which a worker counts as silent, in case the database is slow. */
const intervalMs = 15_000

/** The one node of an embedded database does everything, so it stores no row and looks for no other node. */
const alone: Workers = {
  announce: () => undefined,
  watch: () => undefined,
  look: async () => undefined,
  count: async () => 1,
  stop: async () => undefined,
}

export function workers({ database, log, now, onError }: WorkersOptions): Workers {
  if (database.kind === 'embedded') return alone
  const { db } = database
  const id = newId()
  let known: Watch = { heardAt: now(), isTold: false }
  let isAnnounced = false

  async function look(): Promise<void> {
    const { lastHeardAt } = await findWorkers(db, now())
    const { say, ...next } = listen(known, lastHeardAt, now())
    known = next
    if (say === 'missing')
      log.warn(
        { heardAt: next.heardAt },
        'no worker has been seen for a minute: nothing is delivered, scheduled, counted or cleaned up until a node with SVC_ROLE=worker or all runs',
      )
    if (say === 'back') log.info({}, 'a worker is running again')
  }

  const announcing = recurring(() => saveWorker(db, id, now()), intervalMs, onError)
  const watching = recurring(look, intervalMs, onError)
  return {
    announce() {
      isAnnounced = true
      announcing.start()
    },
    watch: watching.start,
    look,
    async count() {
      return (await findWorkers(db, new Date(now().getTime() - silentAfterMs))).count
    },
    async stop() {
      await Promise.all([announcing.stop(), watching.stop()])
      // If the database is away, the row counts for a minute more.
      if (isAnnounced) await deleteWorker(db, id).catch(onError)
    },
  }
}
