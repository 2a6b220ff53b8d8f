import { isForPage } from '@svc/core'
import type { Platform, Timer } from './platform.ts'

const jitter = 0.2
const firstRetryMs = 1_000
const longestRetryMs = 60_000
const longestRetryAfterMs = 3_600_000

/** How one turn of the loop ended. `retryAfterMs` is the minimum delay before the next turn, up to an hour. */
export interface Turn {
  failed: boolean
  retryAfterMs?: number
}

/** A polling loop. At most one turn runs at a time. */
export interface Poll {
  /** Runs a turn now, or joins the running one. Never rejects. */
  refresh(): Promise<void>
  /** Reschedules the next turn, counting from now. */
  plan(ended: Turn): void
  /** Sets whether the loop keeps a Node process alive. Initially it does not. */
  keepAlive(wanted: boolean): void
  /** Stops the loop: no turn begins after this. */
  stop(): void
}

/** Starts a loop with its first turn at once. `turn` must not reject. */
export function startPolling(turn: () => Promise<Turn>, intervalMs: number, platform: Platform): Poll {
  let timer: Timer | undefined
  let underWay: Promise<void> | undefined
  let failures = 0
  let alive = false
  let stopped = false

  const refresh = async (): Promise<void> => {
    if (stopped) return
    underWay ??= run()
    await underWay
  }

  const run = async (): Promise<void> => {
    platform.clearTimeout(timer)
    const ended = await turn()
    underWay = undefined
    failures = ended.failed ? failures + 1 : 0
    plan(ended)
  }

  const plan = (ended: Turn): void => {
    platform.clearTimeout(timer)
    if (stopped) return
    timer = platform.setTimeout(refresh, nextDelayMs(failures, intervalMs, ended, platform.random()))
    if (!isForPage && !alive) timer.unref?.()
  }

  const poll: Poll = {
    refresh,
    plan,
    keepAlive(wanted) {
      if (isForPage) return
      alive = wanted
      if (wanted) timer?.ref?.()
      else timer?.unref?.()
    },
    stop() {
      stopped = true
      platform.clearTimeout(timer)
    },
  }
  void refresh()
  return poll
}

/**
 * Milliseconds to the next turn: the interval, or after consecutive failures `firstMs`, twice that, four times that … up to a minute (or the
 * interval, if longer). Delays vary by up to a fifth, so that clients do not synchronize.
 * `retryAfterMs` can lengthen the delay, up to an hour, but never shortens it.
 */
export function nextDelayMs(
  failures: number,
  intervalMs: number,
  ended: Partial<Turn>,
  random: number,
  firstMs = firstRetryMs,
): number {
  const planned = failures ? Math.min(firstMs * 2 ** (failures - 1), Math.max(intervalMs, longestRetryMs)) : intervalMs
  const asked = Math.min(ended.retryAfterMs ?? 0, longestRetryAfterMs)
  return Math.max(planned * (1 - jitter + 2 * jitter * random), asked * (1 + jitter * random))
}
