import type { DataFile } from '@svc/core'
import type { Store, Stream } from './host.ts'
import type { StickyStore } from './visitors/sticky.ts'

export const shortestPollIntervalMs = 1_000
export const mostDimensions = 20

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
  bootstrap?: DataFile | string | undefined
  /** `true` makes no requests at all: the client only uses `bootstrap` and `store`. Default: `false`. */
  offline?: boolean
  /**
   * `false` sends no exposures and tracked events until `client.setTracking(true)`, for example after consent. Until
   * then, at most 1,000 wait in memory. Default: `true`.
   */
  tracking?: boolean
  /**
   * An ingest key of the environment, `svc_ing_…`, for environments whose events count only with one. It is secret: only
   * servers can have it, and in a page it is refused. Requests with events have it, and no others.
   */
  ingestKey?: string | undefined
  /** Names of attributes that are sent with exposures, so that results can be shown by them. At most 20. */
  dimensions?: string[]
  /** Replaces the built-in `fetch`, for example to use a proxy or your own agent. */
  fetch?: typeof globalThis.fetch
  /** Called for the first of consecutive failures, for unknown flags and listener errors. Default: `console`. */
  logger?: { warn(message: string, ...cause: unknown[]): void }
}
