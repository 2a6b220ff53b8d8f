import { once } from 'node:events'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientOfTest } from '../test/client.ts'
import { datafileOf, flagOf } from '../test/datafile.ts'
import { manualPlatform } from '../test/platform.ts'
import type { Answer } from '../test/service.ts'
import { answerEndlessly, answerNever, answerStatus, answerWith, startService } from '../test/service.ts'
import type { Client } from './client.ts'
import { createClient } from './client.ts'
import type { Details } from './details.ts'

const first = datafileOf(5, { checkout: flagOf(false), color: flagOf('#05f') })
const second = datafileOf(6, { checkout: flagOf(true), color: flagOf('#05f') })
const pollIntervalMs = 30_000
const requestTimeoutMs = 10_000
let service: Awaited<ReturnType<typeof startService>>
let clients: Client[]

beforeEach(async () => {
  clients = []
  service = await startService(answerWith(first))
})
afterEach(() => {
  for (const client of clients) client.close()
  return service.close()
})

/** Starts a client of the test server with a manual clock, and records its requests and warnings. */
function start(baseUrl = service.baseUrl) {
  const time = manualPlatform()
  const sent: string[] = []
  const warnings: string[] = []
  const client = createClient(
    {
      sdkKey: 'sdk_1',
      baseUrl,
      pollIntervalMs,
      requestTimeoutMs,
      fetch: (url, init) => {
        sent.push(String(url).slice(baseUrl.length))
        return fetch(url, init)
      },
      logger: { warn: (message) => warnings.push(message) },
    },
    time.platform,
  )
  clients.push(client)
  return { client, time, sent, warnings }
}

/** Waits for the next planned turn and runs it. */
async function nextTurn({ client, time }: ReturnType<typeof start>): Promise<void> {
  const planned = time.pending().find(({ delayMs }) => delayMs !== requestTimeoutMs)
  time.advance((planned?.dueMs ?? Number.NaN) - time.platform.now())
  await client.refresh()
}

describe('createClient', () => {
  it('serves defaults until the first data file arrives, then its flags', async () => {
    const { client } = start()
    expect([client.status, client.revision]).toEqual(['connecting', null])
    expect(client.getBoolean('checkout', true)).toBe(true)
    expect(client.getDetails('color', 'red')).toMatchObject({ value: 'red', reason: 'ERROR', errorCode: 'NOT_READY' })
    expect(client.getAllDetails()).toEqual(new Map())
    await client.ready
    expect([client.status, client.revision]).toEqual(['ready', 5])
    expect(client.getBoolean('checkout', true)).toBe(false)
    expect(client.getString('color', 'red')).toBe('#05f')
    expect(client.getDetails('color', 'red')).toEqual({
      value: '#05f',
      variationKey: 'a',
      ruleId: null,
      reason: 'DEFAULT',
    })
    for (const context of [undefined, { targetingKey: 'u-17' }])
      expect([...client.getAllDetails(context)].map(([key, { value }]) => [key, value])).toEqual([
        ['checkout', false],
        ['color', '#05f'],
      ])
  })

  it('serves numbers and JSON when the default has that type', async () => {
    const bootstrap = datafileOf(1, { limit: flagOf(2.5), theme: flagOf({ color: '#05f', sizes: [1, 2] }) })
    const { client } = clientOfTest({ offline: true, bootstrap })
    const theme: { color: string; sizes: number[] } = client.getJson('theme', { color: '', sizes: [0] })
    const details: Details<{ color: string }> = client.getDetails('theme', { color: '' })
    const limit: Details<number> = client.getDetails('limit', 0)
    expect([client.getNumber('limit', 0), limit.value, theme]).toEqual([2.5, 2.5, { color: '#05f', sizes: [1, 2] }])
    expect(details).toMatchObject({ value: theme, reason: 'DEFAULT' })
    expect([client.getNumber('theme', 7), client.getJson('limit', [])]).toEqual([7, []])
    expect(client.getAllDetails().get('theme')?.value).toBe(theme)
  })

  it('requests the data file at the address of its SDK key', async () => {
    const { client, sent } = start()
    await client.ready
    expect(sent[0]).toBe('/api/sdk/v1/datafile/sdk_1.json')
  })

  it('recovers when the service was down at the start', async () => {
    const { port } = new URL(service.baseUrl)
    await service.close()
    const started = start()
    const { client, time, warnings } = started
    const errors: Error[] = []
    client.on('error', (error) => errors.push(error))
    const ready = client.ready
    await client.refresh()
    expect([client.status, client.getBoolean('checkout', true)]).toEqual(['connecting', true])
    expect(time.pending().map(({ delayMs }) => delayMs)).toEqual([1_000])
    await nextTurn(started)
    expect(time.pending().map(({ delayMs }) => delayMs)).toEqual([2_000])
    expect([errors.length, warnings.length]).toEqual([2, 1])
    service = await startService(answerWith(first), Number(port))
    await nextTurn(started)
    await ready
    expect([client.status, client.revision]).toEqual(['ready', 5])
  })

  it('waits for the first data file no longer than the given timeout', async () => {
    service.answer = answerNever
    const { client, time } = start()
    const waits = [client.waitUntilReady({ timeoutMs: 500 }), client.waitUntilReady({ timeoutMs: Infinity })]
    time.advance(500)
    expect(await waits[0]).toBe(false)
    client.close()
    expect(await waits[1]).toBe(false)
  })

  it('reports that it is ready at once when it already is', async () => {
    const { client } = start()
    expect(await client.waitUntilReady()).toBe(true)
    expect(await client.waitUntilReady({ timeoutMs: 0 })).toBe(true)
  })
})

