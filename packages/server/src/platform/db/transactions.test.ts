import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../testing/databases/database.ts'
import { notFound } from '../../catalogue/refusals.ts'
import { afterCommit, asOne, inOneTrip, inTransaction, rehearse, repeatedTransactions } from '../transaction.ts'
import type { Db } from './index.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await openTestDatabase('blank')
  db = database.db
  await sql`create table counters (id int primary key, n int not null)`.execute(db)
})

beforeEach(async () => void (await sql`truncate counters; insert into counters values (1, 0)`.execute(db)))

afterAll(() => database.close())

const count = async (on: Db = db) => {
  const { rows } = await sql<{ n: number }>`select n from counters`.execute(on)
  return rows[0]!.n
}

const add = (on: Db) => sql`update counters set n = n + 1`.execute(on)

describe('transactions', () => {
  it('commit their writes', async () => {
    expect(await db.transaction().execute(async (tx) => (await add(tx)).numAffectedRows)).toBe(1n)
    expect(await count()).toBe(1)
  })

  it.each([
    ['our own error', () => Promise.reject(new Error('ours'))],
    ['a database error', (tx: Db) => sql`select 1/0`.execute(tx)],
  ])('are rolled back by %s', async (_, fail) => {
    const work = db.transaction().execute(async (tx) => {
      await add(tx)
      await fail(tx)
    })
    await expect(work).rejects.toThrow()
    expect(await count()).toBe(0)
  })

  it('cannot commit after a failed statement', async () => {
    const work = db.transaction().execute(async (tx) => {
      await add(tx)
      await sql`select 1/0`.execute(tx).catch(() => {})
    })
    await expect(work).rejects.toThrow()
    expect(await count()).toBe(0)
  })

  it('are rolled back when their connection is released before the end', async () => {
    await db.connection().execute(async (connection) => {
      await sql`begin`.execute(connection)
      await add(connection)
    })
    expect(await count()).toBe(0)
    await add(db)
    expect(await count()).toBe(1)
  })

  it("do not see each other's writes", async () => {
    const transfer = () =>
      db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ n: number }>`select n from counters for update`.execute(tx)
        await sql`update counters set n = ${rows[0]!.n + 1}`.execute(tx)
      })
    await Promise.all(Array.from({ length: 50 }, transfer))
    expect(await count()).toBe(50)
  })

  it('run concurrent statements one after the other', async () => {
    await db.transaction().execute((tx) => Promise.all([add(tx), add(tx), add(tx)]))
    expect(await count()).toBe(3)
  })
})

describe('the statements of a change', () => {
  it('run in the order in which they were requested, each seeing the earlier ones', async () => {
    const seen = await inTransaction(db, async (tx) => {
      const [, once, , twice] = await Promise.all([add(tx), count(tx), add(tx), count(tx)])
      return [once, twice]
    })
    expect(seen).toEqual([1, 2])
    expect(await count()).toBe(2)
  })

  it('fail together, with the error of the first that failed', async () => {
    const work = inTransaction(db, (tx) =>
      Promise.all([add(tx), sql`select 1/0`.execute(tx), sql`insert into counters values (1, 1)`.execute(tx), add(tx)]),
    )
    await expect(work).rejects.toThrow('division by zero')
    expect(await count()).toBe(0)
  })

  it('can be asked again after one before them has failed', async () => {
    const seven = (on: Db) => sql<{ n: number }>`select ${7}::int as n`.execute(on)
    await db.connection().execute(async (connection) => {
      const work = inTransaction(connection, (tx) => Promise.all([sql`select 1/${0}::int`.execute(tx), seven(tx)]))
      await expect(work).rejects.toThrow('division by zero')
      for (let times = 0; times < 3; times++) expect((await seven(connection)).rows).toEqual([{ n: 7 }])
    })
  })

  it('are answered each with its own columns and number of rows, however often they are asked', async () => {
    const up = (on: Db) => sql`update counters set n = n + ${1}::int`.execute(on)
    const below = (on: Db, limit: number) => sql`select id, n from counters where n < ${limit}::int`.execute(on)
    for (const n of [0, 1, 2])
      await inTransaction(db, async (tx) => {
        const [none, one, updated, id] = await Promise.all([
          below(tx, n),
          below(tx, n + 1),
          up(tx),
          sql`select ${'a'}::text as id`.execute(tx),
        ])
        expect([none.rows, one.rows, id.rows]).toEqual([[], [{ id: 1, n }], [{ id: 'a' }]])
        expect(updated.numAffectedRows).toBe(1n)
      })
    expect(await count()).toBe(3)
  })

  it('are answered even if the answer of another cannot be read', async () => {
    await inTransaction(db, async (tx) => {
      const [large, own] = await Promise.allSettled([sql`select ${'9007199254740993'}::int8`.execute(tx), count(tx)])
      expect([large.status, own]).toEqual(['rejected', { status: 'fulfilled', value: 0 }])
    })
  })

  it('are refused after the transaction has ended', async () => {
    const ended = Promise.withResolvers<void>()
    let late = Promise.resolve<unknown>(undefined)
    const work = inTransaction(db, async (tx) => {
      late = ended.promise.then(() => add(tx))
      await add(tx)
      throw new Error('ours')
    })
    await expect(work).rejects.toThrow('ours')
    ended.resolve()
    await expect(late).rejects.toThrow(/has ended|rolled back/)
    expect(await count()).toBe(0)
  })

  it('are never committed by a branch that continues after another has failed, however late they arrive', async () => {
    for (let turns = 0; turns < 60; turns++) {
      const branch = async (tx: Db) => {
        await count(tx)
        for (let turn = 0; turn < turns; turn++) await undefined
        await add(tx)
      }
      await expect(inTransaction(db, (tx) => Promise.all([branch(tx), sql`select 1/0`.execute(tx)]))).rejects.toThrow(
        'division by zero',
      )
    }
    // Runs after everything that was sent until now.
    await Promise.all(Array.from({ length: 20 }, () => count()))
    expect(await count()).toBe(0)
  })
})

