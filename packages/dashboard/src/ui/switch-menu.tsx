import { Button, Menu } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './switch-menu.module.css'

/** A button with the current choice, and a menu with the others. The children are `Menu.Item`s. */
export function SwitchMenu({ what, chosen, children }: { what: string; chosen: string; children: ReactNode }) {
  return (
    <Menu position="bottom-start" width="max-content" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          className={classes.button}
          rightSection={<IconSelector size={16} aria-hidden />}
          aria-label={`${what}: ${chosen}`}
        >
          <span className={classes.chosen}>{chosen}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>{children}</Menu.Dropdown>
    </Menu>
  )
}
