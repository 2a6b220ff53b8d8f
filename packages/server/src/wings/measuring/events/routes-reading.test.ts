import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clickHouseForTest, eventStoreOn } from '../../../../testing/databases/clickhouse.ts'
import { openTestDatabase, type TestDatabase } from '../../../../testing/databases/database.ts'
import type { EventStore, Exposure, Portion, Rows, TrackedEvent } from './store.ts'

// What snapshots need of a store. Each store passes these tests: `npm run test:clickhouse` runs them on ClickHouse.

let database: TestDatabase
let store: EventStore
const now = new Date('2026-11-23T12:00:00.000Z')
const days = (count: number) => new Date(now.getTime() + count * 86_400_000)
const start = { after: 0, through: Number.MAX_SAFE_INTEGER }

beforeAll(async () => {
  database = await openTestDatabase()
  store = eventStoreOn(database, await clickHouseForTest())
})
afterAll(() => database.close())

const envId = randomUUID()
const ofRule = () => ({ envId, ruleId: randomUUID() })
const common = () => ({ envId, id: randomUUID(), at: now.getTime() - 1500, clamped: false }) as const
const exposure = (ruleId: string, more: Partial<Exposure> = {}): Exposure => ({
  ...{ ...common(), type: 'exposure', ruleId, variationId: randomUUID(), unit: 'user-1', kind: 0, dimensions: null },
  ...more,
})
const tracked = (eventKey: string, more: Partial<TrackedEvent> = {}): TrackedEvent => ({
  ...{ ...common(), type: 'track', eventKey, unit: 'user-1', value: null, kind: 0 },
  ...more,
})
const rowsOf = async (rows: Rows) => (await sql<Record<string, unknown>>`${rows}`.execute(database.db)).rows
const unitsOf = async (portion: Portion | undefined) =>
  portion && (await rowsOf(portion.rows)).map(({ unit }) => unit).sort()

test('exposures of a rule are read with what decides about units', async () => {
  const { ruleId } = ofRule()
  const dimensions = '{"city": "it\'s \\"Köln\\""}'
  const one = exposure(ruleId, {
    ...{ unit: 'say "hi", \\it\'s {你好}', kind: 2, at: now.getTime() - 0.5 * 3_600_000, dimensions },
  })
  await store.append([one, exposure(randomUUID()), tracked(ruleId)], now)
  const portion = await store.exposuresAfter({ envId, ruleId }, start)
  expect(portion!.last).toBe(await store.position())
  const { unit, kind, at, id, variationId } = one
  expect(await rowsOf(portion!.rows)).toEqual([
    { unit, kind, at: new Date(at), id, variation_id: variationId, dimensions: JSON.parse(dimensions) },
  ])
})

test('tracked events of some keys are read if they count', async () => {
  const [paid, seen] = [randomUUID(), `it's "seen" ${randomUUID()}`]
  const events = [
    tracked(paid, { value: -12.5 }),
    tracked(seen, { unit: 'user-2' }),
    tracked(paid, { kind: 2 }),
    tracked('other'),
  ]
  await store.append(events, now)
  const portion = await store.trackedAfter({ envId, eventKeys: [paid, seen] }, start)
  const rows = await rowsOf(portion!.rows)
  expect(rows.sort((one, other) => (String(one.unit) < String(other.unit) ? -1 : 1))).toEqual([
    { unit: 'user-1', event_key: paid, at: new Date(events[0]!.at), value: -12.5 },
    { unit: 'user-2', event_key: seen, at: new Date(events[1]!.at), value: null },
  ])
})

