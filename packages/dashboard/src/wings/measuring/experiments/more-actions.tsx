import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'

interface MoreActionsProps {
  /** Although the results do not advise it. */
  declareWinner: (() => void) | undefined
  duplicate: (() => void) | undefined
}

/** What a person seldom does. */
export function MoreActions({ declareWinner, duplicate }: MoreActionsProps) {
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="More actions">
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {declareWinner && <Menu.Item onClick={declareWinner}>Declare winner…</Menu.Item>}
        {duplicate && <Menu.Item onClick={duplicate}>Duplicate experiment…</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}
