import type { DataFile } from '@svc/core'
import type { Store, Stream } from './host.ts'
import type { StickyStore } from './sticky.ts'

const defaultPollIntervalMs = 30_000
const shortestPollIntervalMs = 1_000
const defaultRequestTimeoutMs = 10_000
const mostDimensions = 20
// With a longer delay, timers fire at once in Node and browsers.
const longestTimerMs = 2 ** 31 - 1
const absoluteUrl = /^(https?:\/\/[^?#\s]+?)\/*$/

/** The options of {@link createClient}. */
export interface ClientOptions {
  /** The SDK key of the environment, `sdk_…`. It is public, so it can be in a page. */
  sdkKey: string
  /** The address of the service, such as `https://flags.example.com`. It can have a path and a trailing slash. */
  baseUrl: string
  /** Milliseconds between two requests for the data file. Default: 30,000. Minimum: 1,000. */
  pollIntervalMs?: number
  /** Maximum milliseconds for one request, including its whole response. Default: 10,000. */
  requestTimeoutMs?: number
  /** `stream` from `@svc/sdk/stream`: new revisions arrive within milliseconds. While it is down, the client polls. */
  stream?: Stream
  /** Keeps the last valid data file across restarts: `localStorageStore`, `fileStore` or your own `createStore`. */
  store?: Store
  /**
   * Keeps the variations of sticky rules, so that visitors keep theirs after the weights have changed. It answers at
   * once. Without one, sticky rules are like others.
   */
  stickyStore?: StickyStore
  /** A data file, or its text, to use from the start. An invalid one is ignored with a warning. */
  bootstrap?: DataFile | string
  /** `true` makes no requests at all: the client only uses `bootstrap` and `store`. Default: `false`. */
  offline?: boolean
  /**
   * `false` sends no exposures and tracked events until `client.setTracking(true)`, for example after consent. Until
   * then, at most 1,000 wait in memory. Default: `true`.
   */
  tracking?: boolean
  /** Names of attributes that are sent with exposures, so that results can be shown by them. At most 20. */
  dimensions?: string[]
  /** Replaces the built-in `fetch`, for example to use a proxy or your own agent. */
  fetch?: typeof globalThis.fetch
  /** Called for the first of consecutive failures, for unknown flags and listener errors. Default: `console`. */
  logger?: { warn(message: string, ...cause: unknown[]): void }
}

/** The checked options with their defaults, and the addresses made from them. */
export type Settings = ReturnType<typeof readSettings>

const names = [
  'sdkKey',
  'baseUrl',
  'pollIntervalMs',
  'requestTimeoutMs',
  'stream',
  'store',
  'stickyStore',
  'bootstrap',
  'offline',
  'tracking',
  'dimensions',
  'fetch',
  'logger',
] satisfies (keyof ClientOptions)[]

/**
 * Checks the options.
 *
 * @throws TypeError that names the wrong option
 */
export function readSettings(options: ClientOptions) {
  for (const name of Object.keys(options ?? {}))
    ensure(names.includes(name as never), `there is no option ${name}, did you mean ${nearest(name)}?`)
  const {
    sdkKey,
    baseUrl,
    pollIntervalMs = defaultPollIntervalMs,
    requestTimeoutMs = defaultRequestTimeoutMs,
    fetch = globalThis.fetch,
    stream,
    store,
    stickyStore,
    bootstrap,
    offline = false,
    tracking = true,
    dimensions = [],
    logger = console,
  } = options ?? {}
  ensure(
    typeof sdkKey === 'string' && sdkKey.trim() && !/\p{Cs}/u.test(sdkKey),
    'sdkKey must be the SDK key of an environment',
  )
  const root = absoluteUrl.exec(baseUrl)?.[1]
  ensure(root && new URL(root), 'baseUrl must be the http(s) address of the service')
  ensure(isDuration(pollIntervalMs, shortestPollIntervalMs), `pollIntervalMs must be >= ${shortestPollIntervalMs}`)
  ensure(isDuration(requestTimeoutMs, 1), 'requestTimeoutMs must be >= 1')
  for (const [name, each] of Object.entries({ fetch, stream: stream ?? fetch, store: store ?? fetch }))
    ensure(typeof each === 'function', `${name} must be a function`)
  for (const [name, each] of Object.entries({ offline, tracking }))
    ensure(typeof each === 'boolean', `${name} must be a boolean`)
  ensure(
    Array.isArray(dimensions) &&
      dimensions.length <= mostDimensions &&
      dimensions.every((name) => typeof name === 'string'),
    `dimensions must be at most ${mostDimensions} names of attributes`,
  )
  const key = encodeURIComponent(sdkKey)
  return {
    sdkKey,
    datafileUrl: `${root}/api/sdk/v1/datafile/${key}.json`,
    streamUrl: `${root}/api/sdk/v1/stream/${key}`,
    heartbeatUrl: `${root}/api/sdk/heartbeat`,
    eventsUrl: `${root}/api/sdk/v1/events`,
    pollIntervalMs,
    requestTimeoutMs,
    fetch,
    stream,
    store,
    stickyStore,
    bootstrap,
    offline,
    tracking: tracking && !offline,
    dimensions,
    async warn(message: string, ...cause: unknown[]): Promise<void> {
      try {
        await logger.warn(`Svc: ${message}`, ...cause)
      } catch {
        // There is no one to report a failing logger to.
      }
    },
  }
}

/** Limits a duration to what timers support. Anything but a number gives the default. */
export const timerMs = (durationMs: unknown, defaultMs: number): number =>
  typeof durationMs === 'number' ? Math.min(durationMs, longestTimerMs) : defaultMs

/** Throws a TypeError with the message if `right` is falsy. */
export function ensure(right: unknown, message: string): void {
  if (!right) throw new TypeError(`createClient: ${message}`)
}

/** The option that shares the most pairs of letters with this name. */
function nearest(name: string): string {
  const pairs = [...name.toLowerCase()].map((letter, index, letters) => letter + letters[index + 1])
  const likeness = (known: string) => pairs.filter((pair) => known.toLowerCase().includes(pair)).length
  return names.reduce((best, known) => (likeness(known) > likeness(best) ? known : best))
}

const isDuration = (value: unknown, leastMs: number): boolean =>
  typeof value === 'number' && value >= leastMs && value <= longestTimerMs / 2
