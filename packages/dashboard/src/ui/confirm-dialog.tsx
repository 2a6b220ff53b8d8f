import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { FailureNotice } from './failure-notice.tsx'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  /** What will happen, and whether it can be undone. */
  children: ReactNode
  /** The verb of what will happen: "Revoke", not "OK". */
  verb: string
  /** Nothing to be undone: red. */
  isDangerous?: boolean
  act: () => Promise<unknown>
  onClose: () => void
}

/** Asks before something that cannot be undone, does it, and stays open with the reason when it is refused. */
export function ConfirmDialog({ opened, title, children, verb, isDangerous, act, onClose }: ConfirmDialogProps) {
  const action = useMutation({ mutationFn: act, onSuccess: () => close() })
  const close = () => {
    onClose()
    action.reset()
  }
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <Stack gap="md">
        <Text size="sm" component="div">
          {children}
        </Text>
        <FailureNotice error={action.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button {...(isDangerous && { color: 'red' })} loading={action.isPending} onClick={() => action.mutate()}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
