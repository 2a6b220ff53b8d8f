import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newExperiment } from '../../../../testing/experiments.ts'
import { abTest, addRule, newFlag, succeed, type TestFlag } from '../../../../testing/flags.ts'
import {
  createProject,
  metricsBearer,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../../testing/service.ts'
import { namedRules } from './queries.ts'

const url = '/api/sdk/v1/events'
const dayMs = 86_400_000
const batchesPerMinute = 200
let at = Date.parse('2026-11-23T12:00:00Z')
let service: TestService
let project: TestProject
let flag: TestFlag
let rule: { id: string; shortId: number }
let sdkKey: string

beforeAll(async () => {
  const settings = { SVC_RATE_LIMIT_EVENTS: String(batchesPerMinute) }
  service = await startTestService({ settings, now: () => new Date(at) })
  project = await createProject(service)
  flag = await newFlag(service, project, { key: 'checkout' })
  rule = await addRule(service, flag.production, abTest('Test'))
  await succeed(service, 'POST', `${flag.production}/run`)
  sdkKey = project.production.sdkKey
})
afterAll(() => service.close())

const exposure = (more: object = {}) => ({
  type: 'exposure',
  id: randomUUID(),
  ts: new Date(at).toISOString(),
  unit: 'u-17',
  flagKey: 'checkout',
  ruleId: String(rule.shortId),
  variationKey: 'on',
  ...more,
})
const sale = (more: object = {}) => ({
  type: 'track',
  id: randomUUID(),
  ts: at,
  unit: 'u-17',
  eventKey: 'order_paid',
  value: 49.9,
  ...more,
})
const send = (events: unknown, more: object = {}, headers: Record<string, string> = {}) =>
  service.call(null, 'POST', url, { sdkKey, events, ...more }, headers)
const rows = async (table: 'exposures' | 'tracked_events', ids: string[]) =>
  (
    await sql<Record<string, unknown>>`
    select * from ${sql.table(table)} where id = any(${ids}::uuid[])`.execute(service.db)
  ).rows
const metric = async (name: string) => {
  const { text } = await service.call(null, 'GET', '/metrics', undefined, metricsBearer)
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length) ?? 0,
  )
}

test('exposures and tracked events are stored, and each answer counts them', async () => {
  const [shown, paid] = [exposure({ context: { country: 'NL' } }), sale({ properties: { plan: 'pro' } })]
  const { status, body, headers } = await send([shown, paid, { ...shown, id: '' }])
  expect([status, headers['access-control-allow-origin']]).toEqual([202, '*'])
  expect(body).toEqual({
    accepted: 2,
    duplicates: 0,
    rejected: [
      { index: 2, code: 'validation_failed', message: 'id must be a text of 1 to 128 characters, such as a UUID.' },
    ],
  })
  expect(await rows('exposures', [shown.id])).toMatchObject([
    {
      env_id: project.production.id,
      rule_id: rule.id,
      variation_id: flag.ids.on,
      unit: 'u-17',
      at: new Date(at),
      received_at: new Date(at),
      kind: 0,
      clamped: false,
      dimensions: { country: 'NL' },
    },
  ])
  expect(await rows('tracked_events', [paid.id])).toMatchObject([
    { env_id: project.production.id, event_key: 'order_paid', unit: 'u-17', value: 49.9 },
  ])
  expect(JSON.stringify(await rows('tracked_events', [paid.id]))).not.toContain('plan')
})

test('a repeated event is a duplicate, in the same request and in a later one', async () => {
  const [one, other] = [exposure(), exposure()]
  expect((await send([one, one])).body).toMatchObject({ accepted: 1, duplicates: 1 })
  expect((await send([one, other])).body).toMatchObject({ accepted: 1, duplicates: 1 })
  expect(await rows('exposures', [one.id, other.id])).toHaveLength(2)
  expect((await send([])).body).toEqual({ accepted: 0, duplicates: 0, rejected: [] })
})

