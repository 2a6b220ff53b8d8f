import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../testing/databases/database.ts'
import { execute } from '../../../../testing/databases/postgres.ts'
import { quiet } from '../../../../testing/databases/templates.ts'
import { isUnavailable, openDatabase } from '../index.ts'
import { patiently } from './database.ts'
import { delayOf } from './listener.ts'

let database: TestDatabase

const cut = () =>
  execute(
    database.address.url!,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )

const connections = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and application_name = 'svc'`.execute(
    database.db,
  )
  return rows[0]!.count
}

const failure = (query: Promise<unknown>): Promise<unknown> =>
  query.then(
    () => undefined,
    (error) => error,
  )

const sleeping = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`.execute(database.db)
  return rows[0]!.count
}

describe('PostgreSQL connections', () => {
  beforeEach(async () => {
    database = await openTestDatabase('blank')
  })
  afterEach(() => database.close())

  it('reject running queries as unavailable when the server cuts them, then reconnect', async () => {
    const running = Array.from({ length: 5 }, () => failure(sql`select pg_sleep(30)`.execute(database.db)))
    await expect.poll(sleeping).toBe(5)
    await cut()
    for (const error of await Promise.all(running)) expect(isUnavailable(error), String(error)).toBe(true)
    // An idle connection notices its end a moment later than a busy one, so its next query can still fail.
    await expect.poll(() => failure(Promise.all(Array.from({ length: 30 }, () => database.ping())))).toBeUndefined()
  })

  it('neither end the process nor commit when the server cuts them inside a transaction', async () => {
    await sql`create table rows (id int)`.execute(database.db)
    const work = database.db.transaction().execute(async (tx) => {
      await sql`insert into rows values (1)`.execute(tx)
      await cut()
      await sql`insert into rows values (2)`.execute(tx)
    })
    expect(isUnavailable(await failure(work))).toBe(true)
    // An idle connection notices its end a moment later, so its next query can still fail.
    await expect.poll(async () => (await sql`select id from rows`.execute(database.db)).rows).toEqual([])
  })

  it('do not leak, whether their queries succeed, fail or are cut', async () => {
    for (let round = 0; round < 3; round++) {
      const queries = Array.from({ length: 40 }, (_, index) =>
        failure(index % 2 ? sql`select 1/0`.execute(database.db) : sql`select pg_sleep(0.01)`.execute(database.db)),
      )
      await cut()
      await Promise.all(queries)
    }
    await expect.poll(() => failure(database.ping())).toBeUndefined()
    // Ten of the pool and the listener. The server counts a connection that was cut until its process has ended.
    await expect.poll(connections).toBeLessThanOrEqual(11)
    await expect.poll(() => failure(Promise.all(Array.from({ length: 40 }, () => database.ping())))).toBeUndefined()
  })

  it('listen again after a cut and report it', async () => {
    const heard = Promise.withResolvers<string>()
    const back = Promise.withResolvers<void>()
    await database.listen('news', heard.resolve, back.resolve)
    await cut()
    await back.promise
    await expect.poll(() => failure(sql`select pg_notify('news', 'good')`.execute(database.db))).toBeUndefined()
    expect(await heard.promise).toBe('good')
  })

  it('have time limits, except for unhurried work', async () => {
    const limit = async (db: TestDatabase['db']) => (await sql`show statement_timeout`.execute(db)).rows
    expect(await limit(database.db)).toEqual([{ statement_timeout: '30s' }])
    expect(await database.unhurried(limit)).toEqual([{ statement_timeout: '0' }])
  })

  it('prepare each statement with values once', async () => {
    await database.db.connection().execute(async (db) => {
      for (let id = 0; id < 5; id++) await sql`select ${id}::int as id`.execute(db)
      const { rows } = await sql`select statement from pg_prepared_statements`.execute(db)
      expect(rows).toEqual([{ statement: 'select $1::int as id' }])
    })
  })

  it('are replaced when a prepared statement no longer fits its table', async () => {
    await sql`create table rows (id int)`.execute(database.db)
    const read = () => sql`select * from rows where id = ${1}`.execute(database.db)
    await read()
    await execute(database.address.url!, 'alter table rows add column name text; insert into rows values (1, $$a$$)')
    await failure(read())
    expect((await read()).rows).toEqual([{ id: 1, name: 'a' }])
  })
})

describe('an unusable PostgreSQL server', () => {
  beforeAll(async () => {
    database = await openTestDatabase('blank')
  })
  afterAll(() => database.close())

  const open = (url: string) => openDatabase({ url, dataDir: database.address.dataDir, log: quiet })

  it.each([
    ['postgres://someone:secret@127.0.0.1:1/svc', /^PostgreSQL at 127.0.0.1:1\/svc: connect ECONNREFUSED/],
    ['nonsense', /^the database address is not a postgres:\/\/ URL$/],
  ])('%s is refused in one line without its password', async (url, message) => {
    const error = (await failure(open(url))) as Error
    expect(error.message).toMatch(message)
    expect(error.message).not.toMatch(/secret|\n/)
  })

  it('is refused when its encoding is not UTF8', async () => {
    const url = new URL(database.address.url!)
    url.pathname = `${url.pathname}_latin`
    const name = url.pathname.slice(1)
    await execute(database.address.url!, `create database ${name} template template0 encoding 'LATIN1' locale 'C'`)
    await expect(open(url.href)).rejects.toThrow('encoded in LATIN1, but must be UTF8')
    await execute(database.address.url!, `drop database ${name}`)
  })
})

describe('the first connection', () => {
  const late = new Error('Connection terminated due to connection timeout')
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

  /** Fails with these errors, then succeeds. */
  const failing = (...errors: Error[]) => {
    const left = [...errors]
    return async () => {
      const error = left.shift()
      if (error) throw error
      return 'connected'
    }
  }

  const starting = Object.assign(new Error('the database system is starting up'), { code: '57P03' })

  it('is tried again after growing pauses while the server has none yet, and each try is told', async () => {
    const told: [unknown, number][] = []
    const pauses: number[] = []
    const full = Object.assign(new Error('sorry, too many clients already'), { code: '53300' })
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    const ended = new Error('Connection terminated unexpectedly')
    const connected = patiently(failing(late, new Error('timeout expired'), starting, full, reset, ended, late), {
      onRetry: (error, pauseMs) => told.push([error, pauseMs]),
      pause: async (ms) => pauses.push(ms),
    })
    expect(await connected).toBe('connected')
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000])
    expect(told.map(([, pauseMs]) => pauseMs)).toEqual(pauses)
    expect(told[0]![0]).toBe(late)
  })

  it('is not tried again when it is refused, or when the time is over', async () => {
    const pause = async () => {}
    const password = Object.assign(new Error('password authentication failed'), { code: '28P01' })
    await expect(patiently(failing(late, refused), { pause })).rejects.toBe(refused)
    await expect(patiently(failing(password), { pause })).rejects.toBe(password)
    await expect(patiently(failing(late), { limitMs: 0, pause })).rejects.toBe(late)
  })
})

describe('the delay before the next attempt to listen', () => {
  it.each([
    [0, 1, 100],
    [1, 1, 200],
    [3, 0.5, 450],
    [20, 1, 2_000],
  ])('attempt %i with random value %d waits %i ms', (attempt, random, ms) => expect(delayOf(attempt, random)).toBe(ms))
})
