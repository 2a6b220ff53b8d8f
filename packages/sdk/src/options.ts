import type { DataFile } from '@svc/core'
import { own } from '@svc/core'
import { explainOption } from './explain-option.ts'
import type { Store, Stream } from './host.ts'
import { mostDimensions, shortestPollIntervalMs } from './option-limits.ts'
import type { StickyStore } from './sticky.ts'

const defaultPollIntervalMs = 30_000
const defaultRequestTimeoutMs = 10_000
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

/**
 * Checks the options.
 *
 * @throws TypeError that names the wrong option
 */
export function readSettings(options: ClientOptions) {
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
    ...unknown
  } = options ?? {}
  const root = absoluteUrl.exec(baseUrl)?.[1]
  const checked: Record<string, unknown> = {
    sdkKey: typeof sdkKey === 'string' && sdkKey.trim() && !/\p{Cs}/u.test(sdkKey),
    baseUrl: root && new URL(root),
    pollIntervalMs: isDuration(pollIntervalMs, shortestPollIntervalMs),
    requestTimeoutMs: isDuration(requestTimeoutMs, 1),
    fetch: typeof fetch === 'function',
    stream: typeof (stream ?? fetch) === 'function',
    store: typeof (store ?? fetch) === 'function',
    offline: typeof offline === 'boolean',
    tracking: typeof tracking === 'boolean',
    dimensions:
      Array.isArray(dimensions) &&
      dimensions.length <= mostDimensions &&
      dimensions.every((name) => typeof name === 'string'),
  }
  for (const name of Object.keys({ ...unknown, ...checked })) ensureOption(own(checked, name), name)
  const key = encodeURIComponent(sdkKey)
  const api = `${root}/api/sdk/`
  return {
    sdkKey,
    datafileUrl: `${api}v1/datafile/${key}.json`,
    streamUrl: `${api}v1/stream/${key}`,
    heartbeatUrl: `${api}heartbeat`,
    eventsUrl: `${api}v1/events`,
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

/** Throws a TypeError that explains the option if it is not right. */
export function ensureOption(isRight: unknown, name: string): void {
  if (!isRight) throw new TypeError(`createClient: ${explainOption(name)}`)
}

const isDuration = (value: unknown, leastMs: number): boolean =>
  typeof value === 'number' && value >= leastMs && value <= longestTimerMs / 2
