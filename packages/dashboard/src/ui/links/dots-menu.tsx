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
    <Menu position="bottom-end">
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
