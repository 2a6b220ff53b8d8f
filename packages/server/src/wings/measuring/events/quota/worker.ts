import { statfs } from 'node:fs/promises'
import type { Config } from '../../../../config.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { recurringToTheEnd } from '../../../../platform/recurring.ts'
import type { Sweep } from '../../../../platform/retention/index.ts'
import { addUsed, deleteOldUsage, sizeOfDatabase, usedIn } from './queries.ts'
import type { EventQuota, SharedUsage } from './quota.ts'

/** A node can be ahead of the others for this long, and loses what it stored in this time if it is killed. */
const shareEveryMs = 5_000
const sweepEveryMs = 3_600_000
const keptForMs = 86_400_000

/** The share of the disk of a folder that is free for this process. */
export const freeShareOf = (folder: string) => async (): Promise<number> => {
  const { bavail, blocks } = await statfs(folder)
  return blocks === 0 ? 1 : bavail / blocks
}

type Settings = Pick<Config, 'SVC_DATABASE_URL' | 'SVC_DATABASE_SIZE' | 'SVC_DATA_DIR'>

/** The share that is left of the size that a database on a server may have. */
const freeShareOfDatabase = (db: Db, maxBytes: number) => async (): Promise<number> =>
  1 - (await sizeOfDatabase(db)) / maxBytes

/** Reads how much is left for events; null if nothing tells, or if they do not go to the server with the database. */
export function freeShareOfEvents(
  db: Db,
  { SVC_DATABASE_URL, SVC_DATABASE_SIZE, SVC_DATA_DIR }: Settings,
  hasClickHouse: boolean,
): (() => Promise<number>) | null {
  if (!SVC_DATABASE_URL) return freeShareOf(SVC_DATA_DIR)
  return SVC_DATABASE_SIZE && !hasClickHouse ? freeShareOfDatabase(db, SVC_DATABASE_SIZE) : null
}

export const usageIn = (db: Db): SharedUsage => ({
  read: (day) => usedIn(db, day),
  add: (day, used) => addUsed(db, day, used),
})

/** Saves what was stored, for the other nodes and for this one after a restart. */
export function shareUsage(quota: EventQuota, onError: (error: unknown) => void) {
  const sharing = recurringToTheEnd(quota.share, shareEveryMs, onError)
  return {
    async start(): Promise<void> {
      await quota.read()
      sharing.start()
    },
    stop: sharing.stop,
  }
}

export const usageSweep: Sweep = {
  ...{ name: 'event_usage', everyMs: sweepEveryMs, keepForMs: keptForMs },
  sweep: deleteOldUsage,
}
