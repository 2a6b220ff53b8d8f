const maxRemembered = 10_000

export interface Throttle {
  isDue(key: string): boolean
  /** Call this if the work that was let through failed: the next call passes at once. */
  forget(key: string): void
}

/** Lets each key through once per interval, so that a busy client costs memory and not writes. */
export function throttle(now: () => Date, intervalMs: number): Throttle {
  const lastByKey = new Map<string, number>()
  return {
    isDue(key) {
      const at = now().getTime()
      if (at - (lastByKey.get(key) ?? -intervalMs) < intervalMs) return false
      lastByKey.delete(key)
      lastByKey.set(key, at)
      const [oldest] = lastByKey.keys()
      if (lastByKey.size > maxRemembered && oldest !== undefined) lastByKey.delete(oldest)
      return true
    },
    forget: (key) => void lastByKey.delete(key),
  }
}
