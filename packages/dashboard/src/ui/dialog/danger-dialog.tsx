import { Button, Code, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { FailureNotice } from '../notice/failure-notice.tsx'
import { Notice } from '../notice/notice.tsx'
import { counted } from '../words/lists.ts'
import { Dialog } from './dialog.tsx'

interface DangerDialogProps {
  title: string
  /** What will be gone, and for whom. */
  children: ReactNode
  /** Names the action: "Delete flag". */
  verb: string
  /** What must be typed: the key or the name. */
  typed: string
  /** What refers to it and so blocks the action, each with a link. With any, nothing can be typed. */
  references?: readonly { key: string; link: ReactNode }[]
  act: () => Promise<unknown>
  onClose: () => void
}

/** Asks before something final: the key or the name must be typed. What can be restored uses `ConfirmDialog` or Undo. */
export function DangerDialog({ title, children, verb, typed, references = [], act, onClose }: DangerDialogProps) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  const action = useMutation({ mutationFn: act, onSuccess: onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (action.isPending) return
    if (text.trim() !== typed) return setFault(`Type ${typed} exactly.`)
    action.mutate()
  }
  const isBlocked = references.length > 0
  return (
    <Dialog onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm" component="div">
            {children}
          </Text>
          <FailureNotice error={action.error} />
          {isBlocked ? (
            <Notice tone="warning" title={`Still used in ${counted(references.length, 'place')}`}>
              Remove it there first.
              <List size="sm" mt="xs">
                {references.map(({ key, link }) => (
                  <List.Item key={key}>{link}</List.Item>
                ))}
              </List>
            </Notice>
          ) : (
            <TextInput
              label={
                <>
                  Type <Code>{typed}</Code> to confirm
                </>
              }
              value={text}
              error={fault}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                setText(event.currentTarget.value)
                setFault(undefined)
              }}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} data-autofocus>
              {isBlocked ? 'Close' : 'Cancel'}
            </Button>
            {!isBlocked && (
              <Button type="submit" color="red" loading={action.isPending}>
                {verb}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
