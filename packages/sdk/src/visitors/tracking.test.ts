import type { Rule } from '@svc/core'
import { describe, expect, it, vi } from 'vitest'
import { clientOfTest, serviceOfTest } from '../../test/client.ts'
import { datafileOf, flagOf } from '../../test/datafile.ts'
import type { Answer } from '../../test/service.ts'
import { answerNever, answerStatus, answerWith } from '../../test/service.ts'
import type { ClientOptions } from '../client-options.ts'

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
  expect(warnings).toEqual(['Svc: track needs an event key and a targetingKey'])
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
  ['a refusal for 317 years', answerStatus(429, '', { 'retry-after': '9999999999' }), 3_600_000],
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
  time.show()
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

describe('A1 what JSON cannot write', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  const throwing = {
    get read() {
      throw new Error('no')
    },
  }
  const inMoney = { toJSON: () => '49.90' }
  const kept: [name: string, fact: unknown, sent: unknown][] = [
    ['a BigInt', 10n, 10],
    ['a BigInt that a number cannot hold', 12345678901234567890n, '12345678901234567890'],
    ['BigInts in a list', [1n, { size: 2n }], [1, { size: 2 }]],
    ['what writes itself', inMoney, '49.90'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['NaN', Number.NaN, undefined],
    ['infinity', -Infinity, undefined],
    ['nothing', undefined, undefined],
    ['a function', () => 1, undefined],
    ['a symbol', Symbol('x'), undefined],
    ['a cycle', cyclic, undefined],
    ['an object that throws', throwing, undefined],
    ['an object that throws to JSON', { toJSON: () => throwing.read }, undefined],
  ]

  it.each(kept)('sends an event with %s as a property and as a dimension', async (_name, fact, sent) => {
    const { client, batches, warnings } = await start({ dimensions: ['fact', 'country'] })
    client.getBoolean('counted', false, { ...ada, fact })
    client.getBoolean('counted', false, { ...ada, fact })
    client.track('paid', { context: ada, value: 5, properties: { fact, size: 1 } })
    client.track('paid', { context: ada, properties: { fact } })
    await client.flush()
    const [exposure, paid, again, ...others] = batches().flat()
    const own = sent === undefined ? {} : { fact: sent }
    expect([exposure?.context, paid?.properties, paid?.value, again?.properties]).toEqual([
      { ...own, country: 'NL' },
      { ...own, size: 1 },
      5,
      own,
    ])
    expect(others).toEqual([])
    expect(warnings.length).toBeLessThanOrEqual(1)
  })

  it.each([
    [49.9, 49.9],
    [0, 0],
    [10n, 10],
    [undefined, undefined],
    [null, undefined],
  ])('takes the value %s without a warning', async (value, sent) => {
    const { client, batches, warnings } = await start()
    client.track('paid', { context: ada, value: value as number })
    await client.flush()
    expect([batches()[0]?.[0]?.value, warnings]).toEqual([sent, []])
  })

  it.each([['49.90'], [Number.NaN], [Infinity], [true], [{}], [[5]], [new Date(0)], [Symbol('x')]])(
    'R18 leaves out the value %s, says so at once and once, and sends the event',
    async (value) => {
      const { client, batches, warnings } = await start()
      client.track('paid', { context: ada, value: value as number })
      client.track('paid', { context: ada, value: value as number })
      expect(warnings).toEqual(['Svc: value is left out of an event'])
      await client.flush()
      expect(batches()[0]).toHaveLength(2)
      expect(batches()[0]?.[0]).not.toHaveProperty('value')
    },
  )

  it('sends facts of any name as they were at that time', async () => {
    const { client, batches } = await start()
    const properties: Record<string, unknown> = JSON.parse('{"__proto__": 1, "size": 1}')
    client.track('paid', { context: ada, properties })
    properties.size = 2
    client.track('paid', { context: ada, properties: 'no object' as never })
    client.track('paid', null as never)
    await client.flush()
    expect(JSON.stringify(batches()[0]?.[0]?.properties)).toBe('{"__proto__":1,"size":1}')
    expect(batches()[0]).toHaveLength(2)
  })

  it('counts a visitor as seen only once the event waits', async () => {
    let isBroken = false
    const service = await serviceOfTest(answerWith(file))
    const { client, warnings } = clientOfTest(
      { baseUrl: service.baseUrl },
      {
        random: () => {
          if (isBroken) throw new Error('no randomness')
          return 0.5
        },
      },
    )
    await client.ready
    await vi.waitUntil(() => client.status === 'ready')
    isBroken = true
    client.getBoolean('counted', false, ada)
    expect(warnings).toEqual(['Svc: an event cannot be sent'])
    isBroken = false
    client.getBoolean('counted', false, ada)
    await client.flush()
    expect(service.events.flatMap(({ events }) => events)).toHaveLength(1)
  })
})