describe('a reader', () => {
  test('continues after the last batch that it read', async () => {
    const { ruleId } = ofRule()
    const read = (after: number, through: number) => store.exposuresAfter({ envId, ruleId }, { after, through })
    await store.append([exposure(ruleId)], now)
    const first = await store.position()
    await store.append([exposure(ruleId, { unit: 'user-2' })], now)
    const second = await store.position()
    expect(second).toBeGreaterThan(first)
    expect(await unitsOf(await read(0, first))).toEqual(['user-1'])
    expect(await unitsOf(await read(first, second))).toEqual(['user-2'])
    expect(await read(second, second)).toBeUndefined()
  })

  test('gets each event once, however often and when it is sent again', async () => {
    const key = randomUUID()
    const one = tracked(key)
    const read = (after: number, through: number) => store.trackedAfter({ envId, eventKeys: [key] }, { after, through })
    expect(await store.append([one, one], now)).toEqual([true, false])
    const first = await store.position()
    await store.append([one, tracked(key, { unit: 'user-2' }), one], days(1))
    await store.append([one, tracked(key, { unit: 'user-3' })], days(2))
    const second = await store.position()
    expect(await unitsOf(await read(0, first))).toEqual(['user-1'])
    expect(await unitsOf(await read(first, second))).toEqual(['user-2', 'user-3'])
    expect(await unitsOf(await read(0, second))).toEqual(['user-1', 'user-2', 'user-3'])
  })

  test('beside writers gets every event once', async () => {
    const { ruleId } = ofRule()
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let turn = 0; turn < 10; turn += 1)
        await store.append([exposure(ruleId, { unit: `${writer}-${turn}` })], now)
    })
    let after = 0
    const seen: unknown[] = []
    const read = async () => {
      const through = await store.position()
      const portion = await store.exposuresAfter({ envId, ruleId }, { after, through })
      seen.push(...((await unitsOf(portion)) ?? []))
      after = through
    }
    const written = Promise.all(writers)
    for (let turn = 0; turn < 15; turn += 1) await read()
    await written
    await read()
    expect(seen).toHaveLength(40)
    expect(new Set(seen).size).toBe(40)
  })
})

test('what units did is found, up to a batch', async () => {
  const key = randomUUID()
  const sent = tracked(key, { unit: "it's me" })
  await store.append([sent, tracked(key, { unit: 'user-2' }), tracked('other', { unit: "it's me" })], now)
  await store.append([sent], now)
  const through = await store.position()
  await store.append([tracked(key, { unit: "it's me" })], now)
  const units = sql`select unit, ${days(-1)}::timestamptz as since from (values ('it''s me'), ('user-9')) told (unit)`
  const rows = await rowsOf(await store.trackedOfUnits({ envId, eventKeys: [key] }, units, through))
  expect(rows).toEqual([{ unit: "it's me", event_key: key, at: new Date(sent.at), value: null }])
})

test('what happened to products is found in a time, in the same order each time', async () => {
  const [viewed, added] = [randomUUID(), randomUUID()]
  const at = (minutes: number) => now.getTime() + minutes * 60_000
  const one = tracked(viewed, { at: at(-10), productId: 'it’s "17"' })
  await store.append([one, tracked(viewed), tracked('other', { productId: 'G1' })], now)
  await store.append([one, tracked(added, { at: at(-5), unit: 'user-2', productId: 'G2' })], days(1))
  await store.append([tracked(viewed, { at: at(-9), kind: 2, productId: 'G3' })], now)
  await store.append(
    [tracked(viewed, { at: at(0), productId: 'G4' }), tracked(viewed, { at: at(-11), productId: 'G5' })],
    now,
  )
  const through = await store.position()
  await store.append([tracked(viewed, { at: at(-8), productId: 'G6' })], now)
  const asked = { envId, eventKeys: [viewed, added], from: new Date(at(-10)), until: now, through }
  const found = async () => (await Array.fromAsync(store.happened(asked))).flat()
  expect(await found()).toEqual([
    { unit: 'user-1', eventKey: viewed, at: at(-10), productId: 'it’s "17"', orderId: null },
    { unit: 'user-2', eventKey: added, at: at(-5), productId: 'G2', orderId: null },
  ])
  expect(await found()).toEqual(await found())
})

test('days that are past can be deleted', async () => {
  const { ruleId } = ofRule()
  for (const day of [20, 21, 22]) await store.append([exposure(ruleId, { unit: `day-${day}` })], days(day))
  expect(await store.deleteBefore(days(21.9))).toBeGreaterThan(0)
  expect(await unitsOf(await store.exposuresAfter({ envId, ruleId }, start))).toEqual(['day-22'])
  expect(await store.deleteBefore(days(21.9))).toBe(0)
})
