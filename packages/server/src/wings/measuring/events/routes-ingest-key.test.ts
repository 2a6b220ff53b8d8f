import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { abTest, addRule, newFlag, succeed } from '../../../../testing/flags.ts'
import {
  createProject,
  metricsBearer,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'
import { newIngestSecret } from '../../../platform/ids.ts'

const at = Date.parse('2026-11-23T12:00:00Z')
const presented = ['absent', 'own', 'unknown', 'revoked', 'foreign', 'malformed', 'token'] as const
type Presented = (typeof presented)[number]

let service: TestService
let project: TestProject
let envPath: string
let ruleId: string
const secrets = {} as Record<Exclude<Presented, 'absent'>, string>

beforeAll(async () => {
  const settings = { SVC_RATE_LIMIT_EVENTS: '10000', SVC_RATE_LIMIT_OFREP: '10000' }
  service = await startTestService({ settings, now: () => new Date(at) })
  project = await createProject(service)
  envPath = `${project.path}/environments/${project.production.id}`
  const flag = await newFlag(service, project, { key: 'checkout' })
  const rule = await addRule(service, flag.production, abTest('Test'))
  await succeed(service, 'POST', `${flag.production}/run`)
  ruleId = String(rule.shortId)
  const newKey = (path = envPath) => succeed(service, 'POST', `${path}/ingest-keys`)
  const { id, secret } = await newKey()
  await succeed(service, 'DELETE', `${envPath}/ingest-keys/${id}`)
  Object.assign(secrets, {
    own: (await newKey()).secret,
    unknown: newIngestSecret(),
    revoked: secret,
    foreign: (await newKey(`${project.path}/environments/${project.development.id}`)).secret,
    malformed: 'svc_ing_short',
    token: service.people.admin,
  })
})
afterAll(() => service.close())
beforeEach(() => require('NONE'))

const require = (ingestKeyRequiredFor: string) => succeed(service, 'PATCH', envPath, { ingestKeyRequiredFor })
const exposure = () => ({ type: 'exposure', id: randomUUID(), ts: at, unit: 'u-17', ruleId, variationKey: 'on' })
const sale = () => ({ type: 'track', id: randomUUID(), ts: at, unit: 'u-17', eventKey: 'order_paid', value: 49.9 })
const headersOf = (key: Presented): Record<string, string> =>
  key === 'absent' ? {} : { authorization: `Bearer ${secrets[key]}` }
const send = (key: Presented, events: object[]) =>
  service.call(null, 'POST', '/api/sdk/v1/events', { sdkKey: project.production.sdkKey, events }, headersOf(key))
const storedOf = async (table: 'exposures' | 'tracked_events', ids: string[]) =>
  (await sql`select from ${sql.table(table)} where id = any(${ids}::uuid[])`.execute(service.db)).rows.length
const rejectedCount = async () => {
  const { text } = await service.call(null, 'GET', '/metrics', undefined, metricsBearer)
  return Number(/svc_events_rejected_total\{code="ingest_key_required"\} (\d+)/.exec(text)?.[1] ?? 0)
}

/** How many exposures and tracked events of a batch with two of each are stored without a key. */
const storedWithout = { NONE: [2, 2], TRACKED_EVENTS: [2, 0], ALL: [0, 0] } as const

const cases = Object.keys(storedWithout).flatMap((requiredFor) =>
  presented.map((key) => [requiredFor as keyof typeof storedWithout, key] as const),
)

test.each(cases)('with %s and a key that is %s', async (requiredFor, key) => {
  await require(requiredFor)
  const events = [exposure(), sale(), exposure(), sale()]
  const ids = events.map(({ id }) => id)
  const before = await rejectedCount()
  const { status, body, text, headers } = await send(key, events)
  const stored = [await storedOf('exposures', ids), await storedOf('tracked_events', ids)]
  expect(headers['access-control-allow-origin']).toBe('*')
  if (key !== 'absent' && key !== 'own' && key !== 'token') {
    expect([status, stored]).toEqual([401, [0, 0]])
    expect(body.error).toMatch(/^The ingest key is not one of this environment/)
    expect(text).not.toContain(secrets[key])
    expect(await rejectedCount()).toBe(before)
    return
  }
  const [shown, paid] = key === 'own' ? [2, 2] : storedWithout[requiredFor]
  expect([status, stored]).toEqual([202, [shown, paid]])
  const rejected = events.flatMap(({ type }, index) =>
    (type === 'exposure' ? shown : paid) === 0 ? [{ index, code: 'ingest_key_required' }] : [],
  )
  expect(body).toEqual({
    accepted: shown + paid,
    duplicates: 0,
    rejected: rejected.map((each) => ({ ...each, message: expect.stringContaining('Bearer svc_ing_…') })),
  })
  expect(await rejectedCount()).toBe(before + rejected.length)
})

test.each(['NONE', 'TRACKED_EVENTS', 'ALL'] as const)(
  'with %s, orders alone need a key as tracked events do',
  async (of) => {
    await require(of)
    const order = () => ({
      orderId: randomUUID(),
      currency: 'EUR',
      total: '5',
      items: [{ itemId: 'A', quantity: 1, price: 5 }],
    })
    const common = () => ({ id: randomUUID(), ts: at, unit: 'u-17' })
    const orders = [
      { type: 'order', ...common(), order: order() },
      { type: 'track', ...common(), eventKey: 'order', properties: order() },
    ]
    expect((await send('foreign', orders)).status).toBe(401)
    const accepted = of === 'NONE' ? 2 : 0
    const absent = await send('absent', orders)
    expect(absent.body).toMatchObject({ accepted, duplicates: 0 })
    expect(absent.body.rejected.map(({ code }: { code: string }) => code)).toEqual(
      accepted === 0 ? ['ingest_key_required', 'ingest_key_required'] : [],
    )
    expect((await send('own', orders)).body).toEqual({ accepted: 2 - accepted, duplicates: accepted, rejected: [] })
  },
)

test('a rejected event counts when it is sent again with the key', async () => {
  await require('ALL')
  const events = [exposure()]
  expect((await send('absent', events)).body.accepted).toBe(0)
  expect((await send('own', events)).body.accepted).toBe(1)
})

test('the last event that had no key is noted on its environment, to the minute', async () => {
  const missedAt = async (path: string) => {
    await succeed(service, 'GET', `${envPath}/ingest-keys`)
    return (await succeed(service, 'GET', path)).ingestKeyMissedAt
  }
  await require('TRACKED_EVENTS')
  await send('absent', [sale()])
  expect(await missedAt(envPath)).toBe(new Date(at).toISOString())
  expect(await missedAt(`${project.path}/environments/${project.development.id}`)).toBeNull()
})

test('the list shows who used a key last', async () => {
  await send('own', [sale()])
  const [key] = await succeed(service, 'GET', `${envPath}/ingest-keys`)
  expect(key).toMatchObject({ lastUsedAt: new Date(at).toISOString(), lastUsedIp: '127.0.0.1' })
  expect(key.lastCharacters).toBe(secrets.own.slice(-4))
})

test('scripts of other origins cannot send the header with events', async () => {
  const { headers } = await service.call(null, 'OPTIONS' as 'POST', '/api/sdk/v1/events')
  expect(headers['access-control-allow-headers']).toBe('Content-Type')
})

test.each([
  ['NONE', 'absent', 1],
  ['TRACKED_EVENTS', 'absent', 1],
  ['ALL', 'absent', 0],
  ['ALL', 'own', 1],
  ['ALL', 'unknown', 0],
  ['ALL', 'revoked', 0],
  ['ALL', 'foreign', 0],
  ['ALL', 'malformed', 0],
] as const)(
  'OFREP evaluates with %s and a key that is %s, and counts %i visitors',
  async (requiredFor, key, counted) => {
    await require(requiredFor)
    const unit = `${requiredFor}-${key}`
    const before = await rejectedCount()
    const headers = { 'x-api-key': project.production.sdkKey, ...headersOf(key) }
    const evaluate = (flag: string) =>
      service.call(null, 'POST', `/ofrep/v1/evaluate/flags${flag}`, { context: { targetingKey: unit } }, headers)
    const one = await evaluate('/checkout')
    expect([one.status, one.body.reason]).toEqual([200, 'SPLIT'])
    const all = await evaluate('')
    expect(all.body.flags.map(({ value }: { value: boolean }) => value)).toEqual([one.body.value])
    expect((await rejectedCount()) - before).toBe(1 - counted)
    // Exposures are stored in order. This one is sent after it and counts in any case.
    await require('NONE')
    const last = randomUUID()
    await service.call(null, 'POST', '/ofrep/v1/evaluate/flags/checkout', { context: { targetingKey: last } }, headers)
    const countOf = async (of: string) =>
      (await sql`select from exposures where unit = ${of}`.execute(service.db)).rows.length
    await expect.poll(() => countOf(last)).toBe(1)
    expect(await countOf(unit)).toBe(counted)
  },
)
