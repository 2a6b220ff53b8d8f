import type { ReactNode } from 'react'
import classes from './page-tabs.module.css'

/** The parts of a detail page, each with an address of its own. The children are `TextLink`s, which know which is open. */
export function PageTabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {children}
    </nav>
  )
}
