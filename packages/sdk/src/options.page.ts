import type { ClientOptions } from './client-options.ts'
import { shortestPollIntervalMs } from './client-options.ts'
import { hasParts } from './data-file/has-parts.ts'
import type { Settings } from './options.ts'

// Timers of browsers fire at once after more than 24 days.
const longestMs = 1e9
const absoluteUrl = /^(https?:\/\/[^?#\s]+?)\/*$/

/** As in `options.ts`, in fewer bytes: it checks what would make a client useless or too busy, and no other option. */
export function readSettings(options: ClientOptions): Settings {
  const {
    sdkKey,
    baseUrl,
    pollIntervalMs = 30_000,
    requestTimeoutMs = 10_000,
    fetch = globalThis.fetch,
    offline = false,
    tracking = true,
    dimensions = [],
    logger = console,
    ...more
  } = options
  const root = absoluteUrl.exec(baseUrl)?.[1]
  // A token of the API is a secret, which must never be in an address.
  ensureOption(sdkKey && !/^svc_/.test(sdkKey), 'sdkKey')
  ensureOption(root, 'baseUrl')
  ensureOption(isDuration(pollIntervalMs, shortestPollIntervalMs), 'pollIntervalMs')
  ensureOption(isDuration(requestTimeoutMs, 1), 'requestTimeoutMs')
  const key = encodeURIComponent(sdkKey)
  const api = `${root}/api/sdk/`
  return {
    // A page has no ingest key: what is given is not used.
    ...(more as Pick<Settings, 'stream' | 'store' | 'stickyStore' | 'bootstrap' | 'ingestKey'>),
    sdkKey,
    datafileUrl: `${api}v1/datafile/${key}.json`,
    ...(hasParts && { streamUrl: `${api}v1/stream/${key}` }),
    heartbeatUrl: `${api}heartbeat`,
    eventsUrl: `${api}v1/events`,
    pollIntervalMs,
    requestTimeoutMs,
    fetch,
    offline,
    tracking: tracking && !offline,
    dimensions,
    async warn(message, ...cause) {
      try {
        await logger.warn(`Svc: ${message}`, ...cause)
      } catch {
        // There is no one to report a failing logger to.
      }
    },
  }
}

/** As in `options.ts`. */
export const timerMs = (durationMs: unknown, defaultMs: number): number =>
  (durationMs as number | undefined) ?? defaultMs

/** As in `options.ts`. */
export function ensureOption(isRight: unknown, name: string): void {
  if (!isRight) throw new TypeError(`createClient: check the option ${name}`)
}

const isDuration = (value: number, leastMs: number): boolean => value >= leastMs && value <= longestMs
