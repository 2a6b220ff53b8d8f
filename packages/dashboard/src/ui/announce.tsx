import { notifications } from '@mantine/notifications'
import { IconCheck } from '@tabler/icons-react'

const shownMs = 6_000

/** Shows for a while that something is done, and has it read out. Failures are shown where they happened instead. */
export function announce(message: string): void {
  notifications.show({
    message,
    color: 'teal',
    icon: <IconCheck size={18} aria-hidden />,
    autoClose: shownMs,
    closeButtonProps: { 'aria-label': 'Close this message' },
  })
}
