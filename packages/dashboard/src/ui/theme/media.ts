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

// In em: they follow the size of text in the settings of the browser, as the zoom does.

/** Tables become cards. */
export const narrow = '(max-width: 40em)'
/** The header has room for one name only. */
export const phone = '(max-width: 30em)'
/** Columns that are less important are left out, and panels fill the window. */
export const medium = '(max-width: 56.25em)'
