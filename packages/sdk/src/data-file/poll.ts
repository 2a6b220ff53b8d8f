import { isForPage } from '@svc/core'
import type { Platform, Timer } from '../requests/platform.ts'
import { outside } from '../requests/platform.ts'

const jitter = 0.2
const firstRetryMs = 1_000
const longestRetryMs = 60_000
const longestRetryAfterMs = 3_600_000
// A page can become visible and online several times in a second.
const shortestWakeMs = 3_000

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
  /** Brings the next turn forward, because the page is visible or online again: to now, or to 3 s after the last. */
  wake(): void
  /** Whether the timer of the next turn did not fire, as in a runtime that stops timers with their request. */
  isOverdue?(): boolean
  /** Sets whether the loop keeps a Node process alive. Initially it does not. */
  keepAlive?(wanted: boolean): void
  /** Stops the loop: no turn begins after this. */
  stop(): void
}

/**
 * Starts a loop with its first turn at once. `turn` must not reject.
 *
 * @param joinedMs how long a turn can be joined. After that, a refresh begins another one.
 */
export function startPolling(
  turn: () => Promise<Turn>,
  intervalMs: number,
  platform: Platform,
  joinedMs = Number.POSITIVE_INFINITY,
): Poll {
  let timer: Timer | undefined
  let underWay: Promise<void> | undefined
  let begunAtMs = 0
  let dueAtMs = Number.POSITIVE_INFINITY
  let failures = 0
  let alive = false
  let stopped = false

  const refresh = async (): Promise<void> => {
    if (stopped) return
    // A turn can have ended with the request in which it began.
    if (!isForPage && platform.now() - begunAtMs > joinedMs) underWay = undefined
    underWay ??= run()
    await underWay
  }

  const run = async (): Promise<void> => {
    const mine = platform.now()
    begunAtMs = mine
    platform.clearTimeout(timer)
    const ended = await turn()
    if (!isForPage && begunAtMs !== mine) return
    underWay = undefined
    failures = ended.failed ? failures + 1 : 0
    plan(ended)
  }

  const plan = (ended: Turn): void => planIn(nextDelayMs(failures, intervalMs, ended, platform.random()))

  const planIn = (delayMs: number): void => {
    platform.clearTimeout(timer)
    if (stopped) return
    if (!isForPage) dueAtMs = platform.now() + delayMs
    timer = platform.setTimeout(refresh, delayMs)
    if (!isForPage && !alive) timer.unref?.()
  }

  const poll: Poll = {
    refresh,
    plan,
    wake() {
      const delayMs = Math.max(0, begunAtMs + shortestWakeMs - platform.now())
      if (!underWay && (isForPage || platform.now() + delayMs < dueAtMs)) planIn(delayMs)
    },
    // Pages stop no timers with their requests, and end when they like.
    ...(!isForPage && {
      isOverdue: () => !stopped && (underWay ? begunAtMs : platform.now()) > dueAtMs + intervalMs,
      keepAlive(wanted: boolean) {
        alive = wanted
        if (wanted) timer?.ref?.()
        else timer?.unref?.()
      },
    }),
    stop() {
      stopped = true
      platform.clearTimeout(timer)
    },
  }
  if (isForPage) void refresh()
  else if (canStart(platform)) void outside(refresh)
  else dueAtMs = Number.NEGATIVE_INFINITY
  return poll
}

/** Some runtimes refuse timers and requests outside of a request. There, the loop begins in the first request. */
function canStart(platform: Platform): boolean {
  try {
    platform.clearTimeout(platform.setTimeout(() => {}, 0))
    return true
  } catch {
    return false
  }
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
