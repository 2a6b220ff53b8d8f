import { useRouter } from '@tanstack/react-router'
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useState } from 'react'
import { undoLatest } from '../../ui/notice/recent.ts'
import { useLevel } from '../frame/level.ts'
import { isTaken, type Keys, useKeys } from '../keys.ts'
import { useOrgParams } from '../place.ts'

const load = {
  palette: () => import('../palette/palette.tsx'),
  keys: () => import('./keyboard-help.tsx'),
}
const Palette = lazy(async () => ({ default: (await load.palette()).Palette }))
const KeyboardHelp = lazy(async () => ({ default: (await load.keys()).KeyboardHelp }))

type Which = keyof typeof load

const OverlayContext = createContext<(which: Which) => void>(() => undefined)

/** Opens the palette or the list of shortcuts. */
export const useOverlay = () => useContext(OverlayContext)

/** Starts to load the palette, so that it is there when a person who points at its button clicks. */
export const preloadPalette = () => void load.palette()

/** The palette, the list of shortcuts, and the keys that work on every page. */
export function Overlays({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Which>()
  // The browser reports a moment later that a dialog has closed. The other one can be open then, and it stays.
  const closes = (which: Which) => () => setOpen((current) => (current === which ? undefined : current))
  useKeys({ '?': { label: 'Show all shortcuts', act: () => setOpen('keys') }, ...useGoing() })

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      // In a field, Ctrl Z is of the text.
      if (key === 'z' && !isTaken(event.target) && undoLatest()) event.preventDefault()
      if (key !== 'k') return
      event.preventDefault()
      // A dialog stays open: what a person typed there would be lost.
      if (!document.querySelector('[role="dialog"][aria-modal="true"], dialog[open]')) setOpen('palette')
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <OverlayContext value={setOpen}>
      {children}
      <Suspense fallback={null}>
        {open === 'palette' && <Palette close={closes('palette')} />}
        {open === 'keys' && <KeyboardHelp close={closes('keys')} />}
      </Suspense>
    </OverlayContext>
  )
}

/** `G` and a letter open the pages of the sidebar. */
function useGoing(): Keys {
  const router = useRouter()
  const { groups } = useLevel()
  const org = useOrgParams()
  const rows = groups.flatMap(({ rows }) => rows).filter(({ letter }) => letter !== '')
  return Object.fromEntries(
    rows.map(({ to, label, letter }) => {
      const params = (current: object) => ({ ...org, ...current }) as never
      return [`g ${letter}`, { label, act: () => router.navigate({ to, params }) }]
    }),
  )
}
