import type { Platform, Timer } from './platform.ts'

const jitter = 0.2
const firstRetryMs = 1_000
const longestRetryMs = 60_000
const longestRetryAfterMs = 3_600_000

/** How one turn of the loop ended. */
export type Turn = { failed: false } | { failed: true; retryAfterMs: number }

/** A loop that asks again and again, with at most one turn under way. */
export interface Poll {
  /** Takes a turn now, or joins the one under way. Never rejects. */
  refresh(): Promise<void>
  /** Makes a Node process wait for the next turn, where it would otherwise end. */
  keepAlive(): void
  /** No turn begins after this. */
  stop(): void
}

/** Takes the first turn at once. `turn` must not reject. */
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
    if (stopped) return
    failures = ended.failed ? failures + 1 : 0
    alive &&= ended.failed
    timer = platform.setTimeout(refresh, nextDelayMs(failures, intervalMs, ended, platform.random()))
    if (!alive) timer.unref?.()
  }

  const poll: Poll = {
    refresh,
    keepAlive() {
      alive = true
      timer?.ref?.()
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
 * Milliseconds to the next turn: the interval, or after `failures` failures in a row 1 s, 2 s, 4 s …
 * up to a minute (or the interval, if longer); give or take a fifth, so that clients do not beat in step.
 * The service's Retry-After lengthens it, up to an hour, and never shortens it.
 */
export function nextDelayMs(failures: number, intervalMs: number, ended: Turn, random: number): number {
  const planned = failures
    ? Math.min(firstRetryMs * 2 ** (failures - 1), Math.max(intervalMs, longestRetryMs))
    : intervalMs
  const asked = ended.failed ? Math.min(ended.retryAfterMs, longestRetryAfterMs) : 0
  return Math.max(planned * (1 - jitter + 2 * jitter * random), asked * (1 + jitter * random))
}
