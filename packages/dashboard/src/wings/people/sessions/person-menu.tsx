import { Button, Menu, Text } from '@mantine/core'
import { IconLogout, IconUserCircle } from '@tabler/icons-react'
import { MenuLink } from '../../../ui/links.tsx'
import classes from './person-menu.module.css'
import { useSession } from './session.ts'
import { useSignOut } from './sign-out.ts'

/** The signed-in person: name, own settings and sign-out. */
export function PersonMenu() {
  const { user } = useSession()
  const signOut = useSignOut()
  return (
    <Menu position="bottom-end" width={240} transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          c="inherit"
          className={classes.button}
          leftSection={<IconUserCircle size={22} aria-hidden />}
          aria-label={`You: ${user.name}`}
        >
          <span className={classes.name}>{user.name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <Text size="sm" fw={600} truncate>
            {user.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {user.email}
          </Text>
        </div>
        <Menu.Divider />
        <MenuLink to="/account" leftSection={<IconUserCircle size={16} aria-hidden />}>
          Profile and security
        </MenuLink>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
