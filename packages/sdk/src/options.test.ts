import { expect, it } from 'vitest'
import type { ClientOptions } from './options.ts'
import { readSettings, timerMs } from './options.ts'

const right: ClientOptions = { sdkKey: 'sdk_1', baseUrl: 'http://127.0.0.1:4000' }

it.each([
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000/api/sdk/heartbeat'],
  ['http://127.0.0.1:4000/', 'http://127.0.0.1:4000/api/sdk/heartbeat'],
  ['https://example.com/flags//', 'https://example.com/flags/api/sdk/heartbeat'],
])('makes the addresses from %s', (baseUrl, expected) => {
  expect(readSettings({ ...right, baseUrl }).heartbeatUrl).toBe(expected)
})

it('escapes the SDK key', () => {
  const { datafileUrl } = readSettings({ ...right, sdkKey: 'a/../b?' })
  expect(datafileUrl).toBe('http://127.0.0.1:4000/api/sdk/v1/datafile/a%2F..%2Fb%3F.json')
})

it.each([
  ['no options', undefined, /sdkKey/],
  ['no key', { ...right, sdkKey: undefined }, /sdkKey/],
  ['a blank key', { ...right, sdkKey: ' ' }, /sdkKey/],
  ['a key with half a character', { ...right, sdkKey: 'sdk_\ud83d' }, /sdkKey/],
  ['no address', { ...right, baseUrl: undefined }, /baseUrl/],
  ['a relative address', { ...right, baseUrl: '/flags' }, /baseUrl/],
  ['another protocol', { ...right, baseUrl: 'ftp://example.com' }, /baseUrl/],
  ['an address without a host', { ...right, baseUrl: 'http://' }, /baseUrl/],
  ['an address with a query', { ...right, baseUrl: 'http://example.com/?a=1' }, /baseUrl/],
  ['an impossible host', { ...right, baseUrl: 'http://[' }, /URL/],
  ['a poll under a second', { ...right, pollIntervalMs: 999 }, /pollIntervalMs/],
  ['a poll that is no number', { ...right, pollIntervalMs: Number.NaN }, /pollIntervalMs/],
  ['a poll that is text', { ...right, pollIntervalMs: '5000' }, /pollIntervalMs/],
  ['a poll that no timer can take', { ...right, pollIntervalMs: Infinity }, /pollIntervalMs/],
  ['no time for a request', { ...right, requestTimeoutMs: 0 }, /requestTimeoutMs/],
  ['a fetch that is none', { ...right, fetch: null }, /fetch/],
  ['a stream that is none', { ...right, stream: true }, /stream/],
  ['a store that is none', { ...right, store: {} }, /store/],
  ['offline as text', { ...right, offline: 'false' }, /offline/],
])('refuses %s with a TypeError that says so', (_name, options, message) => {
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
])('refuses the unknown option %j and names %s', (name, known) => {
  const read = () => readSettings({ ...right, [name]: undefined })
  expect(read).toThrow(new TypeError(`createClient: there is no option ${name}, did you mean ${known}?`))
})

it('takes every option', () => {
  const warn = () => {}
  const options: Required<ClientOptions> = {
    ...right,
    pollIntervalMs: 1_000,
    requestTimeoutMs: 1,
    stream: () => ({ isUp: () => false, afterPoll: () => ({ failed: false }), stop: warn }),
    store: () => ({ recalled: Promise.resolve(), keep: warn }),
    bootstrap: '{}',
    offline: true,
    fetch: globalThis.fetch,
    logger: { warn },
  }
  expect(readSettings(options)).toMatchObject({ pollIntervalMs: 1_000, offline: true })
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
  ['is none', null],
])('survives a logger that %s', async (_name, logger) => {
  await expect(readSettings({ ...right, logger: logger as never }).warn('x', undefined)).resolves.toBe(undefined)
})

it.each([
  [5, 5],
  [Infinity, 2 ** 31 - 1],
  ['soon', 10],
  [undefined, 10],
])('takes %s as %s ms for a timer', (given, expected) => {
  expect(timerMs(given, 10)).toBe(expected)
})
