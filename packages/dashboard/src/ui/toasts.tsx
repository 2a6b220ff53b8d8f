import { Button, Group } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { ApiError } from '@svc/client'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

const shownMs = 6_000
/** Longer, so that there is time to find and press the button. The clock stops while the message is hovered or focused. */
const shownWithUndoMs = 10_000

interface Announcement {
  id: number
  message: string
  /** What the button says. */
  verb: string
  /** Offered as a button for as long as the message is shown. */
  undo?: (() => void) | undefined
}

export const Toasts = () => <Notifications position="bottom-right" />

const nameOf = (id: number) => `announcement-${id}`

export function show({ id, message, verb, undo }: Announcement): void {
  notifications.show({
    id: nameOf(id),
    message: undo ? (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button size="compact-sm" variant="default" onClick={undo}>
          {verb}
        </Button>
      </Group>
    ) : (
      message
    ),
    color: 'teal',
    icon: <IconCheck size={18} aria-hidden />,
    autoClose: undo ? shownWithUndoMs : shownMs,
    closeButtonProps,
  })
}

export const hide = (id: number): void => void notifications.hide(nameOf(id))

/** An Undo that failed: it stays until it is closed. */
export function showFailure(error: unknown): void {
  notifications.show({
    title: 'Not undone',
    message: error instanceof ApiError ? error.message : 'Another person has changed it meanwhile.',
    color: 'red',
    icon: <IconAlertTriangle size={18} aria-hidden />,
    autoClose: false,
    closeButtonProps,
  })
}

const closeButtonProps = { 'aria-label': 'Close this message' }
