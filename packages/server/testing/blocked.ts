import { setTimeout as later } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TestService } from './service.ts'

const pollMs = 5

/** On a server, waits until a statement waits for a lock. The embedded database runs one transaction at a time. */
export async function untilBlocked({ database, db }: TestService): Promise<void> {
  if (database.kind === 'embedded') return
  const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  while ((await waiting.execute(db)).rows.length === 0) await later(pollMs)
}
