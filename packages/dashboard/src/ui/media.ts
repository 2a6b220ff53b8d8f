import { useSyncExternalStore } from 'react'

/** Whether a media query holds, as it changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}

/** Tables become cards. */
export const narrow = '(max-width: 640px)'
/** Columns that are less important are left out, and panels fill the window. */
export const medium = '(max-width: 900px)'
