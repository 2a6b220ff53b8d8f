import type { DataFile } from '@svc/core'
import type { Held } from './held.ts'
import type { Platform } from './platform.ts'
import type { Poll, Turn } from './poll.ts'

/**
 * `connecting` no data file yet · `ready` the service has confirmed the one served · `stale` it is served although the
 * last request failed, or because the store kept it · `closed` after `close()`, which goes on serving it.
 */
export type Status = 'connecting' | 'ready' | 'stale' | 'closed'

/** What the client lends to its optional parts. They are parts so that a page loads only those that it uses. */
export interface Host {
  settings: {
    sdkKey: string
    streamUrl: string
    requestTimeoutMs: number
    fetch: typeof globalThis.fetch
    warn(message: string, ...cause: unknown[]): unknown
  }
  platform: Platform
  /** The controllers of requests under way; `close()` aborts them. */
  requests: Set<AbortController>
  held(): Held | undefined
  status(): Status
  /** Takes the text of a data file that was kept, if it is newer than the one held. Throws where it is none. */
  restore(text: unknown): boolean
  /** Takes a newer data file that the service has told of. */
  take(file: DataFile, etag: string): Promise<void>
  /** Sends a heartbeat now. */
  beat(): void
  refresh(): Promise<void>
  plan: Poll['plan']
}

/** What the option `stream` of a client takes. */
export type Stream = (host: Host) => {
  /** Whether the service streams at this moment. */
  isUp(): boolean
  /** When to poll next, after a poll that went well. */
  afterPoll(): Turn
  stop(): void
}

/** What the option `store` of a client takes; `createStore` makes one. */
export type Store = (host: Host) => {
  /** Resolves when what was kept has been looked at. */
  recalled: Promise<unknown>
  /** Saves the file that the client holds now, where that is another one than before. */
  keep(): unknown
}
