import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { clientOfTest, serviceOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import type { Answer } from '../test/service.ts'
import { answerNever, answerStatus, answerStream, answerWith, changeEventOf, etagOf, eventOf } from '../test/service.ts'
import type { Store } from './host.ts'
import { createStore } from './storage.ts'
import { stream } from './stream.ts'

const first = datafileOf(5, { checkout: flagOf(false) })
const second = datafileOf(6, { checkout: flagOf(true) })
const reconnectMs = 1_000
const pollMs = 30_000
// Five minutes plus half of the jitter of up to a fifth.
const pollWhileUpMs = 330_000
const heartbeatMs = 60_000
const silenceMs = 70_000
const soon = { interval: 2 }

/** A streaming service and a ready client that is connected to it. */
async function streaming(sdkType: 'node' | 'browser' = 'node', streamAnswer: Answer = answerStream(), store?: Store) {
  const service = await serviceOfTest(answerWith(first))
  service.streamAnswer = streamAnswer
  const started = clientOfTest(
    { baseUrl: service.baseUrl, stream, ...(store && { store }) },
    { random: () => 0.5, sdkType },
  )
  await started.client.ready
  await expect.poll(() => started.client.streaming, soon).toBe(true)
  await expect.poll(() => service.heartbeats.length, soon).toBe(1)
  const delays = () => started.time.pending().map(({ delayMs }) => delayMs)
  const send = (text: string) => service.streams.at(-1)?.response.write(text)
  return { ...started, service, delays, send }
}

describe('while the stream is up', () => {
  it('takes a new revision at once and confirms it by a heartbeat', async () => {
    const { client, service, send, told } = await streaming()
    service.answer = answerWith(second)
    send(eventOf(6))
    await expect.poll(() => service.heartbeats.length, soon).toBe(2)
    expect([client.revision, client.getBoolean('checkout', false)]).toEqual([6, true])
    expect(told).toEqual(['ready 5', 'ready', 'change 6 checkout'])
    expect(service.heartbeats.map(({ body }) => body.revision)).toEqual([5, 6])
    expect(new Set(service.heartbeats.map(({ body }) => body.instanceId)).size).toBe(1)
  })

  it('applies the change in an event without requesting the file, and continues from there', async () => {
    const { client, service, send, told } = await streaming()
    send(changeEventOf(6, etagOf(5), { checkout: flagOf(true), fresh: flagOf(true) }))
    send(changeEventOf(7, etagOf(6), { checkout: null }))
    await expect.poll(() => client.revision, soon).toBe(7)
    expect([client.getBoolean('checkout', false), client.getBoolean('fresh', false)]).toEqual([false, true])
    expect(told).toEqual(['ready 5', 'ready', 'change 6 checkout,fresh', 'change 7 checkout'])
    await expect.poll(() => service.heartbeats.at(-1)?.body.revision, soon).toBe(7)
    expect(service.requests).toHaveLength(1)
    await client.refresh()
    expect(service.requests.at(-1)?.headers['if-none-match']).toBe(etagOf(7))
  })

  it('requests the file when the change applies to a different file', async () => {
    const { client, service, send } = await streaming()
    service.answer = answerWith(datafileOf(7, { checkout: flagOf(true) }))
    send(changeEventOf(7, etagOf(6), { checkout: flagOf(false) }))
    await expect.poll(() => client.revision, soon).toBe(7)
    expect(client.getBoolean('checkout', false)).toBe(true)
    expect(service.requests).toHaveLength(2)
  })

  it('ignores a late answer that is older than the change it got from the stream', async () => {
    const { client, service, send, told } = await streaming()
    let answerHeld = () => {}
    service.answer = (request, response) => {
      answerHeld = () => answerWith(datafileOf(5, { checkout: flagOf(false) }))(request, response)
      delete request.headers['if-none-match']
    }
    const underWay = client.refresh()
    await expect.poll(() => service.requests.length, soon).toBe(2)
    send(changeEventOf(6, etagOf(5), { checkout: flagOf(true) }))
    await expect.poll(() => client.revision, soon).toBe(6)
    answerHeld()
    await underWay
    expect([client.status, client.revision]).toEqual(['ready', 6])
    expect(told).toEqual(['ready 5', 'ready', 'change 6 checkout'])
  })

  it.each([
    ['the revision held', 5],
    ['an older revision', 4],
  ])('requests nothing when an event announces %s', async (_name, revision) => {
    const { client, service, send } = await streaming()
    send(eventOf(revision))
    service.answer = answerWith(second)
    send(eventOf(6))
    await expect.poll(() => client.revision, soon).toBe(6)
    expect(service.requests).toHaveLength(2)
  })

  it('polls rarely and sends a heartbeat every minute', async () => {
    const { client, time, service, delays } = await streaming()
    await client.refresh()
    await expect.poll(() => service.heartbeats.length, soon).toBe(2)
    expect(delays()).toEqual(expect.arrayContaining([pollWhileUpMs, heartbeatMs]))
    time.advance(heartbeatMs)
    await expect.poll(() => service.heartbeats.length, soon).toBe(3)
    expect(service.requests).toHaveLength(2)
  })

  it('requests again when the running request was answered before the revision existed', async () => {
    const { client, service, send } = await streaming()
    let answerHeld = () => {}
    service.answer = (request, response) => {
      answerHeld = () => answerWith(first)(request, response)
    }
    const underWay = client.refresh()
    await expect.poll(() => service.requests.length, soon).toBe(2)
    send(eventOf(6))
    service.streams[0]?.response.write(': ping\n\n')
    answerHeld()
    service.answer = answerWith(second)
    await underWay
    await expect.poll(() => client.revision, soon).toBe(6)
  })

  it('tries again soon, then less often, while a cache in between is out of date', async () => {
    const { client, time, service, send, delays } = await streaming()
    send(eventOf(6))
    await expect.poll(() => service.requests.length, soon).toBe(3)
    await expect.poll(delays, soon).toContain(2_000)
    expect([client.status, client.revision]).toEqual(['ready', 5])
    service.answer = answerWith(second)
    time.advance(2_000)
    await expect.poll(() => client.revision, soon).toBe(6)
    await expect.poll(delays, soon).toContain(pollWhileUpMs)
  })

  it('requests a revision once, however often it is announced', async () => {
    const { client, sent, send, delays } = await streaming()
    const asked = () => sent.filter((path) => path.includes('datafile')).length
    send(eventOf(6))
    await expect.poll(delays, soon).toContain(2_000)
    const before = asked()
    send(eventOf(6).repeat(50))
    send(changeEventOf(7, etagOf(5), { checkout: flagOf(true) }))
    await expect.poll(() => client.revision, soon).toBe(7)
    expect(asked()).toBe(before)
  })

  it('becomes ready when the stream announces the revision that another process stored', async () => {
    const shelf = { text: null as string | null }
    const store = createStore({ load: () => shelf.text, save: (_key, text) => (shelf.text ??= text) })
    const { client, service, send, told } = await streaming('node', answerStream(), store)
    await expect.poll(() => shelf.text, soon).not.toBe(null)
    shelf.text = JSON.stringify(datafileOf(8, { checkout: flagOf(true) }))
    service.answer = answerWith(datafileOf(7, { checkout: flagOf(true) }))
    send(eventOf(7))
    await expect.poll(() => [client.revision, client.status], soon).toEqual([8, 'stale'])
    service.answer = answerWith(datafileOf(8, { checkout: flagOf(true) }))
    send(eventOf(8))
    await expect.poll(() => client.status, soon).toBe('ready')
    expect(told.at(-1)).toBe('ready')
  })

  it('requests the file when the change is nested too deeply', async () => {
    const { client, service, send } = await streaming()
    const deep = '['.repeat(4_900) + ']'.repeat(4_900)
    const change = `{"from":${JSON.stringify(etagOf(5))},"publishedAt":null,"flags":{"checkout":${deep}}}`
    service.answer = answerWith(second)
    send(`id: 6\ndata: {"etag":"x","change":${change}}\n\n`)
    await expect.poll(() => [client.revision, client.getBoolean('checkout', false)], soon).toEqual([6, true])
  })

  it('sends Last-Event-ID from Node, and no header that needs a preflight from a browser', async () => {
    const { service } = await streaming('browser')
    expect(service.streams[0]?.request.headers).not.toHaveProperty('last-event-id')
    const node = await streaming('node')
    node.service.streams[0]?.response.end()
    await expect.poll(() => node.client.streaming, soon).toBe(false)
    node.time.advance(reconnectMs)
    await expect.poll(() => node.service.streams.length, soon).toBe(2)
    expect(node.service.streams[1]?.request.headers).toMatchObject({
      'last-event-id': '5',
      accept: 'text/event-stream',
    })
  })

  it('closes the connection on close', async () => {
    const { client, time, service } = await streaming()
    const hungUp = once(service.streams[0]!.request.socket, 'close')
    client.close()
    await hungUp
    expect([client.status, client.streaming, time.pending()]).toEqual(['closed', false, []])
  })
})

describe('when the stream breaks', () => {
  const breaks: [string, (running: Awaited<ReturnType<typeof streaming>>) => unknown][] = [
    ['ends', ({ service }) => service.streams[0]?.response.end()],
    ['is cut off', ({ service }) => service.streams[0]?.response.destroy()],
    ['is silent for longer than two pings', ({ time }) => time.advance(silenceMs)],
    ['sends an endless line', ({ send }) => send('x'.repeat(20_000))],
  ]

  it.each(breaks)('because it %s, the client polls and reconnects', async (_name, hurt) => {
    const running = await streaming()
    const { client, time, service, delays } = running
    await client.refresh()
    expect(delays()).toContain(pollWhileUpMs)
    hurt(running)
    await expect.poll(() => client.streaming, soon).toBe(false)
    expect(client.status).toBe('ready')
    expect(delays()).toContain(pollMs)
    expect(delays()).not.toContain(pollWhileUpMs)
    service.answer = answerWith(second)
    service.streamAnswer = answerStream(eventOf(6))
    await expect.poll(delays, soon).toContain(reconnectMs)
    time.advance(reconnectMs)
    await expect.poll(() => [client.streaming, client.revision], soon).toEqual([true, 6])
  })

  it('a ping restarts the timeout for silence', async () => {
    const { client, time, service, send } = await streaming()
    time.advance(silenceMs - 1)
    const silence = () => time.pending().find(({ delayMs }) => delayMs === silenceMs)
    const before = silence()
    send(': ping\n\n')
    await expect.poll(() => silence() !== before, soon).toBe(true)
    time.advance(silenceMs - 1)
    expect([client.streaming, service.streams.length]).toEqual([true, 1])
  })
})

describe('a stream that opens and ends at once', () => {
  it('does not postpone the next poll', async () => {
    const service = await serviceOfTest(answerWith(first))
    service.streamAnswer = (request, response) => {
      answerStream(eventOf(5))(request, response)
      response.end()
    }
    const pollIntervalMs = 120_000
    const { client, time } = clientOfTest({ baseUrl: service.baseUrl, stream, pollIntervalMs })
    await client.refresh()
    service.answer = answerWith(second)
    const dueMs = time.platform.now() + pollIntervalMs
    const until = () => time.pending().find(({ delayMs }) => delayMs === pollIntervalMs)?.dueMs
    for (const waitMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000]) {
      await expect.poll(() => time.pending().some(({ delayMs }) => delayMs === waitMs), soon).toBe(true)
      expect(until()).toBe(dueMs)
      time.advance(waitMs)
    }
    time.advance(pollIntervalMs - 63_000)
    await expect.poll(() => client.revision, soon).toBe(6)
  })

  it('does not shorten the delay from Retry-After', async () => {
    const service = await serviceOfTest(answerStatus(503, '', { 'retry-after': '600' }))
    service.streamAnswer = (request, response) => {
      answerStream()(request, response)
      response.end()
    }
    const { client, time } = clientOfTest({ baseUrl: service.baseUrl, stream }, { random: () => 0 })
    await client.refresh()
    for (const waitMs of [800, 1_600, 3_200]) {
      await expect.poll(() => time.pending().some(({ delayMs }) => delayMs === waitMs), soon).toBe(true)
      time.advance(waitMs)
    }
    await expect.poll(() => service.streams.length, soon).toBe(4)
    expect([service.requests.length, time.pending().some(({ delayMs }) => delayMs === 600_000)]).toEqual([1, true])
  })

  it('does not shorten the delay from Retry-After after successful polls', async () => {
    const { client, service, delays } = await streaming()
    await client.refresh()
    expect(delays()).toContain(pollWhileUpMs)
    service.answer = answerStatus(503, '', { 'retry-after': '600' })
    await client.refresh()
    service.streams[0]?.response.end()
    await expect.poll(() => client.streaming, soon).toBe(false)
    // 600 s plus half of the jitter of up to a fifth.
    expect(delays()).toContain(660_000)
  })
})

