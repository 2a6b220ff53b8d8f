import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FailureNotice } from '../notice/failure-notice.tsx'
import { Notice } from '../notice/notice.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  title: string
  /** What will happen, and whether it can be undone. */
  children: ReactNode
  /** Names the action: "Revoke", not "OK". */
  verb: string
  /** It cannot be undone. The button is red. */
  isDangerous?: boolean
  /** Why it cannot be done now, and what to do first. The button is gone then. */
  refused?: ReactNode
  act: () => Promise<unknown>
  onClose: () => void
}

/** Asks before an action, carries it out and closes. If the action is refused, it stays open and shows the reason. */
export function ConfirmDialog({ title, children, verb, isDangerous, refused, act, onClose }: ConfirmDialogProps) {
  const action = useMutation({ mutationFn: act, onSuccess: onClose })
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack gap="md">
        <Text size="sm" component="div">
          {children}
        </Text>
        {refused !== undefined && <Notice tone="warning">{refused}</Notice>}
        <FailureNotice error={action.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {refused === undefined ? 'Cancel' : 'Close'}
          </Button>
          {refused === undefined && (
            <Button {...(isDangerous && { color: 'red' })} loading={action.isPending} onClick={() => action.mutate()}>
              {verb}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
