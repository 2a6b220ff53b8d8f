import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../testing/databases/database.ts'
import { databaseFolder } from './folder.ts'
import { isCheckpointDue, isVacuumDue, keepUp } from './upkeep.ts'

const mebibyte = 1024 * 1024

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase('blank')
})

afterAll(() => database.close())

const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows

const logBytes = () => {
  const folder = join(databaseFolder(database.address.dataDir), 'pg_wal')
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

describe('upkeep', () => {
  it.each([
    [0, 3_600_000, false],
    [100_000, 61_000, true],
    [100_000, 59_000, false],
    [17 * mebibyte, 0, true],
  ])('after %i bytes of log and %i ms since the last one, a checkpoint is due: %s', (bytes, ageMs, due) => {
    expect(isCheckpointDue(bytes, ageMs)).toBe(due)
  })

  it.each([
    [61_000, true, true],
    [61_000, false, false],
    [59_000, true, false],
    [601_000, false, true],
  ])('%i ms after the last vacuum, with an idle database (%s), a vacuum is due: %s', (ageMs, isIdle, due) => {
    expect(isVacuumDue(ageMs, isIdle)).toBe(due)
  })

  it('keeps the log small while 150 MB are written', async () => {
    await sql`create table updated (id int primary key, body text)`.execute(database.db)
    const text = 'x'.repeat(250_000)
    const written = async () => {
      const { rows } = await sql<{ written: number }>`
        select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::int8 as written`.execute(database.db)
      return rows[0]!.written
    }
    while ((await written()) <= 150 * mebibyte) {
      for (let round = 0; round < 30; round++)
        await sql`select pg_logical_emit_message(true, 'filler', ${text})`.execute(database.db)
      // The upkeep looks at the log once a second.
      await expect.poll(logBytes).toBeLessThan(40 * mebibyte)
    }
  }, 240_000)

  it('vacuums tables with many dead rows and remembers when it did', async () => {
    await sql`create table busy (id int primary key, n int); insert into busy select g, 0 from generate_series(1, 500) g`.execute(
      database.db,
    )
    for (let round = 0; round < 20; round++) await sql`update busy set n = n + 1`.execute(database.db)
    await sql`select pg_stat_force_next_flush()`.execute(database.db)
    const state = { checkpointedAt: 0, vacuumedAt: 0 }
    const statements: string[] = []
    const noted = (text: string) => {
      statements.push(text)
      return query(text)
    }
    await keepUp(noted, state, 100_000, true)
    expect(statements).toContain('vacuum (analyze) public.busy')
    expect(state.vacuumedAt).toBe(100_000)
    const { rows } = await sql`select relpages, reltuples::int from pg_class where relname = 'busy'`.execute(
      database.db,
    )
    expect(rows).toMatchObject([{ reltuples: 500 }])
  })
})
