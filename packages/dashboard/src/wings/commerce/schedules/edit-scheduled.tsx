import { TextInput } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { ownZone } from '../../../ui/time/zoned-time.ts'
import { useDone, type Versioned } from '../../../versioned.ts'
import {
  type EditValues,
  editInput,
  editLabels,
  editOf,
  editRules,
  editShown,
  editValuesOf,
  type Scheduled,
} from './edit-values.ts'
import { ScheduleFields } from './schedule-fields.tsx'

interface EditScheduledProps<Thing extends Scheduled & { id: string }> {
  kind: 'dataset' | 'recommendation_model'
  version: Versioned<Thing>
  read: () => Promise<Versioned<Thing>>
  send: (etag: string, body: Partial<Scheduled>) => Promise<unknown>
  /** What is read again after a save. */
  paths: readonly string[]
  /** How a run begins without a schedule; null for what never runs by itself. */
  byHand: string | null
  verb: string
  summary: ReactNode
  onClose: () => void
}

/** The name of something that runs by itself, and when it runs. */
export function EditScheduled<Thing extends Scheduled & { id: string }>(props: EditScheduledProps<Thing>) {
  const { kind, version, read, send, paths, byHand, verb, summary, onClose } = props
  const { content } = version
  const done = useDone()
  const changed = useChangedBy(kind, content.id)
  const [zone] = useState(ownZone)
  const known = useRef(new Map<string, Thing>()).current
  const baseOf = (each: Versioned<Thing>): Versioned<EditValues> => {
    known.set(each.etag, each.content)
    return { content: editValuesOf(each.content, zone), etag: each.etag }
  }
  const { form, dialog } = useEditForm<EditValues, unknown>({
    object: `${kind.replace('_', '-')}:${content.id}`,
    base: baseOf(version),
    rules: editRules,
    inputOf: editInput,
    read: async () => baseOf(await read()),
    write: (values, etag) => send(etag, editOf(values, known.get(etag) ?? content, zone)),
    done: async (_answer, { name }) => {
      await done(`${name} saved.`, ...paths)
      onClose()
    },
    changed,
    labels: editLabels,
    shown: editShown,
  })
  return (
    <SidePanel title={`Edit ${content.name}`} onClose={onClose}>
      <ApiForm form={form} verb={verb} summary={summary}>
        <TextInput {...form.field('name')} label="Name" autoComplete="off" />
        {byHand !== null && <ScheduleFields form={form} byHand={byHand} />}
      </ApiForm>
      {dialog}
    </SidePanel>
  )
}
