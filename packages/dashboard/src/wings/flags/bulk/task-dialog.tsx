import { Box, Button, Group } from '@mantine/core'
import { ApiError } from '@svc/client'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { clockTime } from '../../../ui/time/dates.ts'
import { counted } from '../../../ui/words/lists.ts'
import { refresh } from '../../../versioned.ts'
import type { IndexedFlag } from '../flags/flag-filter.ts'
import { type Failed, inTurns, type Wait } from '../switches/in-turns.ts'
import type { Task } from './bulk-tasks.ts'

/** More are not read, and a list of thousands would be slow. */
const failuresShown = 100

interface TaskDialogProps {
  task: Task
  onClose: () => void
  onDone: () => void
}

/** Says what will happen, then how far it is. Flags that could not be changed are listed with the reason. */
export function TaskDialog({ task: offered, onClose, onDone }: TaskDialogProps) {
  // What the person has read when it begins stays, whatever is read again meanwhile.
  const [begun, setBegun] = useState<Task>()
  const task = begun ?? offered
  const work = useWork(task, () => {
    onClose()
    onDone()
  })
  const begin = () => {
    setBegun(task)
    work.begin()
  }
  return (
    <Dialog title={task.title} onClose={onClose} isFirm={work.isPending}>
      {work.failed ? (
        <Failures failed={work.failed} onClose={onClose} />
      ) : task.flags.length === 0 ? (
        <>
          <p>All selected flags are already like this. Nothing changes.</p>
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        </>
      ) : (
        <>
          <p>{task.consequence}</p>
          {task.warning && (
            <Box mb="md">
              <Notice tone="warning">{task.warning}</Notice>
            </Box>
          )}
          {work.isPending && (
            <p role="status">
              {work.done.toLocaleString('en')} of {counted(task.flags.length, 'flag')}
              {work.wait && `. ${waitWords(work.wait)}`}
            </p>
          )}
          <Group gap="xs">
            <Button loading={work.isPending} onClick={begin} data-autofocus>
              {task.verb}
            </Button>
            <Button variant="default" onClick={work.isPending ? work.stop : onClose}>
              {work.isPending ? 'Stop' : 'Cancel'}
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  )
}

/** Does it flag by flag. `ended` is called if no flag has failed. */
function useWork(task: Task, ended: () => void) {
  const client = useQueryClient()
  const [done, setDone] = useState(0)
  const [wait, setWait] = useState<Wait>()
  const [failed, setFailed] = useState<Failed<IndexedFlag>[]>()
  const ending = useRef(new AbortController())
  const work = useMutation({
    mutationFn: () =>
      inTurns(task.flags, task.act, { onDone: setDone, onWait: setWait, signal: ending.current.signal }),
    onSuccess: async ({ failed, left }) => {
      await readAgain(client)
      const unchanged = new Set([...failed.map(({ item }) => item), ...left])
      const changed = task.flags.filter((flag) => !unchanged.has(flag))
      const rest =
        left.length > 0 ? ` ${counted(left.length, 'flag')} ${left.length === 1 ? 'stays' : 'stay'} as before.` : ''
      if (changed.length > 0)
        announce(`${counted(changed.length, 'flag')} ${task.done}.${rest}`, {
          undo: task.undo && (() => changeBack(client, changed, task.undo!)),
          ...(task.undoVerb && { verb: task.undoVerb }),
        })
      if (failed.length > 0) setFailed(failed)
      else ended()
    },
  })
  return { begin: work.mutate, stop: () => ending.current.abort(), isPending: work.isPending, done, wait, failed }
}

const readAgain = (client: QueryClient) => refresh(client, '/api/v1/projects/{projectId}/index')

/** The dialog is gone, and the service may take the calls of minutes: messages say how far it is. */
async function changeBack(
  client: QueryClient,
  flags: readonly IndexedFlag[],
  undo: NonNullable<Task['undo']>,
): Promise<void> {
  const many = counted(flags.length, 'flag')
  let back = 0
  const onDone = (done: number) => {
    back = done
  }
  const onWait = (wait?: Wait) => {
    if (wait) announce(`Changed back ${back.toLocaleString('en')} of ${many}. ${waitWords(wait)}`)
  }
  const { failed } = await inTurns(flags, undo, { onDone, onWait })
  await readAgain(client)
  announce(failed.length > 0 ? `${counted(failed.length, 'flag')} could not be changed back.` : 'Changed back.')
}

function Failures({ failed, onClose }: { failed: readonly Failed<IndexedFlag>[]; onClose: () => void }) {
  return (
    <>
      <p>{counted(failed.length, 'flag')} could not be changed:</p>
      <ul>
        {failed.slice(0, failuresShown).map(({ item, error }) => (
          <li key={item.key}>
            {item.name}: {error instanceof ApiError ? error.message : String(error)}
          </li>
        ))}
        {failed.length > failuresShown && <li>{counted(failed.length - failuresShown, 'more flag')}</li>}
      </ul>
      <Button onClick={onClose} data-autofocus>
        Close
      </Button>
    </>
  )
}

const waitWords = ({ until, limit }: Wait): string =>
  `The service accepts ${counted(limit, 'change')} per person and minute. This continues at ${clockTime(until)}.`
