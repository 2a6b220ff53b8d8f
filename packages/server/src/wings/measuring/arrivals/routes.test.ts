import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayMs, standingClock } from '../../../../testing/clock.ts'
import { clickHouseForTest } from '../../../../testing/databases/clickhouse.ts'
import { succeed } from '../../../../testing/flags.ts'
import { proportion } from '../../../../testing/metrics.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { mostUnnamedKeys } from './arrivals.ts'
import { addArrivals, deleteOldArrivals } from './queries.ts'

const clock = standingClock()
let service: TestService
let project: TestProject
beforeAll(async () => {
  const clickHouse = await clickHouseForTest()
  service = await startTestService({
    ...(clickHouse && { settings: { SVC_CLICKHOUSE_URL: clickHouse } }),
    now: clock.now,
  })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await createProject(service)
})

const event = (eventKey: string, more: object = {}) => ({
  ...{ type: 'track', id: randomUUID(), ts: clock.now().getTime(), unit: 'u-1', eventKey },
  ...more,
})
async function send(...events: object[]): Promise<void> {
  const { sdkKey } = project.production
  expect((await service.call(null, 'POST', '/api/sdk/v1/events', { sdkKey, events })).status).toBe(202)
  await service.arrivals.save()
}
const read = (metric: string, environment = project.production.id) =>
  succeed(service, 'GET', `${project.path}/metrics/${metric}/envs/${environment}/activity`)
const today = () => clock.now().toISOString().slice(0, 10)
const rowsOf = async () => {
  const { rows } = await sql<{ key: string; events: number }>`
    select event_key as key, events::integer from arrived_events where env_id = ${project.production.id}
    order by event_key`.execute(service.db)
  return rows
}

test('a metric shows the events of each day, each once, and when the last one arrived', async () => {
  await succeed(service, 'POST', `${project.path}/metrics`, {
    ...{ ...proportion('per_visit'), type: 'RATIO', eventKey: 'order_paid', valueFrom: 'value' },
    denominator: { eventKey: 'visit' },
  })
  const empty = await read('per_visit')
  expect(empty).toMatchObject({ event: { eventKey: 'order_paid', lastAt: null }, figures: null })
  expect(empty.event.days).toHaveLength(30)
  const first = event('order_paid', { value: 20 })
  await send(first, event('order_paid', { value: 5 }), event('order_paid'), event('visit'), event('visit'))
  await send(first)
  clock.move(dayMs)
  await send(event('order_paid'), event('order_paid', { context: { userAgent: 'Googlebot/2.1' } }))
  const { event: told, denominator } = await read('per_visit', 'production')
  expect(told.lastAt).toBe(clock.now().toISOString())
  expect(told.days.slice(-2)).toEqual([
    expect.objectContaining({ events: 3, valued: 2, valueSum: 25 }),
    { day: today(), events: 1, valued: 0, valueSum: 0 },
  ])
  expect([denominator.eventKey, denominator.days.at(-2).events]).toEqual(['visit', 2])
  expect((await read('per_visit', project.development.id)).event.lastAt).toBeNull()
})

test('a metric of orders has no events of its own', async () => {
  await succeed(service, 'POST', `${project.path}/metrics`, { ...proportion('orders'), eventKey: 'order' })
  expect(await read('orders')).toMatchObject({ event: null, denominator: null })
})

test('keys that no metric names are counted up to a number of them, and others always', async () => {
  const of = (eventKey: string) => ({
    ...{ envId: project.production.id, eventKey, day: today(), events: 1, valued: 0, valueSum: 0 },
    lastAt: clock.now().getTime(),
  })
  const many = Array.from({ length: mostUnnamedKeys + 50 }, (_, place) => of(`made-up-${1000 + place}`))
  await addArrivals(service.db, many)
  expect(await rowsOf()).toHaveLength(mostUnnamedKeys)
  await succeed(service, 'POST', `${project.path}/metrics`, proportion('z_paid'))
  await addArrivals(service.db, [of('z_paid'), of('made-up-1000'), of('another')])
  const rows = await rowsOf()
  expect(rows).toHaveLength(mostUnnamedKeys + 1)
  expect(rows.find(({ key }) => key === 'made-up-1000')?.events).toBe(2)
  expect(rows.at(-1)).toEqual({ key: 'z_paid', events: 1 })
})

test('two nodes add up, and days that nobody is shown are deleted', async () => {
  const of = (events: number) => ({
    ...{ envId: project.production.id, eventKey: 'paid', day: today(), events, valued: 0, valueSum: 0 },
    lastAt: clock.now().getTime(),
  })
  await Promise.all([addArrivals(service.db, [of(2)]), addArrivals(service.db, [of(3)])])
  expect(await rowsOf()).toEqual([{ key: 'paid', events: 5 }])
  await deleteOldArrivals(service.db, clock.now(), 10_000)
  expect(await rowsOf()).toHaveLength(1)
  await deleteOldArrivals(service.db, new Date(clock.now().getTime() + dayMs), 10_000)
  expect(await rowsOf()).toEqual([])
})

test('a person without results sees no figures', async () => {
  await succeed(service, 'POST', `${project.path}/metrics`, proportion('paid'))
  const path = `${project.path}/metrics/paid/envs/production/activity`
  expect((await service.call(service.people.flagsRead, 'GET', path)).status).toBe(403)
})
