import { ActionIcon, Button } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { type ComponentType, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Hint } from '../../ui/hint/hint.tsx'
import classes from './header-menu.module.css'
import type { OpenMenu } from './header-menus.tsx'

const load = () => import('./header-menus.tsx')

const contents = {
  organization: lazy(async () => ({ default: (await load()).OrganizationMenu })),
  project: lazy(async () => ({ default: (await load()).ProjectMenu })),
  recent: lazy(async () => ({ default: (await load()).RecentMenu })),
  attention: lazy(async () => ({ default: (await load()).AttentionMenu })),
  help: lazy(async () => ({ default: (await load()).HelpMenu })),
  person: lazy(async () => ({ default: (await load()).PersonMenu })),
} satisfies Record<string, ComponentType<OpenMenu>>

interface HeaderMenuProps {
  menu: keyof typeof contents
  label: string
  /** A button with text has a sign that it opens a choice; a button with only an icon has a tooltip. */
  children: ReactNode
  look: 'switch' | 'icon' | 'plain'
}

/** A button of the header with a menu. The code of menus is loaded when a person points at the button or focuses it. */
export function HeaderMenu({ menu, label, look, children }: HeaderMenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // A press outside closes the menu before the click arrives here.
  const wasOpen = useRef(false)
  const close = () => {
    setIsOpen(false)
    const focused = document.activeElement
    if (focused === document.body || focused?.closest('[role="menu"], [role="dialog"]')) button.current?.focus()
  }
  const Content = contents[menu]
  const props = {
    ref: button,
    'aria-label': label,
    'aria-haspopup': 'menu' as const,
    'aria-expanded': isOpen,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onPointerDown: () => {
      wasOpen.current = isOpen
    },
    onClick: () => {
      setIsOpen(!wasOpen.current)
      wasOpen.current = false
    },
  }
  return (
    <div className={classes.frame}>
      {look === 'icon' ? (
        <Hint label={label} disabled={isOpen}>
          <ActionIcon {...props} variant="subtle" color="gray" c="inherit" size="lg">
            {children}
          </ActionIcon>
        </Hint>
      ) : (
        <Button
          {...props}
          variant="subtle"
          color="gray"
          size="compact-md"
          className={classes.button}
          {...(look === 'switch' && { rightSection: <IconSelector size={16} aria-hidden /> })}
        >
          {children}
        </Button>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <Content label={label} close={close} />
        </Suspense>
      )}
    </div>
  )
}
