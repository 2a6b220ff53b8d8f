import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../testing/databases/database.ts'
import { isUnavailable } from '../index.ts'
import { databaseFolder, prepareFolder } from './folder.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await openTestDatabase('blank')
  await sql`create table kept (id int); insert into kept values (1)`.execute(database.db)
})

afterEach(() => database.close())

/** Removes the log of the running database, so that it panics at the next segment, as it does on a full disk. */
async function loseLog(): Promise<() => Promise<void>> {
  const log = join(databaseFolder(database.address.dataDir), 'pg_wal')
  await rename(log, `${log}.away`)
  return () => rename(`${log}.away`, log)
}

const panic = () => sql`select pg_switch_wal() from pg_logical_emit_message(true, 'x', 'y')`.execute(database.db)

const failure = (query: Promise<unknown>): Promise<unknown> =>
  query.then(
    () => undefined,
    (error) => error,
  )

describe('a crash of the embedded database', () => {
  it('rejects waiting and new queries as unavailable until the database can restart', async () => {
    const putBack = await loseLog()
    const waiting = Array.from({ length: 20 }, () => failure(panic()))
    for (const error of await Promise.all(waiting)) expect(isUnavailable(error), String(error)).toBe(true)
    expect(isUnavailable(await failure(database.ping()))).toBe(true)
    await putBack()
    await expect.poll(() => failure(database.ping())).toBeUndefined()
    const { rows } = await sql`select id from kept`.execute(database.db)
    expect(rows).toEqual([{ id: 1 }])
  })

  it('reports the reconnect to listeners once they receive notices again', async () => {
    const heard: string[] = []
    const back = Promise.withResolvers<void>()
    await database.listen('news', (payload) => heard.push(payload), back.resolve)
    const putBack = await loseLog()
    await failure(panic())
    await putBack()
    await expect.poll(() => failure(database.ping())).toBeUndefined()
    await back.promise
    await sql`select pg_notify('news', 'good')`.execute(database.db)
    expect(heard).toEqual(['good'])
  })
})

describe('an interrupted first start', () => {
  it('starts over', async () => {
    const dataDir = join(database.address.dataDir, 'other')
    const folder = databaseFolder(dataDir)
    await mkdir(dataDir)
    prepareFolder(dataDir)
    await mkdir(folder)
    await writeFile(join(folder, 'PG_VERSION'), '18\n')
    const { complete } = prepareFolder(dataDir)
    expect(existsSync(folder)).toBe(false)
    await mkdir(folder)
    await writeFile(join(folder, 'PG_VERSION'), '18\n')
    complete()
    prepareFolder(dataDir)
    expect(existsSync(folder)).toBe(true)
  })
})
