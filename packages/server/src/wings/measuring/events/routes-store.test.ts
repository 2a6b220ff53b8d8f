import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../testing/databases/database.ts'
import { databaseStore } from './actions.ts'
import { turnEventIds } from './queries.ts'
import type { EventStore, Exposure, TrackedEvent } from './store.ts'

let database: TestDatabase
let store: EventStore
const now = new Date('2026-11-23T12:00:00.000Z')
const going = new AbortController().signal
const days = (count: number) => new Date(now.getTime() + count * 86_400_000)

beforeAll(async () => {
  database = await openTestDatabase()
  store = databaseStore(database)
})
afterAll(() => database.close())

const exposure = (more: Partial<Exposure> = {}): Exposure => ({
  type: 'exposure',
  envId: randomUUID(),
  id: randomUUID(),
  ruleId: randomUUID(),
  variationId: randomUUID(),
  unit: 'user-1',
  at: now.getTime() - 1500,
  kind: 0,
  clamped: false,
  dimensions: null,
  ...more,
})
const tracked = (more: Partial<TrackedEvent> = {}): TrackedEvent => ({
  type: 'track',
  envId: randomUUID(),
  id: randomUUID(),
  eventKey: 'order_paid',
  unit: 'user-1',
  value: null,
  at: now.getTime(),
  kind: 0,
  clamped: false,
  ...more,
})
const rowsOf = async (table: 'exposures' | 'tracked_events', envId: string) => {
  const { rows } = await sql<{ id: string; batch: number; unit: string }>`
    select * from ${sql.table(table)} where env_id = ${envId} order by unit`.execute(database.db)
  return rows
}
const countOf = async (envId: string) => {
  const [exposures, events] = [await rowsOf('exposures', envId), await rowsOf('tracked_events', envId)]
  return exposures.length + events.length
}

test('a batch of both types is stored with all fields', async () => {
  const one = exposure({ unit: 'say "hi", {back\\slash} 你好', dimensions: '{"country":"NL","beta":true}', kind: 1 })
  const other = exposure({ envId: one.envId, ruleId: one.ruleId, unit: 'user-2', clamped: true })
  const sale = tracked({ envId: one.envId, value: 12.5, kind: 2 })
  const visit = tracked({ envId: one.envId, eventKey: 'visit "home"', unit: 'user-2' })
  expect(await store.append([one, sale, other, visit], now)).toEqual([true, true, true, true])
  const common = { env_id: one.envId, received_at: now, batch: await store.position() }
  expect(await rowsOf('exposures', one.envId)).toEqual([
    {
      ...common,
      id: one.id,
      rule_id: one.ruleId,
      variation_id: one.variationId,
      unit: one.unit,
      at: new Date(one.at),
      kind: 1,
      clamped: false,
      dimensions: { country: 'NL', beta: true },
    },
    {
      ...common,
      id: other.id,
      rule_id: one.ruleId,
      variation_id: other.variationId,
      unit: 'user-2',
      at: new Date(other.at),
      kind: 0,
      clamped: true,
      dimensions: null,
    },
  ])
  expect(await rowsOf('tracked_events', one.envId)).toMatchObject([
    { ...common, id: sale.id, event_key: 'order_paid', value: 12.5, kind: 2 },
    { ...common, id: visit.id, event_key: 'visit "home"', value: null, kind: 0 },
  ])
})

