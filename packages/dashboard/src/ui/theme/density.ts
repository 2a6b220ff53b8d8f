import { useSyncExternalStore } from 'react'

export type Density = 'comfortable' | 'compact'

/** public/color-scheme.js sets it before the first paint. */
const key = 'svc-density'
const listeners = new Set<() => void>()

const read = (): Density => (document.documentElement.dataset.density === 'compact' ? 'compact' : 'comfortable')

function choose(density: Density): void {
  document.documentElement.dataset.density = density
  localStorage.setItem(key, density)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** How dense tables and controls are, and how to change it. Kept in this browser. Touch is always comfortable. */
export const useDensity = (): [density: Density, choose: (density: Density) => void] => [
  useSyncExternalStore(subscribe, read),
  choose,
]
