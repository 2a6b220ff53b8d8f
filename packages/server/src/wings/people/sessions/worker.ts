import type { Db } from '../../../platform/db/index.ts'
import { type Recurring, recurring } from '../../../platform/recurring.ts'
import { type WriteBehind, writeBehind } from '../../../platform/write-behind.ts'
import { limits } from '../accounts/index.ts'
import { deleteOldLinks } from '../links/index.ts'
import { deleteEndedSessions, type SessionUse, saveSessionUses } from './queries.ts'
import { idleSince } from './session.ts'

const sweepIntervalMs = 60 * 60_000

/** When each session was last seen, and from where. */
export const sessionUses = (db: Db, onError: (error: unknown) => void): WriteBehind<SessionUse> =>
  writeBehind((uses) => saveSessionUses(db, uses), onError)

/** Removes sessions that have ended and links that are long used or expired: now and then, by every node. */
export const sweepSessions = (db: Db, now: () => Date, onError: (error: unknown) => void): Recurring =>
  recurring(
    async () => {
      await deleteEndedSessions(db, now(), idleSince(now()))
      await deleteOldLinks(db, new Date(now().getTime() - limits.linkRetentionMs))
    },
    sweepIntervalMs,
    onError,
  )
