import { type ReactNode, useEffect, useRef } from 'react'
import classes from './page-tabs.module.css'

/** The parts of a detail page, each with an address of its own. The children are `TextLink`s, which know which is open. */
export function PageTabs({ label, children }: { label: string; children: ReactNode }) {
  const tabs = useRef<HTMLElement>(null)
  // On phones the tabs scroll sideways, and the open one is in view.
  useEffect(() => {
    const open = tabs.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (open && tabs.current) tabs.current.scrollLeft = open.offsetLeft + open.offsetWidth - tabs.current.clientWidth
  }, [])
  return (
    <nav ref={tabs} className={classes.tabs} aria-label={label}>
      {children}
    </nav>
  )
}