describe('an invalid data file', () => {
  const silent: Answer = (_request, response) => {
    response.writeHead(200)
    response.write('{"schemaVersion":1,')
  }

  it.each([
    ['404', answerStatus(404)],
    ['500', answerStatus(500)],
    ['garbage', answerStatus(200, 'garbage')],
    ['truncated', answerStatus(200, JSON.stringify(second).slice(0, -9))],
    ['endless', answerEndlessly],
    ['an older revision', answerWith(datafileOf(4))],
    ['a sign-in page behind a redirect', answerStatus(302, '', { location: '/nowhere' })],
  ])('leaves the last valid one in use: %s', async (_name, answer) => {
    const started = start()
    const { client, time, warnings } = started
    await client.refresh()
    const errors: Error[] = []
    client.on('error', (error) => errors.push(error))
    service.answer = (request, response) =>
      request.url === '/nowhere' ? answerStatus(200, '<html>')(request, response) : answer(request, response)
    await nextTurn(started)
    expect([client.status, client.revision, client.getString('color', 'red')]).toEqual(['stale', 5, '#05f'])
    expect(errors).toEqual([expect.any(Error)])
    const address = `${service.baseUrl}/api/sdk/v1/datafile/sdk_1.json`
    expect(errors[0]?.message).toMatch(new RegExp(`^${address}: .`))
    expect(warnings).toEqual([`Svc: no new data file, trying again. ${errors[0]?.message}`])
    expect(time.pending().map(({ delayMs }) => delayMs)).toContain(1_000)
    service.answer = answerWith(second)
    await nextTurn(started)
    expect([client.status, client.revision]).toEqual(['ready', 6])
  })

  it.each([
    ['sends nothing', answerNever],
    ['stops in the middle', silent],
  ])('makes the request time out when the service %s', async (_name, answer) => {
    const { client, time } = start()
    await client.refresh()
    const asked = new Promise<void>((resolve) => {
      service.answer = (request, response) => {
        answer(request, response)
        resolve()
      }
    })
    const ended = client.refresh()
    await asked
    time.advance(requestTimeoutMs)
    await ended
    expect([client.status, client.revision]).toEqual(['stale', 5])
  })

  it('is requested again no sooner than Retry-After allows', async () => {
    service.answer = answerStatus(503, '', { 'retry-after': '120' })
    const { client, time } = start()
    await client.refresh()
    expect(time.pending().map(({ delayMs }) => delayMs)).toEqual([132_000])
  })
})

