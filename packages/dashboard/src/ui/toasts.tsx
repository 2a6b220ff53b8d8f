import { Button, Group } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { IconCheck } from '@tabler/icons-react'

const shownMs = 6_000
/** Longer, so that there is time to find and press the button. The clock stops while the message is hovered or focused. */
const shownWithUndoMs = 10_000

export interface Announcement {
  message: string
  /** Takes back what was done. Offered as a button for as long as the message is shown. */
  undo?: (() => unknown) | undefined
}

export const Toasts = () => <Notifications position="bottom-right" />

export function show({ message, undo }: Announcement): void {
  const id = notifications.show({
    message: undo ? (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button
          size="compact-sm"
          variant="default"
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
    autoClose: undo ? shownWithUndoMs : shownMs,
    closeButtonProps: { 'aria-label': 'Close this message' },
  })
}
