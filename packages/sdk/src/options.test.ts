import { expect, it } from 'vitest'
import type { ClientOptions } from './client-options.ts'
import { readSettings, timerMs } from './options.ts'

const right: ClientOptions = { sdkKey: 'sdk_1', baseUrl: 'http://127.0.0.1:4000' }

it.each([
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000/api/sdk/heartbeat'],
  ['http://127.0.0.1:4000/', 'http://127.0.0.1:4000/api/sdk/heartbeat'],
  ['https://example.com/flags//', 'https://example.com/flags/api/sdk/heartbeat'],
])('derives the addresses from %s', (baseUrl, expected) => {
  expect(readSettings({ ...right, baseUrl }).heartbeatUrl).toBe(expected)
})

it('escapes the SDK key', () => {
  const { datafileUrl } = readSettings({ ...right, sdkKey: 'a/../b?' })
  expect(datafileUrl).toBe('http://127.0.0.1:4000/api/sdk/v1/datafile/a%2F..%2Fb%3F.json')
})

it.each([
  ['no options', undefined, /sdkKey/],
  ['no SDK key', { ...right, sdkKey: undefined }, /sdkKey/],
  ['a blank SDK key', { ...right, sdkKey: ' ' }, /sdkKey/],
  ['an SDK key with half a surrogate pair', { ...right, sdkKey: 'sdk_\ud83d' }, /sdkKey/],
  ['no address', { ...right, baseUrl: undefined }, /baseUrl/],
  ['a relative address', { ...right, baseUrl: '/flags' }, /baseUrl/],
  ['a different protocol', { ...right, baseUrl: 'ftp://example.com' }, /baseUrl/],
  ['an address without a host', { ...right, baseUrl: 'http://' }, /baseUrl/],
  ['an address with a query', { ...right, baseUrl: 'http://example.com/?a=1' }, /baseUrl/],
  ['an impossible host', { ...right, baseUrl: 'http://[' }, /URL/],
  ['a poll interval under a second', { ...right, pollIntervalMs: 999 }, /pollIntervalMs/],
  ['a poll interval that is not a number', { ...right, pollIntervalMs: Number.NaN }, /pollIntervalMs/],
  ['a poll interval that is a string', { ...right, pollIntervalMs: '5000' }, /pollIntervalMs/],
  ['an infinite poll interval', { ...right, pollIntervalMs: Infinity }, /pollIntervalMs/],
  ['a request timeout of zero', { ...right, requestTimeoutMs: 0 }, /requestTimeoutMs/],
  ['a fetch that is not a function', { ...right, fetch: null }, /fetch/],
  ['a stream that is not a function', { ...right, stream: true }, /stream/],
  ['a store that is not a function', { ...right, store: {} }, /store/],
  ['an ingest key that is a token', { ...right, ingestKey: 'svc_svc_abc' }, /^createClient: ingestKey must be/],
  ['an ingest key with a line break', { ...right, ingestKey: 'svc_ing_a\r\nx: y' }, /^createClient: ingestKey must be/],
  ['an empty ingest key', { ...right, ingestKey: '' }, /^createClient: ingestKey must be/],
  ['offline as a string', { ...right, offline: 'false' }, /offline/],
])('refuses %s with a TypeError that names the option', (_name, options, message) => {
  const read = () => readSettings(options as ClientOptions)
  expect(read).toThrow(TypeError)
  expect(read).toThrow(message)
})

it.each([
  ['pollInterval', 'pollIntervalMs'],
  ['pollintervalms', 'pollIntervalMs'],
  ['timeout', 'requestTimeoutMs'],
  ['key', 'sdkKey'],
  ['sdk_key', 'sdkKey'],
  ['url', 'baseUrl'],
  ['storage', 'store'],
  ['bootstap', 'bootstrap'],
  ['streaming', 'stream'],
  ['log', 'logger'],
  ['isOffline', 'offline'],
  ['', 'sdkKey'],
])('refuses the unknown option %j and suggests %s', (name, known) => {
  const read = () => readSettings({ ...right, [name]: undefined })
  expect(read).toThrow(new TypeError(`createClient: there is no option ${name}. Did you mean ${known}?`))
})

it('accepts every option', () => {
  const warn = () => {}
  const options: Required<ClientOptions> = {
    ...right,
    pollIntervalMs: 1_000,
    requestTimeoutMs: 1,
    stream: () => ({ isUp: () => false, afterPoll: () => ({ failed: false }), stop: warn }),
    store: () => ({ recalled: Promise.resolve(), keep: warn }),
    stickyStore: new Map(),
    bootstrap: '{}',
    offline: true,
    tracking: true,
    ingestKey: 'svc_ing_0123456789',
    dimensions: ['country'],
    fetch: globalThis.fetch,
    logger: { warn },
  }
  expect(readSettings(options)).toMatchObject({ pollIntervalMs: 1_000, offline: true, tracking: false })
})

it.each<[string, unknown]>([
  [
    'throws',
    {
      warn() {
        throw new Error('full')
      },
    },
  ],
  ['rejects', { warn: () => Promise.reject(new Error('full')) }],
  ['is null', null],
])('survives a logger that %s', async (_name, logger) => {
  await expect(readSettings({ ...right, logger: logger as never }).warn('x', undefined)).resolves.toBe(undefined)
})

it.each([
  [5, 5],
  [Infinity, 2 ** 31 - 1],
  ['soon', 10],
  [undefined, 10],
])('limits %s to %s ms for timers', (given, expected) => {
  expect(timerMs(given, 10)).toBe(expected)
})
