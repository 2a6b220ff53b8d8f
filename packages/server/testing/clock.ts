export interface TestClock {
  now(): Date
  move(byMs: number): void
}

/** A clock that shows one time until the test advances it. */
export function standingClock(start = '2026-11-20T10:00:00.000Z'): TestClock {
  let ms = Date.parse(start)
  return {
    now: () => new Date(ms),
    move: (byMs) => {
      ms += byMs
    },
  }
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