describe('a service that does not stream', () => {
  it.each<[string, Answer, number]>([
    ['404, an older service', answerStatus(404), 1_000],
    ['500', answerStatus(500), 1_000],
    ['503 with Retry-After', answerStatus(503, '', { 'retry-after': '90' }), 99_000],
    ['a page', answerStatus(200, '<!doctype html>', { 'content-type': 'text/html' }), 1_000],
    ['an immediate end', answerStatus(200, '', { 'content-type': 'text/event-stream' }), 1_000],
    [
      'an immediate end with a requested delay',
      answerStatus(200, 'retry: 20000\n\n', { 'content-type': 'text/event-stream' }),
      22_000,
    ],
    ['a lost connection', (_request, response) => response.destroy(), 1_000],
  ])('is polled: %s', async (_name, answer, waitMs) => {
    const service = await serviceOfTest(answerWith(first))
    service.streamAnswer = answer
    const { client, time, warnings, told } = clientOfTest({ baseUrl: service.baseUrl, stream })
    const delays = () => time.pending().map(({ delayMs }) => Math.round(delayMs))
    await client.refresh()
    await expect.poll(delays, soon).toEqual([waitMs, pollMs, heartbeatMs].sort((a, b) => a - b))
    expect([client.streaming, warnings, told]).toEqual([false, [], ['ready 5', 'ready']])
    service.answer = answerWith(second)
    time.advance(pollMs)
    await expect.poll(() => client.revision, soon).toBe(6)
  })

  it('is asked for the stream less and less often', async () => {
    const service = await serviceOfTest(answerWith(first))
    const { client, time } = clientOfTest({ baseUrl: service.baseUrl, stream, pollIntervalMs: 3_600_000 })
    await client.refresh()
    for (const [index, waitMs] of [1_000, 2_000, 4_000, 8_000, 16_000].entries()) {
      await expect.poll(() => [service.streams.length, time.pending()[0]?.delayMs], soon).toEqual([index + 1, waitMs])
      time.advance(waitMs)
    }
  })

  it('does not delay polling when it never answers', async () => {
    const service = await serviceOfTest(answerWith(first))
    service.streamAnswer = answerNever
    const { client } = clientOfTest({ baseUrl: service.baseUrl, stream })
    expect(await client.waitUntilReady()).toBe(true)
    expect(client.streaming).toBe(false)
  })
})

it('works with a fetch that ignores its signal, and does nothing after close', async () => {
  const service = await serviceOfTest(answerWith(first))
  service.streamAnswer = answerStream()
  const heedless: typeof fetch = (url, init) => fetch(url, { ...init, signal: null })
  const { client, time } = clientOfTest({ baseUrl: service.baseUrl, stream, fetch: heedless })
  await client.ready
  await expect.poll(() => client.streaming, soon).toBe(true)
  client.close()
  await expect.poll(() => time.pending().length, soon).toBe(0)
  service.streams[0]?.response.write(eventOf(6))
  service.streams[0]?.response.end()
  await once(service.streams[0]!.response, 'close')
  expect([service.requests.length, time.pending()]).toEqual([1, []])
})
