import { Button, Group, Menu, TextInput } from '@mantine/core'
import { ApiError } from '@svc/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { refresh } from '../../../versioned.ts'
import { type Schedule, setAgain } from '../schedules/schedule-queries.ts'
import { type Failed, inTurns, type Wait } from '../switches/in-turns.ts'
import type { IndexedEnvironment, IndexedFlag } from './flag-filter.ts'

interface Task {
  /** "Pause 12 flags in Production". */
  title: string
  /** What visitors notice. */
  consequence: string
  verb: string
  /** "paused in Production": follows the number of flags. */
  done: string
  flags: readonly IndexedFlag[]
  act: (flag: IndexedFlag) => Promise<unknown>
  undo?: (flag: IndexedFlag) => Promise<unknown>
  /** What the button of `undo` says if it does not restore what was. */
  undoVerb?: string
}

type Choice = { environment: IndexedEnvironment; isRun: boolean } | { tag: string } | 'archive'

interface BulkActionsProps {
  flags: readonly IndexedFlag[]
  environments: readonly IndexedEnvironment[]
  onDone: () => void
}

/** The buttons for selected flags. Each says what will happen first, then how far it is, and what failed. */
export function BulkActions({ flags, environments, onDone }: BulkActionsProps) {
  const { project } = usePlace()
  const [choice, setChoice] = useState<Choice>()
  const [isTagging, setIsTagging] = useState(false)
  const pathOf = (flag: IndexedFlag) => ({ projectId: project.id, flagId: flag.key })

  const run = (environment: IndexedEnvironment) => (flag: IndexedFlag) =>
    api.POST('/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/run', {
      params: { path: { ...pathOf(flag), envId: environment.id }, header: onlyOnce() },
    })
  const pause = (environment: IndexedEnvironment) => async (flag: IndexedFlag) => {
    const { data } = await api.POST('/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/pause', {
      params: { path: { ...pathOf(flag), envId: environment.id }, header: onlyOnce() },
    })
    return data!.data.suspendedSchedules
  }
  const switching = (environment: IndexedEnvironment, isRun: boolean): Task => {
    const place = environments.findIndex(({ id }) => id === environment.id)
    const concerned = flags.filter(
      ({ states, status }) => status !== 'ARCHIVED' && (states[place]?.running === true) !== isRun,
    )
    const many = counted(concerned.length, 'flag')
    const hasFirstRuns = isRun && concerned.some(({ states }) => states[place]?.firstRun)
    const suspended = new Map<string, Schedule[]>()
    const pauseHere = async (flag: IndexedFlag) => suspended.set(flag.key, await pause(environment)(flag))
    const runAgain = async (flag: IndexedFlag) => {
      await run(environment)(flag)
      await setAgain(project.id, suspended.get(flag.key) ?? [])
    }
    return {
      title: `${isRun ? 'Run' : 'Pause'} ${many} in ${environment.name}`,
      consequence: isRun
        ? `Their rules serve.${hasFirstRuns ? ' Flags that run there for the first time are published.' : ''}`
        : 'Every visitor gets their defaults. Their rules stop serving, and their schedules are suspended.',
      verb: `${isRun ? 'Run' : 'Pause'} ${many}`,
      done: `${isRun ? 'running' : 'paused'} in ${environment.name}`,
      flags: concerned,
      act: isRun ? run(environment) : pauseHere,
      undo: isRun ? pause(environment) : runAgain,
      ...(hasFirstRuns && { undoVerb: 'Pause' }),
    }
  }
  const unarchived = flags.filter(({ status }) => status !== 'ARCHIVED')
  const archiving = (): Task => ({
    title: `Archive ${counted(unarchived.length, 'flag')}`,
    consequence: 'Archived flags leave the data files of all environments. They can be restored.',
    verb: `Archive ${counted(unarchived.length, 'flag')}`,
    done: 'archived',
    flags: unarchived,
    act: (flag) =>
      api.POST('/api/v1/projects/{projectId}/flags/{flagId}/archive', {
        params: { path: pathOf(flag), header: onlyOnce() },
      }),
    undo: (flag) =>
      api.POST('/api/v1/projects/{projectId}/flags/{flagId}/unarchive', {
        params: { path: pathOf(flag), header: onlyOnce() },
      }),
  })
  const withTags = (flag: IndexedFlag, tags: string[]) =>
    api.PATCH('/api/v1/projects/{projectId}/flags/{flagId}', {
      params: { path: pathOf(flag), header: onlyOnce() },
      body: { tags },
    })
  const tagging = (tag: string): Task => {
    const untagged = flags.filter(({ tags }) => !tags.includes(tag))
    const many = counted(untagged.length, 'flag')
    return {
      title: `Add the tag ${tag} to ${many}`,
      consequence: 'Visitors notice nothing.',
      verb: `Add tag to ${many}`,
      done: `tagged ${tag}`,
      flags: untagged,
      act: (flag) => withTags(flag, [...flag.tags, tag]),
      undo: (flag) => withTags(flag, flag.tags),
    }
  }
  // From what the flags are now: the list may have been read again since the person chose.
  const taskOf = (chosen: Choice): Task => {
    if (chosen === 'archive') return archiving()
    return 'tag' in chosen ? tagging(chosen.tag) : switching(chosen.environment, chosen.isRun)
  }

  return (
    <>
      <SwitchMenu
        verb="Run"
        environments={environments}
        onChoose={(environment) => setChoice({ environment, isRun: true })}
      />
      <SwitchMenu
        verb="Pause"
        environments={environments}
        onChoose={(environment) => setChoice({ environment, isRun: false })}
      />
      <Button variant="default" onClick={() => setIsTagging(true)}>
        Add tag
      </Button>
      <Button variant="default" onClick={() => setChoice('archive')}>
        Archive
      </Button>
      {isTagging && (
        <TagDialog
          onClose={() => setIsTagging(false)}
          onTag={(tag) => {
            setIsTagging(false)
            setChoice({ tag })
          }}
        />
      )}
      {choice && <TaskDialog task={taskOf(choice)} onClose={() => setChoice(undefined)} onDone={onDone} />}
    </>
  )
}