describe('polling', () => {
  it('sends conditional requests, and repeats them after the interval', async () => {
    const started = start()
    const { client, time } = started
    await client.refresh()
    expect(time.pending().map(({ delayMs }) => delayMs)).toContain(pollIntervalMs)
    await nextTurn(started)
    expect(service.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"r5-e-1"'])
    expect([client.status, client.revision]).toEqual(['ready', 5])
  })

  it('fires ready once, and change for each later revision with the keys of the changed flags', async () => {
    const started = start()
    const heard: unknown[] = []
    started.client.on('ready', (event) => heard.push(event))
    started.client.on('change', (event) =>
      heard.push({ ...event, value: started.client.getBoolean('checkout', false) }),
    )
    await started.client.refresh()
    await nextTurn(started)
    service.answer = answerWith(second)
    await nextTurn(started)
    await nextTurn(started)
    expect(heard).toEqual([
      { revision: 5 },
      { revision: 6, previousRevision: 5, changedFlags: ['checkout'], value: true },
    ])
  })

  it('follows an SDK key that moved to a different environment, even to a lower revision', async () => {
    const started = start()
    await started.client.refresh()
    service.answer = answerWith(datafileOf(1, {}, { environment: { id: 'e-2', key: 'staging' } }))
    await nextTurn(started)
    expect(started.client.revision).toBe(1)
  })

  it('continues after a listener throws', async () => {
    const started = start()
    started.client.on('ready', () => {
      throw new Error('listener')
    })
    await started.client.refresh()
    service.answer = answerWith(second)
    await nextTurn(started)
    expect([started.client.revision, started.warnings]).toEqual([6, ['Svc: a listener threw']])
  })
})

describe('the heartbeat', () => {
  const beats = (sent: string[]) => sent.filter((path) => path === '/api/sdk/heartbeat').length

  it('is sent after a 200 and a 304, but not after a failure', async () => {
    const started = start()
    await started.client.refresh()
    expect(beats(started.sent)).toBe(1)
    await nextTurn(started)
    expect(beats(started.sent)).toBe(2)
    service.answer = answerStatus(500)
    await nextTurn(started)
    expect(beats(started.sent)).toBe(2)
  })

  it.each([
    ['is refused', answerStatus(401, '{"error":"Unknown SDK key"}')],
    ['is cut off', ((_request, response) => response.destroy()) as Answer],
    ['gets no answer', answerNever],
  ])('changes nothing when it %s', async (_name, answer) => {
    service.heartbeatAnswer = answer
    const started = start()
    await started.client.refresh()
    service.answer = answerWith(second)
    await nextTurn(started)
    expect([started.client.status, started.client.revision, started.warnings]).toEqual(['ready', 6, []])
  })
})

describe('close', () => {
  it('aborts the running request, stops everything and can be called twice', async () => {
    let hungUp: Promise<unknown> | undefined
    const arrived = new Promise<void>((resolve) => {
      service.answer = (request) => {
        hungUp = once(request.socket, 'close')
        resolve()
      }
    })
    const { client, time, warnings } = start()
    const asked = client.refresh()
    await arrived
    client.close()
    client.close()
    await Promise.all([asked, hungUp])
    await client.refresh()
    expect([client.status, time.pending(), warnings]).toEqual(['closed', [], []])
    expect(service.requests).toHaveLength(1)
  })

  it('keeps serving the last valid file and calls no more listeners', async () => {
    const { client, sent } = start()
    const heard: unknown[] = []
    client.on('error', (error) => heard.push(error))
    client.on('ready', () => client.close())
    await client.refresh()
    expect([client.status, client.getString('color', 'red'), heard]).toEqual(['closed', '#05f', []])
    expect(sent).toEqual(['/api/sdk/v1/datafile/sdk_1.json'])
  })
})

describe('the logger', () => {
  it('gets the address and the cause, without a stack that adds nothing', async () => {
    await service.close()
    const heard: unknown[][] = []
    const logger = { warn: (...told: unknown[]) => heard.push(told) }
    const client = createClient({ sdkKey: 'sdk_1', baseUrl: service.baseUrl, logger })
    clients.push(client)
    const errors: Error[] = []
    client.on('error', (error) => errors.push(error))
    await client.refresh()
    const { host } = new URL(service.baseUrl)
    const fault = `http://${host}/api/sdk/v1/datafile/sdk_1.json: connect ECONNREFUSED ${host}`
    expect(heard).toEqual([[`Svc: no new data file, trying again. ${fault}`]])
    expect(errors).toMatchObject([{ message: fault, cause: { message: 'fetch failed' } }])
  })

  it('gets the error code when the message is empty, as when several addresses were tried', async () => {
    const { client, warnings } = clientOfTest({
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause: { message: '', code: 'ECONNREFUSED' } })),
    })
    await client.refresh()
    expect(warnings).toEqual([expect.stringMatching(/sdk_1\.json: ECONNREFUSED$/)])
  })

  it('gets each flag key that the data file does not have once', async () => {
    const heard: unknown[][] = []
    const bootstrap = datafileOf(1, { checkout: flagOf(true) })
    const { client } = clientOfTest({ offline: true, logger: { warn: (...told) => heard.push(told) } })
    client.getBoolean('chekout', false)
    expect(heard).toEqual([])
    const known = clientOfTest({ offline: true, bootstrap, logger: { warn: (...told) => heard.push(told) } }).client
    known.getBoolean('checkout', false)
    known.getString('checkout', '')
    for (let i = 0; i < 2; i += 1) {
      known.getBoolean('chekout', false)
      known.getDetails('colour', '')
    }
    expect(heard).toEqual([
      ['Svc: the data file has no flag', 'chekout'],
      ['Svc: the data file has no flag', 'colour'],
    ])
  })

  it('gets at most a hundred unknown flag keys', () => {
    const { client, warnings } = clientOfTest({ offline: true, bootstrap: datafileOf(1) })
    for (let i = 0; i < 200; i += 1) client.getBoolean(`flag-${i}`, false)
    expect(warnings).toHaveLength(100)
  })
})