describe('R17 batches in bytes', () => {
  const large = { text: 'x'.repeat(4_096) }
  const limited =
    (mostBytes: number): Answer =>
    (request, response) => {
      const isTooMuch = Number(request.headers['content-length']) > mostBytes
      answerStatus(isTooMuch ? 413 : 202, '{"accepted":1,"duplicates":0,"rejected":[]}')(request, response)
    }
  const sizeOf = (sent: unknown) => Buffer.byteLength(JSON.stringify(sent))

  it.each([
    ['the service', 500, 1_048_576],
    ['a proxy', 500, 100_000],
    ['a strict proxy', 20, 10_000],
  ])('sends all events with 4 KB of properties through the limit of %s', async (_name, count, mostBytes) => {
    const { client, service } = await start()
    service.eventsAnswer = limited(mostBytes)
    for (let i = 0; i < count; i++) client.track('seen', { context: { targetingKey: `u-${i}` }, properties: large })
    await client.flush()
    const taken = service.events.filter((sent) => sizeOf(sent) <= mostBytes).flatMap(({ events }) => events)
    expect(new Set(taken.map(({ unit }) => unit)).size).toBe(count)
    expect([taken.length, client.droppedEvents]).toEqual([count, 0])
  })

  it('gives up an event that nobody takes, and counts it', async () => {
    const { client, service, warnings, batches } = await start()
    service.eventsAnswer = limited(3_000)
    client.track('small', { context: ada })
    client.track('large', { context: ada, properties: large })
    client.track('small', { context: ada })
    await client.flush()
    const taken = batches().filter((events) => events.every(({ eventKey }) => eventKey === 'small'))
    expect([taken.flat().length, client.droppedEvents]).toEqual([2, 1])
    expect(warnings).toEqual(['Svc: events are refused: HTTP 413'])
    await client.flush()
    expect(taken).toHaveLength(2)
  })

  it('sends at once when 30 KB wait', async () => {
    const { client, time, batches } = await start()
    for (let i = 0; i < 8; i++) client.track('seen', { context: ada, properties: large })
    time.advance(0)
    await vi.waitUntil(() => batches().length === 1)
    await client.flush()
    expect(batches()[0]).toHaveLength(8)
  })
})

describe('R18 rejected events', () => {
  it.each([1, 500])('tells of the first rejection in an answer and counts all of %i', async (count) => {
    const { client, service, warnings, batches } = await start()
    const rejected = Array.from({ length: count }, (_, index) => ({ index, code: 'invalid', message: 'unit is long' }))
    service.eventsAnswer = answerStatus(202, JSON.stringify({ accepted: 1, duplicates: 0, rejected }))
    for (let i = 0; i < 500; i++) client.track('seen', { context: ada })
    await client.flush()
    expect(warnings).toEqual([`Svc: events are rejected (${count}), the first with invalid`])
    expect([client.droppedEvents, batches().length]).toEqual([count, 1])
  })

  it.each(['', 'garbage', 'null', '{"accepted":1}', '{"rejected":7}'])('takes %j for an answer', async (body) => {
    const { client, service, warnings, batches } = await start()
    service.eventsAnswer = answerStatus(202, body)
    client.track('seen', { context: ada })
    await client.flush()
    await client.flush()
    expect([batches().length, client.droppedEvents, warnings]).toEqual([1, 0, []])
  })
})