interface SwitchMenuProps {
  verb: 'Run' | 'Pause'
  environments: readonly IndexedEnvironment[]
  onChoose: (environment: IndexedEnvironment) => void
}

function SwitchMenu({ verb, environments, onChoose }: SwitchMenuProps) {
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default">{verb} in…</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {environments.map((environment) => (
          <Menu.Item key={environment.id} onClick={() => onChoose(environment)}>
            {environment.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function TagDialog({ onClose, onTag }: { onClose: () => void; onTag: (tag: string) => void }) {
  const [tag, setTag] = useState('')
  const isEmpty = tag.trim() === ''
  return (
    <Dialog title="Add a tag" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isEmpty) onTag(tag.trim())
        }}
      >
        <TextInput
          label="Tag"
          value={tag}
          onChange={(event) => setTag(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <Group gap="xs" mt="md">
          <Button type="submit">Continue</Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

/** More are not read, and a list of thousands would be slow. */
const failuresShown = 100

/** Says what will happen, then how far it is. Flags that could not be changed are listed with the reason. */
function TaskDialog({ task: offered, onClose, onDone }: { task: Task; onClose: () => void; onDone: () => void }) {
  const client = useQueryClient()
  // What the person has read when it begins stays, whatever is read again meanwhile.
  const [begun, setBegun] = useState<Task>()
  const task = begun ?? offered
  const [done, setDone] = useState(0)
  const [wait, setWait] = useState<Wait>()
  const [failed, setFailed] = useState<Failed<IndexedFlag>[]>()
  const ending = useRef(new AbortController())
  const readAgain = () => refresh(client, '/api/v1/projects/{projectId}/index')
  const undo = (flags: readonly IndexedFlag[]) => async () => {
    const many = counted(flags.length, 'flag')
    let back = 0
    const onDone = (done: number) => {
      back = done
    }
    // The dialog is gone, and the service may take the calls of minutes.
    const onWait = (wait?: Wait) => {
      if (wait) announce(`Changed back ${back.toLocaleString('en')} of ${many}. ${waitWords(wait)}`)
    }
    const kept = task.undo ? (await inTurns(flags, task.undo, { onDone, onWait })).failed : []
    await readAgain()
    announce(kept.length > 0 ? `${counted(kept.length, 'flag')} could not be changed back.` : 'Changed back.')
  }
  const work = useMutation({
    mutationFn: () =>
      inTurns(task.flags, task.act, { onDone: setDone, onWait: setWait, signal: ending.current.signal }),
    onSuccess: async ({ failed, left }) => {
      await readAgain()
      const unchanged = new Set([...failed.map(({ item }) => item), ...left])
      const changed = task.flags.filter((flag) => !unchanged.has(flag))
      const rest =
        left.length > 0 ? ` ${counted(left.length, 'flag')} ${left.length === 1 ? 'stays' : 'stay'} as before.` : ''
      if (changed.length > 0)
        announce(`${counted(changed.length, 'flag')} ${task.done}.${rest}`, {
          undo: task.undo && undo(changed),
          ...(task.undoVerb && { verb: task.undoVerb }),
        })
      if (failed.length > 0) return setFailed(failed)
      onClose()
      onDone()
    },
  })
  const begin = () => {
    setBegun(task)
    work.mutate()
  }
  const count = task.flags.length
  return (
    <Dialog title={task.title} onClose={onClose} isFirm={work.isPending}>
      {failed ? (
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
      ) : count === 0 ? (
        <>
          <p>All selected flags are like this already. Nothing changes.</p>
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        </>
      ) : (
        <>
          <p>{task.consequence}</p>
          {work.isPending && (
            <p role="status">
              {done.toLocaleString('en')} of {counted(count, 'flag')}
              {wait && `. ${waitWords(wait)}`}
            </p>
          )}
          <Group gap="xs">
            <Button loading={work.isPending} onClick={begin} data-autofocus>
              {task.verb}
            </Button>
            {work.isPending ? (
              <Button variant="default" onClick={() => ending.current.abort()}>
                Stop
              </Button>
            ) : (
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
            )}
          </Group>
        </>
      )}
    </Dialog>
  )
}

const waitWords = ({ until, limit }: Wait): string =>
  `The service takes ${counted(limit, 'change')} from a person in a minute. This goes on at ${until.toLocaleTimeString('en-GB')}.`
