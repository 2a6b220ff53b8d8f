import { Box, Button, Group } from '@mantine/core'
import { Notifications, notifications, notificationsStore } from '@mantine/notifications'
import { ApiError } from '@svc/client'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

/** From the moment at which the message is neither hovered nor focused. */
const shownMs = 10_000

/** How many messages are shown at once. The library would make a new one wait until an old one goes. */
const most = 4

interface Announcement {
  id: number
  message: string
  /** What the button says. */
  verb: string
  /** Offered as a button for as long as the message is shown. */
  undo?: (() => void) | undefined
}

// Failures stay until they are closed. They must not make others wait either.
export const Toasts = () => <Notifications position="bottom-right" limit={20} />

const prefix = 'announcement-'
const nameOf = (id: number) => `${prefix}${id}`

export function show({ id: number, message: text, verb, undo }: Announcement): void {
  const id = nameOf(number)
  makeRoom()
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

/** Takes away the oldest messages, so that another one can be shown. */
function makeRoom(): void {
  const standing = notificationsStore.getState().notifications.flatMap(({ id }) => (id?.startsWith(prefix) ? [id] : []))
  for (const oldest of standing.slice(0, standing.length - most + 1)) notifications.hide(oldest)
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
