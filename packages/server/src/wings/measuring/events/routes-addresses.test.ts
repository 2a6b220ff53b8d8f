import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs, standingClock } from '../../../../testing/clock.ts'
import { clickHouseForTest } from '../../../../testing/databases/clickhouse.ts'
import { abTest, addRule, newFlag, succeed } from '../../../../testing/flags.ts'
import { createProject, startTestService, type TestProject, type TestService } from '../../../../testing/service.ts'
import { refreshed } from '../../../../testing/watching.ts'
import { deleteOldShares, forgetSamples } from './addresses/queries.ts'

const clock = standingClock()
const day = clock.now().toISOString().slice(0, 10)
const ofPage = {
  origin: 'https://shop.example',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}
let service: TestService

beforeAll(async () => {
  const clickHouse = await clickHouseForTest()
  const settings = { SVC_TRUST_PROXY: 'true', ...(clickHouse && { SVC_CLICKHOUSE_URL: clickHouse }) }
  service = await startTestService({ settings, now: clock.now })
})
afterAll(() => service.close())

// A sample knows shares to 2 % and numbers to 5 %. What is expected here leaves room for more than four times that.

/** An A/B test that runs, in a project of its own. */
async function newTest() {
  const project = await createProject(service)
  const flag = await newFlag(service, project, { key: 'checkout' })
  const { id, shortId } = await addRule(service, flag.production, abTest('Test'))
  await succeed(service, 'POST', `${flag.production}/run`)
  return { project, id, shortId, path: `${flag.path}/rules/${id}/results` }
}
type Running = Awaited<ReturnType<typeof newTest>>

const post = ({ production: { sdkKey } }: TestProject, path: string, body: object, headers = {}) =>
  service.call(null, 'POST', path, { sdkKey, ...body }, headers)

/** New visitors from one address. */
async function visit(
  { project, shortId }: Running,
  ip: string,
  count: number,
  headers: object = ofPage,
): Promise<void> {
  const events = Array.from({ length: count }, (_, place) => ({
    ...{ type: 'exposure', id: randomUUID(), ts: clock.now().getTime(), unit: `visitor-${ip}-${place}` },
    ...{ ruleId: String(shortId), variationKey: place % 2 === 0 ? 'on' : 'off' },
  }))
  const { body } = await post(project, '/api/sdk/v1/events', { events }, { 'x-forwarded-for': ip, ...headers })
  expect(body).toMatchObject({ accepted: count })
}

/** 800 visitors from 40 networks. */
async function visitFromEverywhere(running: Running): Promise<void> {
  for (let network = 0; network < 40; network += 1) await visit(running, `198.51.${network}.7`, 20)
}

const beat = ({ project }: Running, sdkType: string) =>
  post(project, '/api/sdk/heartbeat', { sdkType, sdkVersion: '1.0.0', instanceId: randomUUID() })

async function checkOf({ path }: Running) {
  await service.addresses.save()
  clock.move(5 * minuteMs)
  const { health } = await refreshed(service, path)
  return health.checks.find(({ check }: { check: string }) => check === 'ADDRESS_SHARE')
}

const rowsOf = async ({ id }: Running) => {
  const { rows } = await sql<{ sample: [number, number][] | null; units: number; largest: number }>`
    select sample, units, largest from rule_addresses where rule_id = ${id} order by day`.execute(service.db)
  return rows
}

describe('results', () => {
  test('warn if one network brings many of the visitors of a day', async () => {
    const running = await newTest()
    await visitFromEverywhere(running)
    expect(await checkOf(running)).toBeUndefined()
    // Two addresses of one network, at two times.
    await visit(running, '203.0.114.5', 450)
    await service.addresses.save()
    await visit(running, '203.0.114.99', 350)
    const found = await checkOf(running)
    expect(found).toMatchObject({ status: 'WARNING', threshold: 0.2, day })
    expect(Math.abs(found.rate - 0.5)).toBeLessThan(0.1)
    expect(Math.abs(found.observed - 1_600)).toBeLessThan(400)
  })

  test('do not warn of visitors from many networks, also if a proxy in one network hides some', async () => {
    const running = await newTest()
    await visitFromEverywhere(running)
    for (let network = 0; network < 20; network += 1) await visit(running, `2a00:1450:${network}::1`, 40)
    await visit(running, '10.0.0.7', 400)
    const found = await checkOf(running)
    expect(found).toMatchObject({ status: 'OK' })
    expect(found.rate).toBeLessThan(0.1)
    expect(Math.abs(found.observed - 1_600)).toBeLessThan(400)
  })

  test.each<[string, string[], boolean]>([
    ['no SDK reports itself', [], false],
    ['an SDK of a server reports itself', ['browser', 'node'], false],
    ['all SDKs are in pages', ['browser'], true],
  ])('look at what programs send only where all SDKs are in pages: %s', async (_case, sdkTypes, looks) => {
    const running = await newTest()
    for (const sdkType of sdkTypes) await beat(running, sdkType)
    for (let part = 0; part < 3; part += 1) await visit(running, `192.88.${part}.1`, 500, {})
    const found = await checkOf(running)
    expect(found?.status).toBe(looks ? 'WARNING' : undefined)
    expect(await rowsOf(running)).toHaveLength(looks ? 1 : 0)
  })
})

test('what is stored has a fixed size and says neither who came nor from where, and ends with the day', async () => {
  const running = await newTest()
  for (let network = 0; network < 5; network += 1) await visit(running, `198.52.${network}.7`, 400)
  await service.addresses.save()
  const [row] = await rowsOf(running)
  expect(row!.sample).toHaveLength(500)
  for (const told of ['198.52', 'visitor-']) expect(JSON.stringify(row)).not.toContain(told)
  clock.move(2 * dayMs)
  await forgetSamples(service.db, new Date(clock.now().getTime() - dayMs), 1_000)
  expect(await rowsOf(running)).toEqual([{ sample: null, units: row!.units, largest: row!.largest }])
  expect(await checkOf(running)).toMatchObject({ day })
  clock.move(hourMs)
  await deleteOldShares(service.db, clock.now(), 1_000)
  expect(await rowsOf(running)).toEqual([])
})