describe('the ingest key', () => {
  const ingestKey = 'svc_ing_0123456789'

  it('is in requests with events, and in no other', async () => {
    const { client, service } = await start({ ingestKey })
    client.track('order_paid', { context: ada })
    await client.flush()
    await client.refresh()
    expect(service.eventKeys).toEqual([`Bearer ${ingestKey}`])
    const others = [...service.requests, ...service.heartbeats]
    expect(others.length).toBeGreaterThan(1)
    for (const { headers } of others) expect(headers.authorization).toBe(undefined)
    expect(JSON.stringify(service.events)).not.toContain('0123456789')
  })

  it('that the service refuses keeps the events, and they count when it is accepted', async () => {
    const { client, service, warnings, batches } = await start({ ingestKey })
    service.eventsAnswer = answerStatus(401, '{"error":"no"}')
    client.track('order_paid', { context: ada })
    await client.flush()
    await client.flush()
    expect(warnings).toEqual(['Svc: the service refuses the ingest key or the SDK key: events are kept and sent again'])
    service.eventsAnswer = answerStatus(202)
    await client.flush()
    expect(batches()).toHaveLength(3)
    expect(batches()[2]).toEqual(batches()[0])
    expect(client.droppedEvents).toBe(0)
  })

  it('that is refused is told once, also after other failures, until events are taken again', async () => {
    const { client, service, warnings } = await start({ ingestKey })
    const kept = 'Svc: events are kept and sent again'
    const refused = 'Svc: the service refuses the ingest key or the SDK key: events are kept and sent again'
    const told = async (...statuses: number[]) => {
      warnings.splice(0)
      client.track('order_paid', { context: ada })
      for (const status of statuses) {
        service.eventsAnswer = answerStatus(status)
        await client.flush()
      }
      return [...warnings]
    }
    expect(await told(503, 503, 401, 401, 503, 401, 202)).toEqual([kept, refused])
    expect(await told(401, 503, 401, 202)).toEqual([refused])
    expect(await told(503, 401, 202)).toEqual([kept, refused])
  })

  it('that stays refused loses the oldest events, which are counted', async () => {
    const { client, service, warnings } = await start({ ingestKey })
    service.eventsAnswer = answerStatus(401)
    for (let i = 0; i < 1_002; i++) client.track('order_paid', { context: ada })
    await client.flush()
    expect(client.droppedEvents).toBe(2)
    expect(warnings).toHaveLength(2)
  })

  it('is refused in a page, without being shown', async () => {
    const make = () => clientOfTest({ ingestKey }, { sdkType: 'browser' })
    expect(make).toThrow(TypeError)
    expect(make).toThrow('ingestKey is secret and must not be in a page')
    expect(make).not.toThrow('0123456789')
  })

  it.each(['node', 'edge'] as const)('is accepted by %s', async (sdkType) => {
    expect(clientOfTest({ ingestKey, offline: true }, { sdkType }).client.status).toBe('connecting')
  })
})

describe('A7 what is no verdict about the events', () => {
  it.each([301, 302, 303, 307, 308, 403, 404, 405, 408, 415, 422, 500])('keeps the events after %i', async (status) => {
    const { client, service, warnings, batches } = await start()
    service.eventsAnswer = answerStatus(status, '', { location: '/elsewhere' })
    client.track('seen', { context: ada })
    await client.flush()
    expect(warnings).toEqual(['Svc: events are kept and sent again'])
    service.eventsAnswer = answerStatus(202, '{"rejected":[]}')
    await client.flush()
    expect(batches().map((events) => events.length)).toEqual([1, 1])
    expect([client.droppedEvents, service.requests.length]).toEqual([0, 1])
  })

  it('names the redirect, for events and for heartbeats', async () => {
    const told: unknown[] = []
    const service = await serviceOfTest(answerWith(file))
    const location = 'https://flags.test/svc/api/sdk/v1/events?key=sdk_1'
    service.eventsAnswer = service.heartbeatAnswer = answerStatus(301, '', { location })
    const hint = 'HTTP 301, a redirect to https://flags.test/svc: give the address that it leads to as baseUrl'
    const { client } = clientOfTest({
      baseUrl: service.baseUrl,
      logger: { warn: (message, cause) => told.push([message, (cause as Error).message]) },
    })
    await client.ready
    client.track('seen', { context: ada })
    await client.flush()
    await vi.waitUntil(() => told.length === 2)
    expect(told).toEqual(
      expect.arrayContaining([
        ['Svc: heartbeats are refused', hint],
        ['Svc: events are kept and sent again', hint],
      ]),
    )
  })
})

