import { own } from '@svc/core'
import type { ClientOptions } from './client-options.ts'
import { mostDimensions, shortestPollIntervalMs } from './client-options.ts'
import { explainOption } from './explain-option.ts'

const defaultPollIntervalMs = 30_000
const defaultRequestTimeoutMs = 10_000
// With a longer delay, timers fire at once in Node and browsers.
const longestTimerMs = 2 ** 31 - 1
const ingestKeyForm = /^svc_ing_[\w-]+$/
const absoluteUrl = /^(https?:\/\/[^?#\s]+?)\/*$/

const secretAdvice = 'sdkKey is a secret token. Use the SDK key of an environment, and replace the token if it was sent'

/** Whether this has a token of the API, in quotes or after `Bearer`, too. It must never be in a page or in an address. */
const isSecret = (key: unknown): boolean => typeof key === 'string' && /^\W*(bearer\W+)?svc_/i.test(key)

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
    ingestKey,
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
    ingestKey: ingestKey === undefined || (typeof ingestKey === 'string' && ingestKeyForm.test(ingestKey)),
    dimensions:
      Array.isArray(dimensions) &&
      dimensions.length <= mostDimensions &&
      dimensions.every((name) => typeof name === 'string'),
  }
  if (isSecret(sdkKey)) throw new TypeError(`createClient: ${secretAdvice}`)
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
    ingestKey,
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
