import { useSyncExternalStore } from 'react'

let lostAt: Date | null = null
const listeners = new Set<() => void>()

/** The service has answered, or not. */
export function noteAnswer(hasAnswered: boolean, now: Date): void {
  if (hasAnswered === (lostAt === null)) return
  lostAt = hasAnswered ? null : now
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Since when the service has not answered; null while it does. */
export const useLostAt = (): Date | null => useSyncExternalStore(subscribe, () => lostAt)
