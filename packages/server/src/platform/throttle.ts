import { entryBytes, heldMap, type Room, roomOf } from './held.ts'

const usuallyRemembered = 10_000

export interface Throttle {
  isDue(key: string): boolean
  /** Call this if the work that was let through failed: the next call passes at once. */
  forget(key: string): void
}

/** Lets each key through once per interval, so that a busy client costs memory and not writes. */
export function throttle(
  now: () => Date,
  intervalMs: number,
  room: Room = roomOf(usuallyRemembered * entryBytes),
): Throttle {
  const last = heldMap<number>(room)
  return {
    isDue(key) {
      const at = now().getTime()
      if (at - (last.get(key) ?? -intervalMs) < intervalMs) return false
      last.set(at, key)
      return true
    },
    forget: (key) => last.delete(key),
  }
}
