import type { DataFile } from '@svc/core'
import type { Held } from './data-file/held.ts'
import type { Poll, Turn } from './data-file/poll.ts'
import type { Platform } from './requests/platform.ts'

/**
 * - `connecting`: there is no data file yet.
 * - `ready`: the service has confirmed the data file in use.
 * - `stale`: the last request failed, or the data file comes from the store and is not confirmed yet.
 * - `closed`: `close()` was called. The last data file stays in use.
 */
export type Status = 'connecting' | 'ready' | 'stale' | 'closed'

/** The interface of the client to its optional parts. They are separate so that a page loads only what it uses. */
export interface Host {
  /** The options that the parts use. */
  settings: {
    sdkKey: string
    streamUrl: string
    requestTimeoutMs: number
    fetch: typeof globalThis.fetch
    warn(message: string, ...cause: unknown[]): unknown
  }
  /** Timers, clock and random numbers of the client. */
  platform: Platform
  /** The controllers of running requests; `close()` aborts them. */
  requests: Set<AbortController>
  /** The data file in use with its evaluator; undefined before the first. */
  held(): Held | undefined
  /** The status of the client. */
  status(): Status
  /**
   * Takes a data file from a store, as text, if it is newer than the one held. At once, unless a script must load its
   * second file before. Throws if it is not a data file.
   */
  restore(text: unknown): boolean | Promise<boolean>
  /** Takes a newer data file from the stream. */
  take(file: DataFile, etag: string): Promise<void>
  /** Sends a heartbeat now. */
  beat(): void
  /** Requests the data file now, or joins the running request. Never rejects. */
  refresh(): Promise<void>
  /** Plans the next poll, counting from now. */
  plan: Poll['plan']
}

/** The value of the option `stream`. */
export type Stream = (host: Host) => {
  /** Whether the stream is connected. */
  isUp(): boolean
  /** Connects now if it waits to do so: the page is visible or online again. */
  wake?(): void
  /** When to poll next, after a successful poll. */
  afterPoll(): Turn
  /** Ends the stream for good. */
  stop(): void
}

/** The value of the option `store`. Make one with `createStore`. */
export type Store = (host: Host) => {
  /** Resolves when the stored file has been read. */
  recalled: Promise<unknown>
  /** Saves the file that the client holds now, if it has changed. */
  keep(): unknown
}
