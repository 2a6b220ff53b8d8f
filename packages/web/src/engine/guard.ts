const atOnceInSecond = 10
const mostInMinute = 200

/** What a guard says about applying a change again: at once, before the next frame is painted, or not any more. */
export type Verdict = 'NOW' | 'NEXT_FRAME' | 'NEVER'

/**
 * Decides how often a change is applied again on a page that takes it away or makes new elements for it: at once ten times
 * in a second, then once a frame, and at most 200 times in a minute. After that the change rests for good, because two
 * scripts that fight each other would keep the page busy. All elements of a change that one change of the page concerns
 * count once.
 */
export function createGuard() {
  const second = { begin: 0, count: 0 }
  const minute = { begin: 0, count: 0 }
  const count = (window: typeof second, nowMs: number, lengthMs: number): number => {
    if (nowMs - window.begin >= lengthMs) Object.assign(window, { begin: nowMs, count: 0 })
    return ++window.count
  }
  return {
    /** @param nowMs a time in milliseconds that never goes back */
    ask(nowMs: number): Verdict {
      if (count(minute, nowMs, 60_000) > mostInMinute) return 'NEVER'
      return count(second, nowMs, 1_000) > atOnceInSecond ? 'NEXT_FRAME' : 'NOW'
    },
  }
}
