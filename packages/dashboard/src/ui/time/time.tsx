import { useSyncExternalStore } from 'react'
import { Hint } from '../hint/hint.tsx'
import { moments } from './dates.ts'
import { distance, shortDistance } from './distance.ts'

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

interface TimeProps {
  time: string | null
  /** Shown without a time. */
  never?: string
  /** "3 d" in place of "3 days ago", for narrow columns. */
  isShort?: boolean
  /** Keyboards can reach it. Leave this out in tables, where it would be a stop in each row. */
  isStop?: boolean
}

/** "3 days ago". The exact moment, local and in UTC, is there on hover and on focus. */
export function Time({ time, never = 'Never', isShort = false, isStop = false }: TimeProps) {
  const at = useNow()
  if (time === null) return <span>{never}</span>
  const date = new Date(time)
  // A moment after the last tick is not in the future.
  const isFresh = date > at && date.getTime() - at.getTime() < tickMs
  const words = isShort ? shortDistance : distance
  const [local, utc] = moments(date)
  return (
    <Hint
      label={
        <>
          {local}
          <br />
          {utc}
        </>
      }
    >
      <time dateTime={time} {...(isStop && { tabIndex: 0 })}>
        {words(isFresh ? at : date, at)}
      </time>
    </Hint>
  )
}
