import { Box, Button, Group } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { ApiError } from '@svc/client'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

/** From the moment at which the message is neither hovered nor focused. */
const shownMs = 10_000

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

export function show({ id: number, message: text, verb, undo }: Announcement): void {
  const id = nameOf(number)
  const message = undo ? (
    <Group wrap="nowrap">
      <Box flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Box>
      <Button flex="none" size="compact-sm" variant="default" onClick={undo}>
        {verb}
      </Button>
    </Group>
  ) : (
    text
  )
  // The library waits by itself only while the message is hovered.
  const closeAfter = (autoClose: number | false) => void notifications.update({ id, message, autoClose })
  notifications.show({
    id,
    message,
    color: 'teal',
    icon: <IconCheck size={18} aria-hidden />,
    autoClose: shownMs,
    onFocusCapture: () => closeAfter(false),
    onBlurCapture: () => closeAfter(shownMs),
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
