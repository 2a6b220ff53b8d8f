import { notifications } from '@mantine/notifications'
import { IconCheck } from '@tabler/icons-react'

const shownMs = 6_000

/** Says that something was done: shown for a while and read out. What failed is said where it failed instead. */
export function announce(message: string): void {
  notifications.show({
    message,
    color: 'teal',
    icon: <IconCheck size={18} aria-hidden />,
    autoClose: shownMs,
    closeButtonProps: { 'aria-label': 'Close this message' },
  })
}
