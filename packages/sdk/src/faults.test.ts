// Whatever the service or a proxy does, the client keeps the last valid file, never throws, and tries again later.
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { clientOfTest, serviceOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import type { Answer } from '../test/service.ts'
import { answerEndlessly, answerNever, answerStatus, answerWith } from '../test/service.ts'
import { createStore } from './storage.ts'
import { stream } from './stream.ts'

const good = datafileOf(5, { checkout: flagOf(true) })
const next = datafileOf(6, { checkout: flagOf(false) })
const text = JSON.stringify(next)
const requestTimeoutMs = 10_000
const soon = { interval: 2 }
const hundredMegabytes = 100_000_000
const mostSentBytes = 40_000_000

const answerText = (body: string): Answer => answerStatus(200, body, { 'content-type': 'application/json' })
const withFlags = (flags: unknown) => answerText(JSON.stringify({ ...next, flags }))

const faults: [string, Answer][] = [
  ['cuts the connection', (_request, response) => response.destroy()],
  ['answers 500', answerStatus(500, text)],
  ['answers 429 for an hour', answerStatus(429, '', { 'retry-after': '3600' })],
  ['no longer knows the SDK key', answerStatus(404)],
  ['sends an empty body', answerText('')],
  ['sends garbage', answerText('\u0000\ufffd garbage')],
  ['sends a sign-in page', answerStatus(200, '<!doctype html>', { 'content-type': 'text/html' })],
  ['sends half a file', answerText(text.slice(0, text.length / 2))],
  ['breaks off in the middle', breakOff],
  ['sends bytes that are not gzip', answerStatus(200, text, { 'content-encoding': 'gzip' })],
  ['sends an older revision', answerWith(datafileOf(4))],
  ['sends an endless body', answerEndlessly],
  ['sends a hundred megabytes', answerOf(hundredMegabytes)],
  ['sends a few bytes that unpack to a hundred megabytes', bomb],
  [
    'redirects in a loop',
    (request, response) => answerStatus(302, '', { location: request.url ?? '' })(request, response),
  ],
  ['sends a different schema version', answerText('{"schemaVersion":2,"revision":7,"flags":{}}')],
  ['sends a revision as a string', answerText('{"schemaVersion":1,"revision":"7","flags":{}}')],
  ['sends an infinite revision', answerText('{"schemaVersion":1,"revision":1e999,"flags":{}}')],
  ['sends a list of flags', withFlags([])],
  ['sends null as its flags', withFlags(null)],
  ['sends a number', answerText('7')],
  [
    'sends bytes that are not UTF-8',
    answerStatus(200, Buffer.from(text.replace('checkout', 'ch\u00e9ckout'), 'latin1')),
  ],
  ['sends a list', answerText('[]')],
  ['sends endless opening brackets', answerText('['.repeat(1_000_000))],
]

describe('S1 a service that', () => {
  it.each(faults)('%s leaves the last valid file in use, and is asked again', async (_name, answer) => {
    const service = await serviceOfTest(answerWith(good))
    const { client, time, told } = clientOfTest({ baseUrl: service.baseUrl }, { random: () => 0.5 })
    await client.refresh()
    service.answer = answer
    await client.refresh()
    expect([client.status, client.revision, client.getBoolean('checkout', false)]).toEqual(['stale', 5, true])
    expect(told).toEqual(['ready 5', 'ready', expect.any(String), 'stale'])
    service.answer = answerWith(next)
    const planned = time.pending().find(({ delayMs }) => delayMs !== requestTimeoutMs)
    time.advance((planned?.dueMs ?? Number.NaN) - time.platform.now())
    await client.refresh()
    expect([client.status, client.revision]).toEqual(['ready', 6])
  })

  it.each(faults)('%s at the start leaves the stored file in use', async (_name, answer) => {
    const service = await serviceOfTest(answer)
    service.heartbeatAnswer = answer
    service.streamAnswer = answer
    const saved: string[] = []
    const store = createStore({ load: () => JSON.stringify(good), save: (_key, kept) => saved.push(kept) })
    const { client } = clientOfTest({ baseUrl: service.baseUrl, store, stream })
    expect(await client.waitUntilReady()).toBe(true)
    await client.refresh()
    expect([client.status, client.revision, client.getBoolean('checkout', false)]).toEqual(['stale', 5, true])
    expect([saved, client.streaming]).toEqual([[], false])
  })

  it.each([
    ['sends nothing', answerNever],
    ['sends one byte now and then', drip],
  ])('%s makes the request time out', async (_name, answer) => {
    const service = await serviceOfTest(answerWith(good))
    const { client, time, told } = clientOfTest({ baseUrl: service.baseUrl })
    await client.refresh()
    service.answer = answer
    const asked = client.refresh()
    await expect.poll(() => service.requests.length, soon).toBe(2)
    time.advance(requestTimeoutMs)
    await asked
    expect([client.status, client.revision, told.at(-2)]).toEqual(['stale', 5, 'no response within 10000 ms'])
  })

  it.each([
    ['a flag that is null', { checkout: null, color: 7, new: [] }],
    ['flags of the wrong types', { checkout: { ...flagOf(true), rules: 'all', variations: [] } }],
    ['flags with the names of built-in properties', { constructor: {}, toString: null, hasOwnProperty: 1 }],
  ])('sends %s makes those flags evaluate to the default', async (_name, flags) => {
    const service = await serviceOfTest(withFlags(flags))
    const { client } = clientOfTest({ baseUrl: service.baseUrl })
    await client.refresh()
    service.answer = answerText(JSON.stringify({ ...next, revision: 7, flags: { ...flags, more: {} } }))
    await client.refresh()
    expect([client.status, client.revision]).toEqual(['ready', 7])
    for (const key of [...Object.keys(flags), '__proto__', 'valueOf', 'more'])
      expect(client.getDetails(key, true)).toMatchObject({ value: true, reason: 'ERROR' })
  })
})

it('S1 a file of a hundred megabytes is refused without reading all of it', async () => {
  let sentBytes = () => 0
  const service = await serviceOfTest((request, response) => {
    sentBytes = () => request.socket.bytesWritten
    answerOf(hundredMegabytes)(request, response)
  })
  const { client, told } = clientOfTest({ baseUrl: service.baseUrl })
  await client.refresh()
  expect(told).toEqual(['the response has more than 20000000 bytes'])
  expect(sentBytes()).toBeLessThan(mostSentBytes)
})

it('S1 the clients of a failing service do not retry all at once', async () => {
  const delays = await Promise.all(
    [0, 0.25, 0.5, 0.75, 0.999].map(async (chance) => {
      const { client, time } = clientOfTest({}, { random: () => chance })
      await client.refresh()
      return Math.round(time.pending()[0]?.delayMs ?? 0)
    }),
  )
  expect(delays).toEqual([800, 900, 1_000, 1_100, 1_200])
})

function breakOff(_request: unknown, response: Parameters<Answer>[1]): void {
  response.writeHead(200, { 'content-length': text.length })
  response.write(text.slice(0, 40), () => response.destroy())
}

function drip(_request: unknown, response: Parameters<Answer>[1]): void {
  response.writeHead(200)
  response.write(text.slice(0, 40))
}

/** Answers with that many bytes and a matching Content-Length. */
function answerOf(bytes: number): Answer {
  return (_request, response) => {
    const chunk = Buffer.alloc(1_000_000, 32)
    let left = bytes
    response.writeHead(200, { 'content-length': bytes })
    const send = () => {
      while (left > 0) {
        left -= chunk.length
        if (!response.write(chunk)) return
      }
      response.end()
    }
    response.on('drain', send)
    send()
  }
}

function bomb(_request: unknown, response: Parameters<Answer>[1]): void {
  response.writeHead(200, { 'content-encoding': 'gzip' })
  response.end(packed)
}
const packed = gzipSync(Buffer.alloc(hundredMegabytes, 32))