it('takes the time from the given clock and everything else from the process', () => {
  let moment = Date.parse('2026-01-01')
  const rule = {
    id: 'r1',
    type: 'TARGETED_DELIVERY' as const,
    when: { attribute: '$now', operator: 'after' as const, value: '2026-11-20' },
    bucketBy: ['targetingKey'],
    hashVersion: 1,
    salt: 'r1',
    traffic: 10_000,
    variation: 'on',
  }
  const bootstrap = datafileOf(1, { launch: flagOf(false, { rules: [rule] }) })
  const options = { sdkKey: 'sdk_1', baseUrl: 'http://127.0.0.1:9', offline: true, bootstrap }
  const client = createClient(options, { now: () => moment })
  const values = () => [client.getBoolean('launch', true), client.getAllDetails().get('launch')?.value]
  expect(values()).toEqual([false, false])
  moment = Date.parse('2026-11-21')
  expect(values()).toEqual([true, true])
})

it('never throws, whatever arguments its methods get', async () => {
  const { client } = start()
  await client.ready
  const names = [
    'getBoolean',
    'getString',
    'getNumber',
    'getJson',
    'getDetails',
    'getAllDetails',
    'on',
    'waitUntilReady',
    'refresh',
  ] as const
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(fc.anything(), { maxLength: 4 }), (name, given) => {
      const method = client[name] as (...given: unknown[]) => unknown
      method(...given)
    }),
  )
})
