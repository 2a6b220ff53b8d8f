import { ActionIcon } from '@mantine/core'
import { IconExternalLink, IconMenu2, IconX, type TablerIcon } from '@tabler/icons-react'
import { Link, type LinkProps, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ColorSchemeSwitch } from '../ui/color-scheme-switch.tsx'
import { Mark } from '../ui/mark.tsx'
import classes from './shell.module.css'

export interface ShellLink {
  to: LinkProps['to'] & string
  label: string
  Icon: TablerIcon
}

interface ShellProps {
  navigation: { title: string; links: ShellLink[] }[]
  /** Pages that the service has outside the dashboard. */
  references: { href: string; label: string; Icon: TablerIcon }[]
  /** In the header, beside the name of the product: organization and project. */
  switches: ReactNode
  /** At the end of the header: who is signed in. */
  person: ReactNode
  /** The page. */
  children: ReactNode
}

/** The frame around every page for people who are signed in: header, navigation and content. */
export function Shell({ navigation, references, switches, person, children }: ShellProps) {
  const main = useRef<HTMLElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: in narrow windows every navigation closes the menu
  useEffect(() => setIsOpen(false), [path])

  return (
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
        <div className={classes.switches}>{switches}</div>
        {person}
      </header>
      <nav
        id="navigation"
        className={classes.nav}
        data-open={isOpen}
        aria-label="Main"
        onKeyDown={(event) => event.key === 'Escape' && setIsOpen(false)}
      >
        {navigation.map(({ title, links }) => (
          <div key={title}>
            <div className={classes.title} id={`navigation-${title}`}>
              {title}
            </div>
            <ul aria-labelledby={`navigation-${title}`}>
              {links.map(({ to, label, Icon }) => (
                <li key={to}>
                  <Link to={to} className={classes.link} activeOptions={{ exact: true, includeSearch: false }}>
                    <Icon size={18} aria-hidden />
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <div className={classes.end}>
          <ul aria-label="Documentation">
            {references.map(({ href, label, Icon }) => (
              <li key={href}>
                <a href={href} className={classes.link}>
                  <Icon size={18} aria-hidden />
                  {label}
                  <IconExternalLink size={14} aria-hidden />
                </a>
              </li>
            ))}
          </ul>
          <ColorSchemeSwitch />
        </div>
      </nav>
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </div>
  )
}
