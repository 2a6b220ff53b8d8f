import { useSyncExternalStore } from 'react'
import { distance, moment } from './distance.ts'

const tickMs = 30_000
let now = new Date()

/** One timer updates all times of a page. */
const subscribe = (() => {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  const tick = () => {
    now = new Date()
    for (const listener of listeners) listener()
  }
  return (listener: () => void) => {
    if (listeners.size === 0) {
      now = new Date()
      timer = setInterval(tick, tickMs)
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) clearInterval(timer)
    }
  }
})()

/** The current time, updated twice a minute. */
export const useNow = (): Date => useSyncExternalStore(subscribe, () => now)

/** "3 days ago", with the exact moment in its title, or `never` without a time. */
export function RelativeTime({ time, never = 'Never' }: { time: string | null; never?: string }) {
  const at = useNow()
  if (time === null) return <span>{never}</span>
  const date = new Date(time)
  // A moment after the last tick is not in the future.
  const isFresh = date > at && date.getTime() - at.getTime() < tickMs
  return (
    <time dateTime={time} title={moment(date)}>
      {distance(isFresh ? at : date, at)}
    </time>
  )
}
