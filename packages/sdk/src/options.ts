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
  /** Used in place of the built-in `fetch`, for a proxy or an agent of your own. */
  fetch?: typeof globalThis.fetch
  /** Hears of the first failure of a row and of listeners that throw; `console` by default. */
  logger?: { warn(message: string, cause: unknown): void }
}

/** The options checked, with their defaults, and the two addresses made from them. */
export type Settings = ReturnType<typeof readSettings>

/** Throws a TypeError that names what is wrong in the options. */
export function readSettings(options: ClientOptions) {
  const {
    sdkKey,
    baseUrl,
    pollIntervalMs = defaultPollIntervalMs,
    requestTimeoutMs = defaultRequestTimeoutMs,
    fetch = globalThis.fetch,
    logger = console,
  } = options ?? {}
  ensure(typeof sdkKey === 'string' && sdkKey.trim(), 'sdkKey must be the SDK key of an environment')
  const root = absoluteUrl.exec(baseUrl)?.[1]
  ensure(root && new URL(root), 'baseUrl must be the http(s) address of the service')
  ensure(isDuration(pollIntervalMs, shortestPollIntervalMs), `pollIntervalMs must be >= ${shortestPollIntervalMs}`)
  ensure(isDuration(requestTimeoutMs, 1), 'requestTimeoutMs must be > 0')
  ensure(typeof fetch === 'function', 'fetch must be a function')
  return {
    sdkKey,
    datafileUrl: `${root}/api/sdk/v1/datafile/${encodeURIComponent(sdkKey)}.json`,
    heartbeatUrl: `${root}/api/sdk/heartbeat`,
    pollIntervalMs,
    requestTimeoutMs,
    fetch,
    warn(message: string, cause: unknown): void {
      try {
        logger.warn(`Svc: ${message}`, cause)
      } catch {
        // A logger that fails has nobody left to tell.
      }
    },
  }
}

/** A duration that a timer can take; anything but a number gives the default. */
export const timerMs = (durationMs: unknown, defaultMs: number): number =>
  typeof durationMs === 'number' ? Math.min(durationMs, longestTimerMs) : defaultMs

function ensure(right: unknown, message: string): void {
  if (!right) throw new TypeError(`createClient: ${message}`)
}

const isDuration = (value: unknown, leastMs: number): boolean =>
  typeof value === 'number' && value >= leastMs && value <= longestTimerMs / 2
