import type { DataFile } from '@svc/core'
import type { Store, Stream } from './host.ts'

const defaultPollIntervalMs = 30_000
const shortestPollIntervalMs = 1_000
const defaultRequestTimeoutMs = 10_000
// Beyond this a timer of Node or a browser fires at once.
const longestTimerMs = 2 ** 31 - 1
const absoluteUrl = /^(https?:\/\/[^?#\s]+?)\/*$/

/** What {@link createClient} needs to know. */
export interface ClientOptions {
  /** The environment's SDK key, `sdk_…`. It is public: it may stand in a page. */
  sdkKey: string
  /** Where the service is, `https://flags.example.com`; a path and a trailing slash are fine. */
  baseUrl: string
  /** Milliseconds between two requests for the data file: 30,000 by default, 1,000 at least. */
  pollIntervalMs?: number
  /** Milliseconds that one request may take with its whole answer: 10,000 by default. */
  requestTimeoutMs?: number
  /** `stream` of `@svc/sdk/stream`: new revisions arrive within milliseconds. While it cannot, the client polls. */
  stream?: Stream
  /** Keeps the last good data file across restarts: `localStorageStore`, `fileStore` or a `createStore` of yours. */
  store?: Store
  /** A data file, or its text, to begin with: evaluations have it at once. What is none is ignored with a warning. */
  bootstrap?: DataFile | string
  /** True: no request is ever made; `bootstrap` and `store` are all there is. */
  offline?: boolean
  /** Used in place of the built-in `fetch`, for a proxy or an agent of your own. */
  fetch?: typeof globalThis.fetch
  /** Hears of the first failure of a row, of unknown flag keys and of listeners that throw; `console` by default. */
  logger?: { warn(message: string, ...cause: unknown[]): void }
}

/** The options checked, with their defaults, and the two addresses made from them. */
export type Settings = ReturnType<typeof readSettings>

const names = [
  'sdkKey',
  'baseUrl',
  'pollIntervalMs',
  'requestTimeoutMs',
  'stream',
  'store',
  'bootstrap',
  'offline',
  'fetch',
  'logger',
] satisfies (keyof ClientOptions)[]

/** Throws a TypeError that names what is wrong in the options. */
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
    bootstrap,
    offline = false,
    logger = console,
  } = options ?? {}
  ensure(
    typeof sdkKey === 'string' && sdkKey.trim() && !/\p{Cs}/u.test(sdkKey),
    'sdkKey must be the SDK key of an environment',
  )
  const root = absoluteUrl.exec(baseUrl)?.[1]
  ensure(root && new URL(root), 'baseUrl must be the http(s) address of the service')
  ensure(isDuration(pollIntervalMs, shortestPollIntervalMs), `pollIntervalMs must be >= ${shortestPollIntervalMs}`)
  ensure(isDuration(requestTimeoutMs, 1), 'requestTimeoutMs must be > 0')
  const functions = [fetch, stream ?? fetch, store ?? fetch]
  ensure(
    functions.every((each) => typeof each === 'function'),
    'fetch, stream and store must be functions',
  )
  ensure(typeof offline === 'boolean', 'offline must be a boolean')
  const key = encodeURIComponent(sdkKey)
  return {
    sdkKey,
    datafileUrl: `${root}/api/sdk/v1/datafile/${key}.json`,
    streamUrl: `${root}/api/sdk/v1/stream/${key}`,
    heartbeatUrl: `${root}/api/sdk/heartbeat`,
    pollIntervalMs,
    requestTimeoutMs,
    fetch,
    stream,
    store,
    bootstrap,
    offline,
    async warn(message: string, ...cause: unknown[]): Promise<void> {
      try {
        await logger.warn(`Svc: ${message}`, ...cause)
      } catch {
        // A logger that fails, now or later, has nobody left to tell.
      }
    },
  }
}

/** A duration that a timer can take; anything but a number gives the default. */
export const timerMs = (durationMs: unknown, defaultMs: number): number =>
  typeof durationMs === 'number' ? Math.min(durationMs, longestTimerMs) : defaultMs

/** Throws a TypeError with the message. */
export function ensure(right: unknown, message: string): void {
  if (!right) throw new TypeError(`createClient: ${message}`)
}

/** The option that has most of this name's pairs of letters; the first of several. */
function nearest(name: string): string {
  const pairs = [...name.toLowerCase()].map((letter, index, letters) => letter + letters[index + 1])
  const likeness = (known: string) => pairs.filter((pair) => known.toLowerCase().includes(pair)).length
  return names.reduce((best, known) => (likeness(known) > likeness(best) ? known : best))
}

const isDuration = (value: unknown, leastMs: number): boolean =>
  typeof value === 'number' && value >= leastMs && value <= longestTimerMs / 2
