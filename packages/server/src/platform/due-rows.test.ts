import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/databases/database.ts'
import { type Claim, dueRows, endAllLeases, LeaseLost } from './due-rows.ts'

const noon = new Date('2026-11-20T12:00:00.000Z')
const after = (seconds: number) => new Date(noon.getTime() + seconds * 1000)
const lease = (from: number) => ({ now: after(from), until: after(from + 60) })

const ofThings = {
  table: 'things',
  key: 'thing_id',
  dueAt: 'due_at',
  columns: sql`name`,
  backoff: { firstMs: 60_000, mostMs: 240_000 },
}
const things = dueRows<{ name: string }>(ofThings)

const database = await openTestDatabase()
const { db } = database
const first = '0198f2c6-9c02-7d1b-8e46-6a7f0c3d2b01'
const second = '0198f2c6-9c02-7d1b-8e46-6a7f0c3d2b02'

beforeAll(async () => {
  await sql`
    create table things (
      thing_id uuid primary key, name text not null, due_at timestamptz, leased_until timestamptz,
      claims bigint not null default 0, failures integer not null default 0)`.execute(db)
})
beforeEach(async () => {
  await sql`delete from things`.execute(db)
  await sql`insert into things (thing_id, name, due_at) values (${first}, 'first', ${after(-2)}), (${second}, 'second', ${after(-1)})`.execute(
    db,
  )
})
afterAll(() => database.close())

const rowOf = async (id: string) => {
  const { rows } = await sql<{ dueAt: Date; leasedUntil: Date | null; failures: number; claims: number }>`
    select due_at as "dueAt", leased_until as "leasedUntil", failures, claims from things where thing_id = ${id}`.execute(
    db,
  )
  return rows[0]!
}
const claimFirst = async (from = 0) => (await things.claimOne(db, first, lease(from))) as Claim & { name: string }

test('rows are taken in the order in which they became due, each by one node', async () => {
  const taken = await Promise.all([1, 2, 3].map(() => things.claim(db, lease(0))))
  expect(taken.map((row) => row?.name).toSorted()).toEqual(['first', 'second', undefined])
  expect(await things.claim(db, lease(0))).toBeUndefined()
})

test('a row that is not due is taken only on request', async () => {
  await things.release(db, await claimFirst(), after(600))
  expect((await things.claim(db, lease(0)))?.name).toBe('second')
  expect(await things.claim(db, lease(0))).toBeUndefined()
  expect((await claimFirst()).name).toBe('first')
})

test('a claim can ask for more, and write more', async () => {
  const where = sql`name = 'second'`
  const taken = await things.claim(db, { ...lease(0), where, set: sql`name = 'taken'` })
  expect(taken).toMatchObject({ id: second, name: 'taken' })
  expect(await things.claimOne(db, first, { ...lease(0), where })).toBeUndefined()
})

test('the row of a node that died is taken after its lease, not before', async () => {
  await claimFirst()
  expect(await things.claimOne(db, first, lease(59))).toBeUndefined()
  expect((await claimFirst(60)).claims).toBe(2)
})

test('a lease that is renewed does not end', async () => {
  const claim = await claimFirst()
  expect((await things.renew(db, claim, after(110))).name).toBe('first')
  expect(await things.claimOne(db, first, lease(60))).toBeUndefined()
})

test('a node that is too late cannot renew, release, postpone or write a row that another one has', async () => {
  const late = await claimFirst()
  const newer = await claimFirst(60)
  const before = await rowOf(first)
  await expect(things.renew(db, late, after(600))).rejects.toThrow(LeaseLost)
  expect(await things.release(db, late, after(600))).toBe(false)
  expect(await things.fail(db, late, after(61))).toBe(false)
  const { rows } = await sql`update things set name = 'late' where ${things.isHeldBy(late)} returning 1`.execute(db)
  expect(rows).toEqual([])
  expect(await rowOf(first)).toEqual(before)
  expect(await things.release(db, newer, after(600))).toBe(true)
})

test('a node that is too late cannot write a row that another one has given back', async () => {
  const late = await claimFirst()
  await things.release(db, await claimFirst(60), after(600))
  const before = await rowOf(first)
  await expect(things.renew(db, late, after(600))).rejects.toThrow(LeaseLost)
  expect(await things.release(db, late, after(60))).toBe(false)
  expect(await rowOf(first)).toEqual(before)
})

test('while a transaction has renewed its claim, no other node takes the row', async () => {
  const claim = await claimFirst()
  let other: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    await things.renew(tx, claim, after(120))
    // Its lease has ended for a node that does not see the new one yet.
    other = things.claimOne(db, first, lease(61))
    await sql`update things set name = 'written' where thing_id = ${first}`.execute(tx)
  })
  expect(await other).toBeUndefined()
  expect((await things.renew(db, claim, after(60))).name).toBe('written')
})

test('a row that fails waits for twice as long each time up to the most, and success resets that', async () => {
  const waits: number[] = []
  for (const from of [0, 1000, 2000, 3000]) {
    expect(await things.fail(db, await claimFirst(from), after(from))).toBe(true)
    waits.push((await rowOf(first)).dueAt.getTime() - after(from).getTime())
  }
  expect(waits).toEqual([60_000, 120_000, 240_000, 240_000])
  await things.release(db, await claimFirst(4000), null)
  expect(await rowOf(first)).toMatchObject({ dueAt: null, leasedUntil: null, failures: 0 })
})

test('a node that is alone on its database ends the leases of all tables when it starts', async () => {
  await sql`create table others (like things including all)`.execute(db)
  await sql`insert into others select * from things`.execute(db)
  const others = dueRows<{ name: string }>({ ...ofThings, table: 'others' })
  const late = await claimFirst()
  await others.claimOne(db, second, lease(0))
  await endAllLeases(db)
  expect(await things.release(db, late, null)).toBe(false)
  expect((await claimFirst()).claims).toBe(2)
  expect((await others.claimOne(db, second, lease(0)))?.claims).toBe(2)
})
