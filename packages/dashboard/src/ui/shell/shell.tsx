import { ActionIcon } from '@mantine/core'
import { IconExternalLink, IconMenu2, IconX } from '@tabler/icons-react'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ProjectSwitch } from '../../features/projects/project-switch.tsx'
import { OrganizationSwitch } from '../../features/sessions/organization-switch.tsx'
import { PersonMenu } from '../../features/sessions/person-menu.tsx'
import { useOrganization } from '../../features/sessions/session.ts'
import { ColorSchemeSwitch } from '../color-scheme-switch.tsx'
import { Mark } from '../mark.tsx'
import { navigation, references } from './navigation.ts'
import classes from './shell.module.css'

/** The frame of every page inside: where one is, where one can go, and who one is. */
export function Shell() {
  const organization = useOrganization()
  const main = useRef<HTMLElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: in narrow windows every navigation closes the menu
  useEffect(() => setIsOpen(false), [path])

  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/useValidAnchor: a link it is; the address keeps no # because single-use links stand there */}
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
          <OrganizationSwitch />
          {organization && <ProjectSwitch />}
        </div>
        <PersonMenu />
      </header>
      <nav
        id="navigation"
        className={classes.nav}
        data-open={isOpen}
        aria-label="Main"
        onKeyDown={(event) => event.key === 'Escape' && setIsOpen(false)}
      >
        {navigation.map(({ title, links }) => {
          const shown = links.filter(({ isFor }) => !isFor || (organization && isFor(organization)))
          return (
            shown.length > 0 && (
              <div key={title} className={classes.group}>
                <div className={classes.title} id={`navigation-${title}`}>
                  {title}
                </div>
                <ul aria-labelledby={`navigation-${title}`}>
                  {shown.map(({ to, label, Icon }) => (
                    <li key={to}>
                      <Link to={to} className={classes.link} activeOptions={{ exact: true, includeSearch: false }}>
                        <Icon size={18} aria-hidden />
                        {label}
                      </Link>
                    </li>
                  ))}
                </ul>
              </div>
            )
          )
        })}
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
        {/* Another organization is another world: nothing of a page stays. */}
        <Outlet key={organization?.id ?? 'none'} />
      </main>
    </div>
  )
}
