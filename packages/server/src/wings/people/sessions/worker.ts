import type { Db } from '../../../platform/db/index.ts'
import type { Sweep } from '../../../platform/retention/index.ts'
import { type WriteBehind, writeBehind } from '../../../platform/write-behind.ts'
import { deleteEndedSessions, type SessionUse, saveSessionUses } from './queries.ts'
import { idleSince } from './session.ts'

/** Time and source of the last use of each session. */
export const sessionUses = (db: Db, onError: (error: unknown) => void): WriteBehind<SessionUse> =>
  writeBehind((uses) => saveSessionUses(db, uses), onError)

/** Sessions that have ended or were idle for too long. */
export const sessionSweep: Sweep = {
  name: 'sessions',
  everyMs: 3_600_000,
  keepForMs: 0,
  sweep: (db, before, limit) => deleteEndedSessions(db, before, idleSince(before), limit),
}
