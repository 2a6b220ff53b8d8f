import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'

/** What a person can do although the results do not advise it. */
export function MoreActions({ declareWinner }: { declareWinner: () => void }) {
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="More actions">
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={declareWinner}>Declare winner…</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