test('bots and overrides are stored as such', async () => {
  const [override, crawled, visitor] = [exposure({ reason: 'OVERRIDE' }), exposure(), exposure()]
  await send([override, visitor])
  await send([crawled], {}, { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' })
  const kinds = await rows('exposures', [override.id, crawled.id, visitor.id])
  expect(new Map(kinds.map(({ id, kind }) => [id, kind]))).toEqual(
    new Map([
      [override.id, 1],
      [crawled.id, 2],
      [visitor.id, 0],
    ]),
  )
})

test('a page can send events as text, and ask first', async () => {
  const text = JSON.stringify({ sdkKey, events: [sale()] })
  const sent = await service.call(null, 'POST', url, text, { 'content-type': 'text/plain;charset=UTF-8' })
  expect([sent.status, sent.headers['access-control-allow-origin']]).toEqual([202, '*'])
  const asked = await service.call(null, 'OPTIONS', url)
  expect([asked.status, asked.headers['access-control-allow-methods']]).toEqual([204, 'POST, OPTIONS'])
})

describe('a batch is refused', () => {
  test.each<[string, number, string, () => unknown]>([
    ['without a body', 400, 'The body must be an object with sdkKey and events.', () => undefined],
    ['that is a list', 400, 'sdkKey must be a text.', () => []],
    ['that is not JSON', 400, 'The body must be well-formed JSON in UTF-8.', () => '{'],
    ['that is not UTF-8', 400, 'The body must be well-formed JSON in UTF-8.', () => Buffer.from([34, 255, 34])],
    ['nested very deeply', 400, 'sdkKey must be a text.', () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['without an SDK key', 400, 'sdkKey must be a text.', () => ({ events: [] })],
    ['without events', 400, 'events must be a list of at most 500 events.', () => ({ sdkKey })],
    [
      'of 501 events',
      400,
      'events must be a list',
      () => ({ sdkKey, events: Array.from({ length: 501 }, () => sale()) }),
    ],
    ['with an unknown SDK key', 401, 'Unknown SDK key', () => ({ sdkKey: `sdk_${'x'.repeat(32)}`, events: [sale()] })],
    ['of more than 1 MiB', 413, 'larger than 1 MiB', () => ({ sdkKey, events: [], filler: 'x'.repeat(1024 * 1024) })],
  ])('%s', async (_what, status, message, body) => {
    const answer = await service.call(null, 'POST', url, body())
    expect([answer.status, Object.keys(answer.body)]).toEqual([status, ['error']])
    expect(answer.body.error).toContain(message)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  })

  test('that is neither JSON nor text', async () => {
    expect((await service.call(null, 'POST', url, '<a/>', { 'content-type': 'text/xml' })).status).toBe(415)
  })
})

test('hostile values are rejected or left out, and never fail the batch', async () => {
  const good = exposure()
  const context = JSON.parse(
    '{"__proto__":{"a":1},"constructor":"x","toString":"y","bad":"a\\u0000b","half":"\\ud800"}',
  )
  const hostile = exposure({ context, unit: '{"},\\,null' })
  const events = [
    good,
    hostile,
    ...['__proto__', 'constructor', '\0', '\ud800', '1; drop table exposures'].map((ruleId) => exposure({ ruleId })),
    ...['toString', '"'].map((variationKey) => exposure({ variationKey })),
    sale({ unit: '\ud800' }),
    sale({ value: -0 }),
  ]
  const { status, body } = await send(events)
  expect([status, body.accepted]).toEqual([202, 3])
  expect(body.rejected.map(({ index }: { index: number }) => index)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  expect(await rows('exposures', [hostile.id])).toMatchObject([
    { unit: '{"},\\,null', dimensions: { constructor: 'x', toString: 'y' } },
  ])
})

test('a key of one environment cannot count for rules of another', async () => {
  const strangers = await createProject(service)
  const theirs = await newFlag(service, strangers, { key: 'checkout' })
  const theirRule = await addRule(service, theirs.production, abTest('Theirs'))
  await addRule(service, theirs.production, abTest('More'))
  const inDevelopment = await addRule(service, flag.development, abTest('Development'))
  const named = [theirRule.id, inDevelopment.id, String(inDevelopment.shortId)]
  const { body } = await send(named.map((ruleId) => exposure({ ruleId })))
  expect(body).toMatchObject({ accepted: 0, rejected: named.map(() => ({ code: 'unknown_rule' })) })
  const development = await send([exposure()], { sdkKey: project.development.sdkKey })
  expect(development.body).toMatchObject({ accepted: 0, rejected: [{ code: 'unknown_rule' }] })
})

test('an id that another environment has used is new', async () => {
  const event = sale()
  await send([event])
  expect((await send([event], { sdkKey: project.development.sdkKey })).body).toMatchObject({ accepted: 1 })
})

test('a rule counts as soon as it runs, and its flag is evaluated', async () => {
  const fresh = await newFlag(service, project, { key: 'fresh' })
  const { shortId } = await addRule(service, fresh.production, abTest('Fresh'))
  await succeed(service, 'POST', `${fresh.production}/run`)
  const { body } = await send([exposure({ ruleId: String(shortId), flagKey: 'fresh' })])
  expect(body).toMatchObject({ accepted: 1 })
  const evaluated = async () =>
    (await succeed(service, 'GET', fresh.path)).environments.find(
      ({ envId }: { envId: string }) => envId === project.production.id,
    ).lastEvaluatedAt
  await expect.poll(evaluated).toBe(new Date(at).toISOString())
})

test('a node that starts after a roll-out takes the last exposures of the test that was replaced', async () => {
  const tested = await newFlag(service, project, { key: 'rolled-out' })
  await succeed(service, 'POST', `${tested.production}/run`)
  const { ruleId, path } = await newExperiment(service, project, tested)
  await succeed(service, 'POST', `${path}/launch`)
  const { shortId } = await succeed(service, 'GET', `${tested.production}/rules/${ruleId}`)
  await succeed(service, 'POST', `${path}/winner`, { variationKey: 'on', rollOut: true })
  const knownSince = async (since: number, flagKeys: string[] | null = null) => {
    const rules = await namedRules(service.db, project.production.id, { flagKeys, since: new Date(since) })
    return rules.find((each) => each.ruleId === ruleId)
  }
  const known = await knownSince(at - dayMs)
  expect(known).toMatchObject({ names: [String(shortId), ruleId], flagKey: 'rolled-out' })
  expect([...known!.variations.keys()]).toEqual(expect.arrayContaining(['off', 'on']))
  expect(await knownSince(at - dayMs, ['rolled-out'])).toEqual(known)
  expect(await knownSince(at - dayMs, ['checkout'])).toBeUndefined()
  expect(await knownSince(at + dayMs)).toBeUndefined()
})

test('operators see what became of events', async () => {
  const before = await metric('svc_events_total{outcome="accepted"}')
  const one = sale()
  await send([one, one, {}])
  expect(await metric('svc_events_total{outcome="accepted"}')).toBe(before + 1)
  expect(await metric('svc_events_rejected_total{code="validation_failed"}')).toBeGreaterThan(0)
  expect(await metric('svc_events_waiting')).toBe(0)
})

test('events past their retention are deleted by day', async () => {
  const [old, recent] = [sale(), exposure()]
  await send([old])
  at += 100 * dayMs
  await send([{ ...recent, ts: at }])
  await service.retention.run()
  expect(await rows('tracked_events', [old.id])).toEqual([])
  expect(await rows('exposures', [recent.id])).toHaveLength(1)
})

test('deleting a project deletes its events, and only its own', async () => {
  const gone = await createProject(service)
  const [theirs, ours] = [Array.from({ length: 3 }, () => sale()), sale()]
  await send(theirs, { sdkKey: gone.production.sdkKey })
  await send([ours])
  at += dayMs
  const nextDay = sale()
  await send([nextDay], { sdkKey: gone.production.sdkKey })
  const { key } = await succeed(service, 'GET', gone.path)
  await service.call(service.people.admin, 'DELETE', gone.path, undefined, { 'x-svc-confirm': key })
  await service.retention.run()
  const left = await rows(
    'tracked_events',
    [...theirs, ours, nextDay].map(({ id }) => id),
  )
  expect(left.map(({ id }) => id)).toEqual([ours.id])
})

describe('503 a batch that the database gave up is taken when it is sent again, once:', () => {
  const order = () => ({
    ...{ type: 'order', id: randomUUID(), ts: at, unit: 'u-17' },
    order: {
      ...{ orderId: randomUUID(), currency: 'EUR', total: '49.90' },
      items: [{ itemId: 'SKU-1', quantity: 1, price: '49.90' }],
    },
  })
  /** Each statement that writes these rows fails like this. */
  const failing = async (table: 'event_ids' | 'orders', code: string | null) => {
    await sql`drop trigger if exists failing on ${sql.table(table)}`.execute(service.db)
    if (code === null) return
    await sql`
      create or replace function failing() returns trigger language plpgsql as
      ${sql.lit(`begin raise exception 'as in a race' using errcode = '${code}'; end`)}`.execute(service.db)
    await sql`
      create trigger failing before insert on ${sql.table(table)} for each row execute function failing()`.execute(
      service.db,
    )
  }

  test.each([
    ['a deadlock', '40P01', 'event_ids'],
    ['a conflict', '40001', 'event_ids'],
    ['a lock that others held', '55P03', 'event_ids'],
    ['an environment that was deleted meanwhile', '23503', 'event_ids'],
    ['a deadlock of orders', '40P01', 'orders'],
    ['a project that was deleted meanwhile', '23503', 'orders'],
  ] as const)('%s', async (_what, code, table) => {
    const batch = [exposure({ unit: randomUUID() }), sale(), order()]
    await failing(table, code)
    const refused = await send(batch)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2'])
    await failing(table, null)
    const { status, body } = await send(batch)
    expect([status, body.accepted + body.duplicates, body.rejected]).toEqual([202, 3, []])
    expect((await send(batch)).body).toMatchObject({ accepted: 0, duplicates: 3 })
  })
})

test('an address that sends too many batches waits', async () => {
  let answer = await send(null)
  for (let turn = 0; answer.status === 400 && turn < batchesPerMinute; turn += 1) answer = await send(null)
  expect(answer.status).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(answer.headers['access-control-expose-headers']).toBe('Retry-After')
})
