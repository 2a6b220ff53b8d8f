import { Button, Menu, Text } from '@mantine/core'
import { IconLogout, IconUserCircle } from '@tabler/icons-react'
import { MenuLink } from '../ui/links.tsx'
import { navigationFor } from './navigation.ts'
import classes from './person-menu.module.css'
import { useOrganization, useSession } from './session.ts'
import { useSignOut } from './sign-out.ts'
import { useDoors } from './wing.ts'

/** The signed-in person: name, own settings and sign-out. */
export function PersonMenu() {
  const { user } = useSession()
  const organization = useOrganization()
  const { navigation } = useDoors()
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
        {navigationFor(navigation, 'account', organization)
          .flatMap(({ rows }) => rows)
          .map(({ to, label, Icon }) => (
            <MenuLink key={to} to={to} leftSection={<Icon size={16} aria-hidden />}>
              {label}
            </MenuLink>
          ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
