import type { Rule } from '@svc/core'
import { expect, it, vi } from 'vitest'
import { clientOfTest, serviceOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { answerNever, answerStatus, answerWith } from '../test/service.ts'
import type { ClientOptions } from './client-options.ts'

const split = [
  { variation: 'off', end: 5_000 },
  { variation: 'on', end: 10_000 },
]
const tested: Rule = { id: '7', type: 'AB_TEST', salt: 'rule-a', split, overrides: { qa: 'on' } }
const perAccount: Rule = { ...tested, id: '8', bucketBy: ['account.id'] }
const delivery: Rule = { id: '9', type: 'TARGETED_DELIVERY', salt: 's', variation: 'on' }
const file = datafileOf(5, {
  tested: flagOf(false, { rules: [tested] }),
  account: flagOf(false, { rules: [perAccount] }),
  rollout: flagOf(false, { rules: [delivery] }),
  counted: flagOf(false, { rules: [{ ...delivery, id: '10', exposures: true }] }),
  plain: flagOf(true),
})
const ada = { targetingKey: 'ada', country: 'NL', account: { id: 'acme' } }
const sendAfterMs = 5_000

async function start(options: Partial<ClientOptions> = {}, sdkType: 'node' | 'browser' = 'node') {
  const service = await serviceOfTest(answerWith(file))
  const running = clientOfTest({ baseUrl: service.baseUrl, ...options }, { random: Math.random, sdkType })
  await running.client.ready
  return { service, ...running, batches: () => service.events.map(({ events }) => events) }
}

it('sends an exposure for each answer of a rule that counts, once for a visitor', async () => {
  const { client, service } = await start()
  for (let i = 0; i < 3; i++)
    for (const key of ['tested', 'rollout', 'counted', 'plain', 'account', 'unknown'])
      client.getBoolean(key, false, ada)
  client.getDetails('tested', false, { targetingKey: 'qa' })
  client.getBoolean('counted', false)
  // Without an id, nobody can be told from others.
  for (const targetingKey of ['', null])
    for (const key of ['tested', 'counted']) client.getBoolean(key, false, { targetingKey } as never)
  await client.flush()
  const [sent] = service.events
  expect(sent?.sdkKey).toBe('sdk_1')
  expect(sent?.events.map(({ type, unit, flagKey, ruleId, reason }) => [type, unit, flagKey, ruleId, reason])).toEqual([
    ['exposure', 'ada', 'tested', '7', 'SPLIT'],
    ['exposure', 'ada', 'counted', '10', 'TARGETING_MATCH'],
    ['exposure', 'acme', 'account', '8', 'SPLIT'],
    ['exposure', 'qa', 'tested', '7', 'OVERRIDE'],
  ])
  expect(sent?.events[0]).toMatchObject({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    ts: '2026-11-20T00:00:00.000Z',
    variationKey: client.peekDetails('tested', false, ada).variationKey,
    context: {},
  })
})

it('counts a visitor again in the next session', async () => {
  const { client, time, batches } = await start()
  client.getBoolean('tested', false, ada)
  await client.flush()
  time.advance(30 * 60_000)
  client.getBoolean('tested', false, ada)
  await client.flush()
  expect(batches().flat()).toHaveLength(2)
})

it('counts nobody who is only peeked at, and nobody by getAllDetails', async () => {
  const { client, service } = await start()
  expect(client.peekBoolean('tested', false, ada)).toBe(client.getAllDetails(ada).get('tested')?.value)
  expect(client.peekString('plain', 'x', ada)).toBe('x')
  expect(client.peekNumber('plain', 4, ada)).toBe(4)
  expect(client.peekJson('plain', null, ada)).toBe(null)
  await client.flush()
  expect(service.events).toEqual([])
})

it('sends only the dimensions that the options name', async () => {
  const { client, batches } = await start({ dimensions: ['country', 'plan', '__proto__'] })
  client.getBoolean('tested', false, ada)
  await client.flush()
  expect(batches()[0]?.[0]?.context).toEqual({ country: 'NL' })
})

it('sends tracked events with value and properties, 5 s after the first', async () => {
  const { client, time, service } = await start()
  client.track('order_paid', { context: ada, value: 49.9, properties: { items: 2 } })
  client.track('seen', { context: { targetingKey: 17 as never } })
  time.advance(sendAfterMs - 1)
  expect(service.events).toEqual([])
  time.advance(1)
  await vi.waitUntil(() => service.events.length === 1)
  expect(service.events[0]?.events).toEqual([
    expect.objectContaining({
      type: 'track',
      unit: 'ada',
      eventKey: 'order_paid',
      value: 49.9,
      properties: { items: 2 },
    }),
    expect.objectContaining({ type: 'track', unit: '17', eventKey: 'seen' }),
  ])
})

it.each([
  ['no visitor', 'paid', {}],
  ['no key', '', { context: ada }],
  ['a key of another type', null, { context: ada }],
])('sends nothing for a tracked event with %s, and says so', async (_name, key, options) => {
  const { client, service, warnings } = await start()
  client.track(key as string, options)
  await client.flush()
  expect(service.events).toEqual([])
  expect(warnings).toEqual(['Svc: track needs the key of an event and a targetingKey'])
})

it('sends at once when 50 events wait, in batches of at most 500', async () => {
  const { client, time, batches } = await start()
  const track = (count: number) => {
    for (let i = 0; i < count; i++) client.track('seen', { context: ada })
  }
  track(50)
  time.advance(0)
  await vi.waitUntil(() => batches().length === 1)
  await client.flush()
  track(700)
  await client.flush()
  expect(batches().map((events) => events.length)).toEqual([50, 500, 200])
})

it('keeps the last 1,000 events and counts those that it drops', async () => {
  const { client, service, warnings, batches } = await start()
  service.eventsAnswer = answerStatus(503)
  for (let i = 0; i < 1_003; i++) client.track('seen', { context: ada, value: i })
  expect(client.droppedEvents).toBe(3)
  expect(warnings).toEqual(['Svc: too many events wait: the oldest are dropped'])
  await client.flush()
  expect(batches()[0]?.[0]?.value).toBe(3)
})

it.each([
  ['a refusal that passes', answerStatus(429, '', { 'retry-after': '60' }), 60_000],
  ['a fault of the service', answerStatus(503), 10_000],
  ['no answer', answerNever, 10_000],
])('sends the same events with the same ids after %s, later each time', async (_name, answer, afterMs) => {
  const { client, service, time, warnings, batches } = await start({
    requestTimeoutMs: 1_000,
    pollIntervalMs: 3_600_000,
  })
  service.eventsAnswer = answer
  client.track('order_paid', { context: ada })
  const first = client.flush()
  await vi.waitUntil(() => batches().length === 1)
  if (answer === answerNever) time.advance(1_000)
  await first
  expect(warnings).toEqual(['Svc: events are kept and sent again'])
  service.eventsAnswer = answerStatus(202, '{"accepted":1,"duplicates":0,"rejected":[]}')
  client.track('seen', { context: ada })
  const [next] = time.pending()
  expect(next?.delayMs).toBeGreaterThanOrEqual(afterMs * 0.8)
  expect(next?.delayMs).toBeLessThanOrEqual(afterMs * 1.2)
  time.advance((next?.dueMs ?? 0) - time.platform.now())
  await client.flush()
  expect(batches()[1]?.[0]).toEqual(batches()[0]?.[0])
  await client.flush()
  expect(batches().map((events) => events.length)).toEqual([1, 2])
})

it('drops a batch that the service refuses, and says so', async () => {
  const { client, service, warnings } = await start()
  service.eventsAnswer = answerStatus(400, '{"error":"no"}')
  client.track('order_paid', { context: ada })
  await client.flush()
  await client.flush()
  expect(service.events).toHaveLength(1)
  expect(warnings).toEqual(['Svc: events are refused: HTTP 400'])
})

it('sends nothing before consent, then what waited; and forgets what waits when consent ends', async () => {
  const { client, time, batches } = await start({ tracking: false })
  client.getBoolean('tested', false, ada)
  client.track('order_paid', { context: ada })
  time.advance(60_000)
  await client.flush()
  expect(batches()).toEqual([])
  client.setTracking(true)
  await client.flush()
  expect(batches()[0]?.map(({ type }) => type)).toEqual(['exposure', 'track'])
  client.track('order_paid', { context: ada })
  client.setTracking(false)
  client.setTracking(true)
  await client.flush()
  expect(batches()).toHaveLength(1)
  client.getBoolean('tested', false, ada)
  await client.flush()
  expect(batches()[1]).toHaveLength(1)
})

it('sends nothing offline', async () => {
  const service = await serviceOfTest(answerWith(file))
  const { client, sent } = clientOfTest({ baseUrl: service.baseUrl, offline: true, bootstrap: file })
  client.getBoolean('tested', false, ada)
  client.track('order_paid', { context: ada })
  client.setTracking(true)
  await client.close()
  expect(sent).toEqual([])
})

it('sends what waits when the page is hidden, in a request that outlives it', async () => {
  const requests: RequestInit[] = []
  const { client, time, service } = await start(
    {
      fetch: (url, init) => {
        if (String(url).endsWith('/events')) requests.push(init ?? {})
        return fetch(url, init)
      },
    },
    'browser',
  )
  time.hide()
  expect(requests).toEqual([])
  client.getBoolean('tested', false, ada)
  time.hide()
  expect(requests).toEqual([expect.objectContaining({ keepalive: true })])
  expect(requests[0]).not.toHaveProperty('headers')
  await vi.waitUntil(() => service.events.length === 1)
})

it('sends what waits when it is closed, and nothing afterwards', async () => {
  const { client, time, batches } = await start()
  client.track('order_paid', { context: ada })
  await client.close()
  client.track('order_paid', { context: ada })
  client.getBoolean('tested', false, ada)
  time.hide()
  time.advance(60_000)
  await client.close()
  expect(batches().map((events) => events.length)).toEqual([1])
  expect(time.pending()).toEqual([])
})

it('neither throws nor holds up other events for what cannot be sent as JSON', async () => {
  const { client, batches, warnings } = await start({ dimensions: ['country'] })
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  client.track('cyclic', { context: ada, properties: cyclic })
  client.track('large', { context: ada, properties: { total: 10n } })
  client.track('nothing', null as never)
  expect(client.getBoolean('counted', false, { targetingKey: 'bob', country: 10n })).toBe(true)
  const properties = { size: 1 }
  client.track('good', { context: ada, properties })
  properties.size = 2
  await client.flush()
  expect(batches().flat()).toEqual([expect.objectContaining({ eventKey: 'good', properties: { size: 1 } })])
  expect(warnings).toHaveLength(4)
})

it('sends at most what a browser accepts when the page is hidden, in bytes too', async () => {
  const bodies: unknown[] = []
  const { client, time } = await start(
    {
      fetch: (url, init) => {
        if (init?.keepalive && String(url).endsWith('/events')) bodies.push(init.body)
        return fetch(url, init)
      },
    },
    'browser',
  )
  for (let i = 0; i < 40; i++) client.track('note', { context: ada, properties: { text: '\u20ac'.repeat(1_000) } })
  time.hide()
  expect(bodies).toHaveLength(1)
  expect(JSON.parse(bodies[0] as string).events).toHaveLength(10)
  expect(Buffer.byteLength(bodies[0] as string)).toBeLessThan(64 * 1024)
  await client.flush()
})
