import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCheck } from '@tabler/icons-react'

const shownMs = 6_000
const undoMs = 10_000

interface Options {
  /** Takes the change back. The message then stays longer, and waits while the pointer is over it. */
  undo?: () => void
}

/** Shows for a while that something is done, and has it read out. Failures are shown where they happened instead. */
export function announce(message: string, { undo }: Options = {}): void {
  const id = notifications.show({
    message: undo ? (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <span>{message}</span>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          Undo
        </Button>
      </Group>
    ) : (
      message
    ),
    color: 'teal',
    icon: <IconCheck size={18} aria-hidden />,
    autoClose: undo ? undoMs : shownMs,
    closeButtonProps: { 'aria-label': 'Close this message' },
  })
}