describe('a change that the database has ended so that another can go on', () => {
  const ended = (on: Db, code: string) =>
    sql`do ${sql.lit(`begin raise exception 'ended' using errcode = '${code}'; end`)}`.execute(on)

  it.each([
    ['a deadlock', '40P01'],
    ['a conflict', '40001'],
  ])('begins again after %s, and what waits for its commit happens once', async (_, code) => {
    const before = repeatedTransactions()
    let [attempts, acts] = [0, 0]
    const result = await inTransaction(db, async (tx) => {
      attempts += 1
      afterCommit(() => acts++)
      await add(tx)
      if (attempts < 3) await ended(tx, code)
      return 'done'
    })
    expect([result, attempts, acts, await count()]).toEqual(['done', 3, 1, 1])
    expect(repeatedTransactions() - before).toBe(2)
  })

  it.each([
    ['for the third time', '40P01', 3],
    ['because of its own fault', '22012', 1],
  ])('fails %s', async (_, code, times) => {
    let attempts = 0
    const work = asOne(db, async (tx) => {
      await inTransaction(db, add)
      attempts += 1
      await ended(tx, code)
    })
    await expect(work).rejects.toMatchObject({ code })
    expect([attempts, await count()]).toEqual([times, 0])
  })

  it('is known by the first error of its statements, even if one of them has met it and tells first', async () => {
    const slow = async (tx: Db) => {
      const [failed, met] = await Promise.allSettled([ended(tx, '40P01'), count(tx)])
      expect(met).toMatchObject({ status: 'rejected', reason: { code: '25P02' } })
      throw (failed as PromiseRejectedResult).reason
    }
    const before = repeatedTransactions()
    await expect(inTransaction(db, (tx) => inOneTrip([slow(tx), add(tx)]))).rejects.toMatchObject({ code: '40P01' })
    expect(repeatedTransactions() - before).toBe(2)
  })
})

describe('what waits for the commit', () => {
  const ways = { inTransaction, asOne }
  const names = Object.keys(ways) as (keyof typeof ways)[]

  it.each(names)('happens after the commit of %s', async (name) => {
    const seen: string[] = []
    await ways[name](db, async (tx) => {
      await add(tx)
      afterCommit(() => seen.push('act'))
      seen.push('end of the work')
    })
    expect(seen).toEqual(['end of the work', 'act'])
  })

  it('of a transaction in another waits for the outer one, and not for the commit of one beside it', async () => {
    const seen: string[] = []
    await asOne(db, async () => {
      await inTransaction(db, async () => afterCommit(() => seen.push('act')))
      seen.push('end of the work')
    })
    await inTransaction(db, async () => undefined)
    afterCommit(() => seen.push('at once'))
    expect(seen).toEqual(['end of the work', 'act', 'at once'])
  })

  it.each(names.flatMap((name) => (['refusal', 'error', 'commit'] as const).map((fault) => [name, fault] as const)))(
    'does not happen if %s ends with a failed work or commit (%s)',
    async (name, fault) => {
      await sql`create table if not exists parents (id int primary key)`.execute(db)
      await sql`
        create table if not exists children (parent int references parents (id) deferrable initially deferred)
      `.execute(db)
      const seen: string[] = []
      const ended = ways[name](db, async (tx) => {
        afterCommit(() => seen.push('act'))
        if (fault === 'refusal') return notFound('Counter')
        // The commit fails, because the parent is checked only then.
        if (fault === 'commit') await sql`insert into children values (1)`.execute(tx)
        if (fault === 'error') throw new Error('no')
        return undefined
      })
      const outcome = await ended.catch((error: Error) => error.message)
      expect(outcome).toEqual(
        { refusal: notFound('Counter'), error: 'no', commit: expect.stringContaining('foreign key') }[fault],
      )
      expect(seen).toEqual([])
    },
  )
})

describe('a rehearsal', () => {
  it('answers what the work answers, with its own writes in it, and keeps none of them', async () => {
    const told: string[] = []
    const seen = await rehearse(db, async (tx) => {
      await inTransaction(db, add)
      afterCommit(() => told.push('committed'))
      return count(tx)
    })
    expect(seen).toBe(1)
    expect(await count()).toBe(0)
    expect(told).toEqual([])
  })

  it('answers a refusal of the work, and throws its errors', async () => {
    expect(await rehearse(db, async () => notFound('Counter'))).toEqual(notFound('Counter'))
    await expect(rehearse(db, (tx) => sql`select 1/0`.execute(tx))).rejects.toThrow('division by zero')
  })
})
