import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface DotsMenuProps {
  /** For screen readers: "Actions for Olive". */
  label: string
  /** Beside the buttons of a row, instead of those of a page. */
  isInRow?: boolean
  children: ReactNode
}

/** What is seldom done, behind three dots. */
export function DotsMenu({ label, isInRow = false, children }: DotsMenuProps) {
  return (
    // The placeholder for the focus is no item, which a menu may not contain: the focus goes to the first item.
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          aria-label={label}
          {...(isInRow ? { variant: 'subtle', color: 'gray' } : { variant: 'default', size: 'lg' })}
        >
          <IconDots size={isInRow ? 16 : 18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
