import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { usePlace } from '../../../shell/place.ts'
import { FileDrop } from '../../../ui/form/file-drop.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Progress } from '../../../ui/status/progress.tsx'
import { sizeText } from '../../../ui/words/file-size.ts'
import classes from './send-file.module.css'
import { sendingInWords } from './sending.ts'
import { cancel, forget, send, type Target, useSending } from './store.ts'

interface SendFileProps {
  to: Target
  /** As of `<input accept>`. */
  accept: string
  maxBytes: number
  /** What a file has: "The columns productId, relatedId and score." */
  hint?: ReactNode
  /** What happens to it, in a sentence. */
  consequence: ReactNode
}

/** Sends one file: which one, how far it is, why it is refused, and then the job that it has become. */
export function SendFile({ to, accept, maxBytes, hint, consequence }: SendFileProps) {
  const { params } = usePlace()
  const navigate = useNavigate()
  const sending = useSending(to.id)
  const [chosen, setChosen] = useState<File>()
  const box = useRef<HTMLDivElement>(null)
  const step = sending?.status ?? (chosen ? 'CHOSEN' : 'NONE')
  useFocusAfter(box, step)
  const job = sending?.status === 'TAKEN' ? sending.job : undefined
  useEffect(() => {
    if (!job) return
    forget(to.id)
    void navigate({ to: '/$org/$project/commerce/jobs/$job', params: { ...params, job: job.id } })
  }, [job, to.id, navigate, params])
  const file = sending?.file ?? chosen
  return (
    <div ref={box} tabIndex={-1} className={classes.box}>
      {step === 'NONE' && (
        <FileDrop label="Choose a file" accept={accept} maxBytes={maxBytes} onFile={setChosen}>
          {hint}
        </FileDrop>
      )}
      {file && (step === 'CHOSEN' || step === 'REFUSED') && (
        <Stack gap="sm">
          {step === 'REFUSED' && <FailureNotice error={sending?.error} title={`${file.name} was not taken`} />}
          <Text size="sm">
            <b>{file.name}</b> ({sizeText(file.size)}). {consequence}
          </Text>
          <Group gap="xs">
            <Button onClick={() => void send(to, file)}>{step === 'REFUSED' ? 'Send it again' : 'Send file'}</Button>
            <Button
              variant="default"
              onClick={() => {
                forget(to.id)
                setChosen(undefined)
              }}
            >
              Choose another file
            </Button>
          </Group>
        </Stack>
      )}
      {sending && (step === 'SENDING' || step === 'CANCELLING' || step === 'TAKEN') && (
        <Stack gap="sm">
          <Text size="sm" fw={600}>
            {sending.file.name}
          </Text>
          <Progress label={`How much of ${sending.file.name} is sent`} done={sending.sent} of={sending.file.size} />
          <Group justify="space-between" gap="xs">
            <Text size="sm">{sendingInWords(sending)}</Text>
            <Button variant="default" disabled={step !== 'SENDING'} onClick={() => void cancel(to.id)}>
              Cancel
            </Button>
          </Group>
          <Text size="xs" c="dimmed">
            You can look at other pages meanwhile. Do not close this tab.
          </Text>
        </Stack>
      )}
    </div>
  )
}

/** The button that was pressed is gone after each step, so the focus goes to what takes its place. */
function useFocusAfter(box: { current: HTMLDivElement | null }, step: string): void {
  const before = useRef(step)
  useEffect(() => {
    if (before.current !== step) box.current?.focus()
    before.current = step
  }, [box, step])
}