describe('an id counts once', () => {
  test('in a batch', async () => {
    const one = exposure()
    expect(await store.append([one, exposure({ envId: one.envId }), one], now)).toEqual([true, true, false])
    expect(await countOf(one.envId)).toBe(2)
  })

  test('in later batches, also as an event of the other type', async () => {
    const one = exposure()
    const next = exposure({ envId: one.envId })
    await store.append([one], now)
    const repeated = tracked({ envId: one.envId, id: one.id })
    expect(await store.append([repeated, next, one], now)).toEqual([false, true, false])
    expect(await countOf(one.envId)).toBe(2)
  })

  test('in batches at the same time, in any order', async () => {
    const envId = randomUUID()
    const events = Array.from({ length: 200 }, () => exposure({ envId }))
    const answers = await Promise.all(
      [0, 1, 2, 3].map((place) => store.append(place % 2 ? events : events.toReversed(), now)),
    )
    expect(answers.flat().filter(Boolean)).toHaveLength(200)
    expect(await countOf(envId)).toBe(200)
  })

  test('in its environment: others can use the same id', async () => {
    const [one, other] = [exposure(), exposure()]
    expect(await store.append([one, { ...other, id: one.id }], now)).toEqual([true, true])
    expect(await store.append([{ ...exposure(), id: one.id }], now)).toEqual([true])
  })

  test('for at least 7 days', async () => {
    const turn = (day: number) => database.db.transaction().execute((tx) => turnEventIds(tx, days(day - 7), days(day)))
    const one = exposure()
    expect(await turn(0)).toBe(false)
    await store.append([one], days(1))
    expect([await turn(6.9), await turn(7.1), await turn(14)]).toEqual([false, true, false])
    expect(await store.append([one], days(14))).toEqual([false])
    expect(await turn(14.2)).toBe(true)
    expect(await store.append([one], days(14.2))).toEqual([true])
  })
})

describe('the position', () => {
  test('grows with every batch', async () => {
    const before = await store.position()
    await store.append([exposure()], now)
    const between = await store.position()
    await store.append([tracked()], now)
    expect(between).toBeGreaterThan(before)
    expect(await store.position()).toBeGreaterThan(between)
  })

  test('of readers beside writers never passes a batch that they cannot see', async () => {
    const envId = randomUUID()
    const writers = Array.from({ length: 4 }, async () => {
      for (let turn = 0; turn < 10; turn += 1) await store.append([exposure({ envId })], now)
    })
    let read = 0
    let seen = 0
    const reader = async () => {
      const through = await store.position()
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from exposures
        where env_id = ${envId} and batch > ${read} and batch <= ${through}`.execute(database.db)
      read = through
      seen += rows[0]!.count
    }
    const written = Promise.all(writers)
    for (let turn = 0; turn < 15; turn += 1) await reader()
    await written
    await reader()
    expect(seen).toBe(40)
  })
})

test('deleting drops whole days that are past', async () => {
  const envId = randomUUID()
  for (const day of [20, 21, 22]) await store.append([exposure({ envId }), tracked({ envId })], days(day))
  expect(await store.deleteBefore(days(21.9))).toBeGreaterThan(0)
  expect(await countOf(envId)).toBe(2)
  expect(await store.deleteBefore(days(21.9))).toBe(0)
})

test('visitors are found and deleted in all pages of a day, whose exposures are read in bites', async () => {
  const at = days(3)
  const first = exposure({ unit: 'wanted', at: at.getTime() })
  const of = { envIds: [first.envId], units: ['wanted'] }
  await store.append([first], at)
  // Others fill more pages than one statement reads.
  await sql`
    insert into exposures select batch, gen_random_uuid(), env_id, rule_id, variation_id, 'other-' || n || repeat('x', 1000),
      at, received_at, kind, clamped, dimensions
    from exposures cross join generate_series(1, 2000) n where env_id = ${first.envId}`.execute(database.db)
  const last = { ...first, id: randomUUID(), ruleId: randomUUID() }
  await store.append([last], at)
  const { rows } = await sql<{ pages: number }>`
    select max((ctid::text::point)[0])::integer as pages from exposures where env_id = ${first.envId}`.execute(
    database.db,
  )
  expect(rows[0]!.pages).toBeGreaterThan(256)
  expect((await store.rulesExposedTo(of, going)).toSorted()).toEqual([first.ruleId, last.ruleId].toSorted())
  await store.deleteUnits(of, going)
  expect(await store.rulesExposedTo(of, going)).toEqual([])
  expect(await rowsOf('exposures', first.envId)).toHaveLength(2000)
})

test('an erasure that was stopped looks for nothing more, and deletes nothing more', async () => {
  const one = exposure({ at: days(4).getTime() })
  await store.append([one, tracked({ envId: one.envId, unit: one.unit })], days(4))
  const of = { envIds: [one.envId], units: [one.unit] }
  const stopped = AbortSignal.abort(new Error('stopped'))
  await expect(store.rulesExposedTo(of, stopped)).rejects.toThrow('stopped')
  await expect(store.deleteUnits(of, stopped)).rejects.toThrow('stopped')
  expect(await countOf(one.envId)).toBe(2)
})
