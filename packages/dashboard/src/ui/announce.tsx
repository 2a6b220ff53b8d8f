import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { Announcement } from './toasts.tsx'

let isUsed = false
const listeners = new Set<() => void>()

/**
 * Shows for a while that something is done, and has it read out: `announce('Paused.', { undo: run })`. Failures are
 * shown where they happened instead.
 */
export function announce(message: string, { undo }: Omit<Announcement, 'message'> = {}): void {
  isUsed = true
  for (const listener of listeners) listener()
  void load().then(({ show }) => show({ message, undo }))
}

const load = () => import('./toasts.tsx')
const Toasts = lazy(async () => ({ default: (await load()).Toasts }))

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The place of announcements, once in the document. Its code is loaded with the first announcement. */
export function Announcements() {
  const isWanted = useSyncExternalStore(subscribe, () => isUsed)
  return (
    isWanted && (
      <Suspense fallback={null}>
        <Toasts />
      </Suspense>
    )
  )
}
