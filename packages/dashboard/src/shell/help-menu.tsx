import { ActionIcon, Menu } from '@mantine/core'
import { IconApi, IconBook, IconHelp } from '@tabler/icons-react'

/** Pages that the service has outside the dashboard. */
const references = [
  { href: '/docs', label: 'Guides', Icon: IconBook },
  { href: '/docs/api-reference', label: 'API reference', Icon: IconApi },
]

export function HelpMenu() {
  return (
    <Menu position="bottom-end" width={220} transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="inherit" size="lg" aria-label="Help" title="Help">
          <IconHelp size={20} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {references.map(({ href, label, Icon }) => (
          <Menu.Item key={href} component="a" href={href} leftSection={<Icon size={16} aria-hidden />}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
