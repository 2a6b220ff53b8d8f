import { lazy, Suspense, useSyncExternalStore } from 'react'
import { forgetRecent, keepRecent } from './recent.ts'

let isUsed = false
const listeners = new Set<() => void>()

interface Options {
  /** Takes back what was done. Offered with the message, and for 10 minutes under *Recent*. */
  undo?: (() => unknown) | undefined
  /** What the button says if the way back does not restore what was: "Pause". */
  verb?: string
}

/**
 * Shows for a while that something is done, and has it read out: `announce('Paused.', { undo: run })`. Failures are
 * shown where they happened instead.
 */
export function announce(message: string, { undo, verb = 'Undo' }: Options = {}): void {
  isUsed = true
  for (const listener of listeners) listener()
  const id = keepRecent(message, verb, undo && (() => takeBack(id, undo)))
  void load().then(({ show }) => show({ id, message, verb, undo: undo && (() => takeBack(id, undo)) }))
}

/** Calls Undo once, wherever it is pressed. The page of the action can be gone, so a failure is shown as a message. */
function takeBack(id: number, undo: () => unknown): void {
  forgetRecent(id)
  void load().then(async ({ hide, showFailure }) => {
    hide(id)
    try {
      await undo()
    } catch (error) {
      showFailure(error)
    }
  })
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
