import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { ConflictDialog } from '../src/ui/dialog/conflict-dialog.tsx'
import { SidePanel } from '../src/ui/dialog/side-panel.tsx'
import { ErrorSummary } from '../src/ui/form/error-summary.tsx'
import { FileDrop } from '../src/ui/form/file-drop.tsx'
import { useKept } from '../src/ui/form/kept-form.ts'
import { merge } from '../src/ui/form/merge.ts'
import { Notice } from '../src/ui/notice/notice.tsx'
import { Specimen } from './gallery.tsx'
import { hostile } from './samples.ts'

const faults = [
  { name: 'name', message: 'Enter a name.' },
  { name: 'key', message: 'Use lower-case letters, digits and hyphens.' },
]

export default function Forms() {
  return (
    <>
      <SeveralFaults />
      <Kept />
      <File />
      <PanelAndConflict />
    </>
  )
}

function SeveralFaults() {
  const form = useRef<HTMLFormElement>(null)
  return (
    <Specimen title="Several faults">
      <form ref={form} noValidate>
        <Stack gap="md">
          <ErrorSummary faults={faults} form={form} />
          <TextInput label="Name" name="name" error="Enter a name." />
          <TextInput label="Key" name="key" defaultValue="Not a key" error={faults[1]?.message} />
        </Stack>
      </form>
    </Specimen>
  )
}

function Kept() {
  const kept = useKept({
    place: { person: 'ada', object: 'gallery', etag: '"1"' },
    initial: { name: '', secret: '' },
    secrets: ['secret'],
  })
  return (
    <Specimen title="A form that survives a reload">
      <Stack gap="md" align="flex-start">
        {kept.isRestored && (
          <Notice
            actions={
              <Button variant="default" onClick={kept.discard}>
                Discard
              </Button>
            }
          >
            These are your unsaved changes from before.
          </Notice>
        )}
        <TextInput
          label="Kept name"
          value={kept.values.name}
          onChange={(event) => kept.set({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Secret, never kept"
          value={kept.values.secret}
          onChange={(event) => kept.set({ secret: event.currentTarget.value })}
        />
      </Stack>
    </Specimen>
  )
}

function File() {
  const [file, setFile] = useState<string>()
  return (
    <Specimen title="File">
      <FileDrop
        label="Choose a CSV file"
        accept=".csv,text/csv"
        maxBytes={1_000_000}
        onFile={({ name }) => setFile(name)}
      >
        One visitor id in each line.
      </FileDrop>
      {file && <Text size="sm">{file}</Text>}
    </Specimen>
  )
}

function PanelAndConflict() {
  const [isOpen, setIsOpen] = useState(false)
  const [isConflict, setIsConflict] = useState(false)
  return (
    <Specimen title="Panel and conflict">
      <Group gap="xs">
        <Button onClick={() => setIsOpen(true)}>Edit in a panel</Button>
        <Button variant="default" onClick={() => setIsConflict(true)}>
          Conflict
        </Button>
      </Group>
      {isOpen && <Panel onClose={() => setIsOpen(false)} />}
      {isConflict && <Conflict onClose={() => setIsConflict(false)} />}
    </Specimen>
  )
}

const Panel = ({ onClose }: { onClose: () => void }) => (
  <SidePanel
    title="Edit rollout: Beta users in Benelux"
    description="Production"
    onClose={onClose}
    actions={
      <>
        <Button>Save draft</Button>
        <Text size="sm" c="dimmed">
          Visitors get it with the next publish.
        </Text>
      </>
    }
  >
    <Stack gap="md">
      {Array.from({ length: 14 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields are all alike
        <TextInput key={at} label={`Field ${at + 1}`} defaultValue={at === 2 ? hostile.long : ''} />
      ))}
    </Stack>
  </SidePanel>
)

const Conflict = ({ onClose }: { onClose: () => void }) => (
  <ConflictDialog
    who="Olive"
    merged={merge(
      { share: '25 %', name: 'Beta users', place: 'first' },
      { share: '50 %', name: hostile.long, place: 'first' },
      { share: '40 %', name: hostile.markup, place: 'second' },
    )}
    labels={{ share: 'Share', name: 'Name', place: 'The place of the rule' }}
    shown={(_field, value) => String(value)}
    onSave={onClose}
    onClose={onClose}
  />
)
