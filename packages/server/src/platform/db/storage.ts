import { statfsSync } from 'node:fs'
import { sql } from 'kysely'
import type { Database, Db } from './database.ts'
import { isUnavailable, saysDiskFull } from './errors.ts'

/** With less, the embedded database cannot start another file of its write-ahead log and recover from a crash. */
const neededBytes = 32 * 1024 * 1024
const probeRows = 100
const probeText = 8_000

/** Knows whether writes fail because the storage is full, from the first failure until there is room again. */
export interface StorageWatch {
  /** Whether this error means that the storage is full. */
  isFull(error: unknown): boolean
  /** Rejects while the storage is full. */
  requireRoom(): Promise<void>
}

export function storageWatch({ kind, db }: Pick<Database, 'kind' | 'db'>, dataDir: string): StorageWatch {
  let wasFull = false
  // The error of a crash has no cause: the embedded database crashes when its log cannot grow.
  const hasNoRoom = () => kind === 'embedded' && freeBytes(dataDir) < neededBytes
  return {
    isFull(error) {
      const isFull = saysDiskFull(error) || (isUnavailable(error) && hasNoRoom())
      wasFull ||= isFull
      return isFull
    },
    async requireRoom() {
      if (!wasFull) return
      if (hasNoRoom()) throw new Error('the storage is full')
      if (kind === 'server') await takeRoom(db)
      wasFull = false
    },
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Only the server knows its disks. This fills a temporary table with a megabyte that no one else sees. */
async function takeRoom(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`create temporary table room (text text) on commit drop`.execute(tx)
    await sql`alter table room alter column text set storage plain`.execute(tx)
    await sql`insert into room select repeat('x', ${probeText}::int) from generate_series(1, ${probeRows}::int)`.execute(
      tx,
    )
  })
}
