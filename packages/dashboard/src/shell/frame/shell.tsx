import { ActionIcon } from '@mantine/core'
import { IconMenu2, IconX } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Mark } from '../../ui/door/mark.tsx'
import { Overlays } from '../keyboard/overlays.tsx'
import { Breadcrumb, HeaderEnd } from './header.tsx'
import { OfflineBar } from './offline-bar.tsx'
import classes from './shell.module.css'
import { Sidebar } from './sidebar.tsx'

/** The frame around every page for people who are signed in: header, navigation and content. */
export function Shell({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: in narrow windows every navigation closes the menu
  useEffect(() => setIsOpen(false), [path])

  return (
    <Overlays>
      <div className={classes.frame}>
        {/* biome-ignore lint/a11y/useValidAnchor: this is a link, but its address gets no #, which carries single-use links */}
        <a
          href="#main"
          className={classes.skip}
          onClick={(event) => {
            event.preventDefault()
            main.current?.focus()
          }}
        >
          Skip to the content
        </a>
        <header className={classes.header}>
          <ActionIcon
            className={classes.toggle}
            variant="subtle"
            color="gray"
            c="inherit"
            size="lg"
            aria-label="Navigation"
            aria-expanded={isOpen}
            aria-controls="navigation"
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? <IconX size={20} aria-hidden /> : <IconMenu2 size={20} aria-hidden />}
          </ActionIcon>
          <Link to="/" className={classes.brand} aria-label="Svc: all projects">
            <Mark />
            <span className={classes.name}>Svc</span>
          </Link>
          <div className={classes.switches}>
            <Breadcrumb />
          </div>
          <HeaderEnd />
        </header>
        <nav
          id="navigation"
          className={classes.nav}
          data-open={isOpen}
          aria-label="Main"
          onKeyDown={(event) => event.key === 'Escape' && setIsOpen(false)}
        >
          <Sidebar />
        </nav>
        <div className={classes.offline}>
          <OfflineBar />
        </div>
        <main id="main" ref={main} tabIndex={-1} className={classes.main}>
          {children}
        </main>
      </div>
    </Overlays>
  )
}