describe('A6 the end of a page', () => {
  /** A browser that has this many bytes left for requests that outlive the page. */
  async function inPage(leftBytes: number) {
    const taken: { unit: string; eventKey: string }[] = []
    const attempts: number[] = []
    let left = leftBytes
    const running = await start(
      {
        tracking: false,
        fetch: async (url, init) => {
          const body = String(init?.body)
          if (!init?.keepalive || !String(url).endsWith('/events')) return fetch(url, init)
          attempts.push(body.length)
          if (body.length > left) throw new TypeError('Failed to fetch')
          left -= body.length
          taken.push(...JSON.parse(body).events)
          return new Response('{"rejected":[]}', { status: 202 })
        },
      },
      'browser',
    )
    const hideWith = async (count: number, characters: number) => {
      for (let i = 0; i < count; i++)
        running.client.track('note', {
          context: { targetingKey: `u-${i}` },
          properties: { text: 'x'.repeat(characters) },
        })
      running.client.setTracking(true)
      running.time.hide()
      await new Promise(setImmediate)
    }
    return { ...running, taken, attempts, hideWith }
  }

  it.each([
    ['nobody else', 49, 900, 65_536, 49],
    ['a script that has sent 50 KB', 20, 900, 15_536, 10],
    ['a script that has sent all but 4 KB', 20, 900, 4_000, 3],
    ['a script that has sent everything', 20, 900, 0, 0],
    ['nobody else, with more events than fit', 1_000, 900, 65_536, 50],
  ])('sends what fits beside %s, at once', async (_name, count, characters, left, least) => {
    const { hideWith, taken, attempts } = await inPage(left)
    await hideWith(count, characters)
    expect(new Set(taken.map(({ unit }) => unit)).size).toBe(taken.length)
    expect(taken.length).toBeGreaterThanOrEqual(least)
    expect(attempts.length).toBeLessThanOrEqual(20)
  })

  it('keeps what the browser refused, for a page that goes on', async () => {
    const { client, hideWith, taken, service } = await inPage(10_000)
    await hideWith(20, 900)
    const hidden = taken.length
    expect(hidden).toBeGreaterThan(5)
    await client.flush()
    expect(hidden + service.events.flatMap(({ events }) => events).length).toBe(20)
  })

  it('counts bytes, not characters', async () => {
    const bodies: string[] = []
    const { client, time } = await start(
      {
        fetch: (url, init) => {
          if (init?.keepalive && String(url).endsWith('/events')) bodies.push(String(init.body))
          return fetch(url, init)
        },
      },
      'browser',
    )
    for (let i = 0; i < 40; i++) client.track('note', { context: ada, properties: { text: '\u20ac'.repeat(1_000) } })
    time.hide()
    expect(bodies.flatMap((body) => JSON.parse(body).events).length).toBeGreaterThanOrEqual(18)
    expect(Buffer.byteLength(bodies.join(''))).toBeLessThan(64 * 1024)
    await client.flush()
  })

  it.each([
    ['first', [61_000, 10, 10], [1, 2]],
    ['between others', [10, 61_000, 10], [0, 2]],
    ['beside others', [40_000, 30_000, 10], [0, 2]],
  ])('sends what fits where an event that does not fit comes %s', async (_name, lengths, fitting) => {
    const { client, time, taken } = await inPage(65_536)
    lengths.forEach((length, i) => {
      client.track('note', { context: { targetingKey: `u-${i}` }, properties: { text: 'x'.repeat(length) } })
    })
    client.setTracking(true)
    time.hide()
    await vi.waitUntil(() => taken.length === fitting.length)
    expect(taken.map(({ unit }) => unit).sort()).toEqual(fitting.map((i) => `u-${i}`))
  })

  it('sends at once what a hidden page tracks, what it tracks in one go together', async () => {
    const { client, time, taken, attempts } = await inPage(65_536)
    client.setTracking(true)
    time.hide()
    for (let i = 0; i < 3; i++) client.track('left', { context: { targetingKey: `u-${i}` } })
    await vi.waitUntil(() => taken.length === 3)
    client.track('left', { context: ada })
    await vi.waitUntil(() => taken.length === 4)
    expect(attempts.length).toBe(2)
    time.show()
    client.track('back', { context: ada })
    await new Promise(setImmediate)
    expect(taken.length).toBe(4)
  })

  it('sends only what no other request of the hidden page has, until that request fails', async () => {
    const sent: string[][] = []
    let refuse = (): void => undefined
    const { client, time } = await start(
      {
        fetch: (url, init) => {
          if (!init?.keepalive || !String(url).endsWith('/events')) return fetch(url, init)
          sent.push(JSON.parse(String(init.body)).events.map(({ eventKey }: { eventKey: string }) => eventKey))
          return new Promise((_resolve, reject) => {
            refuse = () => reject(new TypeError('Failed to fetch'))
          })
        },
      },
      'browser',
    )
    client.track('first', { context: ada })
    time.hide()
    const refuseFirst = refuse
    client.track('second', { context: ada })
    await vi.waitUntil(() => sent.length === 2)
    client.track('third', { context: ada })
    await vi.waitUntil(() => sent.length === 3)
    // Browsers tell the end of a page more than once.
    time.hide()
    expect(sent).toEqual([['first'], ['second'], ['third']])
    refuseFirst()
    await new Promise(setImmediate)
    time.hide()
    expect(sent.slice(3)).toEqual([['first']])
    client.setTracking(false)
  })

  it('sends what a hidden page tracks after a failure when it is due', async () => {
    const { client, time, attempts } = await inPage(0)
    client.setTracking(true)
    time.hide()
    client.track('left', { context: ada })
    await vi.waitUntil(() => attempts.length === 1)
    await new Promise(setImmediate)
    client.track('left', { context: ada })
    await new Promise(setImmediate)
    expect(attempts.length).toBe(1)
  })

  it('sends what the service did not take again, once the page is back', async () => {
    const { client, time, service, warnings } = await start({}, 'browser')
    service.eventsAnswer = answerStatus(503)
    for (let i = 0; i < 20; i++) client.track('note', { context: ada })
    time.hide()
    await vi.waitUntil(() => warnings.length > 0)
    service.eventsAnswer = answerStatus(202, '{"rejected":[]}')
    time.show()
    await vi.waitUntil(() => service.events.length === 2)
    await client.flush()
    expect(service.events.map(({ events }) => events.length)).toEqual([20, 20])
  })
})
