import { Button, Group, Menu, TextInput } from '@mantine/core'
import { useState } from 'react'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import type { IndexedEnvironment, IndexedFlag } from '../flags/flag-filter.ts'
import { type Choice, taskOf } from './bulk-tasks.ts'
import { TaskDialog } from './task-dialog.tsx'

interface BulkActionsProps {
  flags: readonly IndexedFlag[]
  environments: readonly IndexedEnvironment[]
  onDone: () => void
}

/** The buttons for selected flags. Each says what will happen first, then how far it is, and what failed. */
export function BulkActions({ flags, environments, onDone }: BulkActionsProps) {
  const { project } = usePlace()
  const now = useNow()
  const [choice, setChoice] = useState<Choice>()
  const [isTagging, setIsTagging] = useState(false)
  // Uses the flags as they are now, because the list can have been read again since the person chose.
  const task = choice && taskOf(choice, { projectId: project.id, flags, environments, now })
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
      {task && <TaskDialog task={task} onClose={() => setChoice(undefined)} onDone={onDone} />}
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
