import { sql } from 'kysely'
import { expect } from 'vitest'
import { openDatabase } from '../../src/platform/db/index.ts'
import type { Address } from './address.ts'
import { quiet } from './templates.ts'

export interface Held {
  /** Resolves when so many wait for one of the tables. */
  waitedFor(count: number): Promise<void>
  release(): Promise<void>
}

/**
 * Keeps others from writing tables until they are released, and with `alsoReads` from reading them. Undefined for an
 * embedded database, which has one user.
 */
export async function hold(
  address: Address,
  tables: readonly string[],
  { alsoReads = false } = {},
): Promise<Held | undefined> {
  if (!address.url) return undefined
  const { db, close } = await openDatabase({ ...address, log: quiet })
  const ends = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const mode = sql.raw(alsoReads ? 'access exclusive' : 'exclusive')
  const holding = db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in ${mode} mode`.execute(tx)
    begun.resolve()
    await ends.promise
  })
  await Promise.race([begun.promise, holding])
  const waiting = async () => {
    const { rows } = await sql`
      select from pg_locks where not granted and relation = any(${tables}::regclass[])
        and database = (select oid from pg_database where datname = current_database())`.execute(db)
    return rows.length
  }
  return {
    waitedFor: (count) => expect.poll(waiting).toBeGreaterThanOrEqual(count),
    async release() {
      ends.resolve()
      await holding
      await close()
    },
  }
}

/** Ends the leases that a killed node left, as time would. */
export async function endLeases(address: Address): Promise<void> {
  const { db, close } = await openDatabase({ ...address, log: quiet })
  for (const table of ['jobs', 'measured_rules', 'watched_rules'])
    await sql`update ${sql.table(table)} set leased_until = null where leased_until is not null`.execute(db)
  await close()
}
