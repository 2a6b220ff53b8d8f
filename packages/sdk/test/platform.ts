import type { Platform, Timer } from '../src/requests/platform.ts'

interface Pending extends Timer {
  run: () => void
  dueMs: number
  delayMs: number
  referenced: boolean
}

/** A platform whose time stands still until `advance` moves it. With `random` 0.5 there is no jitter. */
export function manualPlatform(given: Partial<Pick<Platform, 'sdkType' | 'random'>> = {}) {
  const pending = new Set<Pending>()
  const listeners = new Set<(isHidden: boolean) => void>()
  let nowMs = Date.UTC(2026, 10, 20)

  const next = (untilMs: number): Pending | undefined =>
    [...pending].filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0]

  const platform: Platform = {
    sdkType: 'node',
    random: () => 0.5,
    ...given,
    now: () => nowMs,
    setTimeout(run, delayMs) {
      const timer: Pending = {
        run,
        delayMs,
        dueMs: nowMs + delayMs,
        referenced: true,
        ref: () => {
          timer.referenced = true
        },
        unref: () => {
          timer.referenced = false
        },
      }
      pending.add(timer)
      return timer
    },
    onVisibility(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    clearTimeout: (timer) => {
      pending.delete(timer as Pending)
    },
  }

  return {
    platform,
    hide(): void {
      for (const listener of listeners) listener(true)
    },
    show(): void {
      for (const listener of listeners) listener(false)
    },
    /** The timers that have not fired, soonest first. */
    pending: () => [...pending].sort((a, b) => a.dueMs - b.dueMs),
    advance(byMs: number): void {
      const untilMs = nowMs + byMs
      for (let timer = next(untilMs); timer; timer = next(untilMs)) {
        pending.delete(timer)
        nowMs = timer.dueMs
        timer.run()
      }
      nowMs = untilMs
    },
  }
}
