import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../testing/databases/database.ts'
import { migrate } from './index.ts'

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await openTestDatabase('blank')
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-migrations-'))
})
// A database of its own would cost each test a second.
afterEach(async () => {
  await sql.raw('drop schema public cascade; create schema public').execute(database.db)
  await rm(folder, { recursive: true })
})
afterAll(() => database.close())

const write = (name: string, text: string) => writeFile(join(folder, name), text)

const tables = async () => {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'schema_migration%'
    order by 1`.execute(database.db)
  return rows.map((row) => row.name)
}

describe('migrate', () => {
  it('applies new files in numeric order, once', async () => {
    await write('0002-second.sql', 'alter table one add column two int; create table two (id int)')
    await write('0001-first.sql', 'create table one (id int);\ncreate index on one (id);\n')
    expect(await migrate(database, { folder })).toEqual({ applied: ['0001-first.sql', '0002-second.sql'] })
    expect(await migrate(database, { folder })).toEqual({ applied: [] })
    await write('0003-third.sql', 'drop table two')
    expect(await migrate(database, { folder })).toEqual({ applied: ['0003-third.sql'] })
    expect(await tables()).toEqual(['one'])
  })

  it('rolls back the whole run when a file fails, and names file and line', async () => {
    await write('0001-first.sql', 'create table one (id int)')
    await write('0002-broken.sql', 'create table two (id int);\n\ncreate tabel three (id int)')
    await expect(migrate(database, { folder })).rejects.toThrow(
      'migration 0002-broken.sql failed at line 3: syntax error at or near "tabel"',
    )
    expect(await tables()).toEqual([])
    await write('0002-broken.sql', 'create table two (id int)')
    expect((await migrate(database, { folder })).applied).toHaveLength(2)
  })

  it.each([
    [
      'was changed',
      () => write('0001-first.sql', 'create table one (id bigint)'),
      /^migration 0001-first.sql was changed/,
    ],
    ['is missing', () => rm(join(folder, '0001-first.sql')), /^migration 0001-first.sql was applied .* but is missing/],
    ['is late', () => write('0000-zeroth.sql', 'select 1'), /^migrations were not applied: .*0000-zeroth.sql/],
    ['is misnamed', () => write('2-second.sql', 'select 1'), /^migration 2-second.sql is not named like/],
    ['has a number twice', () => write('0001-other.sql', 'select 1'), /^migration 0001-other.sql has the number/],
  ])('stops with one clear line when a file %s', async (_, change, message) => {
    await write('0001-first.sql', 'create table one (id int)')
    await migrate(database, { folder })
    await change()
    const error = await migrate(database, { folder }).catch((error) => error)
    expect(error.message).toMatch(message)
    expect(error.message).not.toContain('\n')
  })

  it("applies the product's own files", async () => {
    expect((await migrate(database)).applied[0]).toMatch(/^0001-/)
  })
})
