import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from './database.ts'
import { isUnavailable } from './errors.ts'

const pauseMs = 500

export interface Subscription {
  channel: string
  onNotice(payload: string): unknown
  onReconnect?: (() => unknown) | undefined
}

/**
 * A notice arrives only once. If a listener fails because the database is unavailable, the work is repeated until it
 * succeeds or the database is closed.
 */
export async function insist(work: () => unknown, log: Log, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    try {
      await work()
      return
    } catch (error) {
      if (!isUnavailable(error)) return log.error({ err: error }, 'a listener failed')
      if (closing.aborted) return
      log.warn({ reason: String(error) }, 'could not act on a notice, trying again')
      await pause(pauseMs, undefined, { signal: closing, ref: false }).catch(() => {})
    }
  }
}
