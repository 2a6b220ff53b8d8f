import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { wasOvertaken } from '../form/overtaken.ts'
import { focusOwnFault } from '../form/own-faults.ts'
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

/** The dialog is about the version from when it opened, so the same button would be refused again. */
const overtaken =
  'Another person has changed this meanwhile. Nothing was done. Close this dialog, check what changed, then open it again.'

/** Asks before an action, carries it out and closes. If the action is refused, it stays open and shows the reason. */
export function ConfirmDialog({ title, children, verb, isDangerous, refused, act, onClose }: ConfirmDialogProps) {
  const action = useMutation({ mutationFn: act, onSuccess: onClose })
  const content = useRef<HTMLDivElement>(null)
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack gap="md">
        <Text size="sm" component="div" ref={content}>
          {children}
        </Text>
        {refused !== undefined && <Notice tone="warning">{refused}</Notice>}
        <FailureNotice error={action.error} {...(wasOvertaken(action.error) && { messages: [overtaken] })} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {refused === undefined ? 'Cancel' : 'Close'}
          </Button>
          {refused === undefined && (
            <Button
              {...(isDangerous && { color: 'red' })}
              loading={action.isPending}
              onClick={() => focusOwnFault(content.current) || action.mutate()}
            >
              {verb}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
