import { TextInput } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm, type Checks, type Form } from '../../../ui/form/form.tsx'
import type { Fields } from '../../../ui/form/merge.ts'
import { ownZone } from '../../../ui/time/zoned-time.ts'
import { useDone, type Versioned } from '../../../versioned.ts'
import type { EditValues, Scheduled } from './edit-values.ts'
import { ScheduleFields } from './schedule-fields.tsx'

/** How a thing becomes the values of a form, and what is sent of them. */
interface Editing<Thing, Values, Update> extends Pick<Checks<Values>, 'rules' | 'partRules' | 'inputOf'> {
  valuesOf: (thing: Thing, timezone: string) => Values
  updateOf: (values: Values, before: Thing, timezone: string) => Update
  labels: { [Field in keyof Values]: string }
  shown: (field: string, value: unknown) => ReactNode
}

interface EditScheduledProps<Thing extends Scheduled & { id: string }, Values extends EditValues & Fields, Update> {
  kind: 'dataset' | 'recommendation_model'
  version: Versioned<Thing>
  editing: Editing<Thing, Values, Update>
  read: () => Promise<Versioned<Thing>>
  send: (etag: string, body: Update) => Promise<unknown>
  /** What is read again after a save. */
  paths: readonly string[]
  /** How a run begins without a schedule; null for what never runs by itself. */
  byHand: string | null
  verb: string
  summary: ReactNode
  onClose: () => void
  /** The fields between the name and the schedule. */
  children: (form: Form<Values>) => ReactNode
}

/** Edits something that runs by itself. */
export function EditScheduled<Thing extends Scheduled & { id: string }, Values extends EditValues & Fields, Update>(
  props: EditScheduledProps<Thing, Values, Update>,
) {
  const { kind, version, editing, read, send, paths, byHand, verb, summary, onClose, children } = props
  const { valuesOf, updateOf, labels, shown, ...checks } = editing
  const { content } = version
  const done = useDone()
  const changed = useChangedBy(kind, content.id)
  const [zone] = useState(ownZone)
  const known = useRef(new Map<string, Thing>()).current
  const baseOf = (each: Versioned<Thing>): Versioned<Values> => {
    known.set(each.etag, each.content)
    return { content: valuesOf(each.content, zone), etag: each.etag }
  }
  const { form, dialog } = useEditForm<Values, unknown>({
    object: `${kind.replace('_', '-')}:${content.id}`,
    base: baseOf(version),
    ...checks,
    read: async () => baseOf(await read()),
    write: (values, etag) => send(etag, updateOf(values, known.get(etag) ?? content, zone)),
    done: async (_answer, { name }) => {
      await done(`${name} saved.`, ...paths)
      onClose()
    },
    changed,
    labels,
    shown,
  })
  return (
    <SidePanel title={`Edit ${content.name}`} onClose={onClose}>
      <ApiForm form={form} verb={verb} summary={summary}>
        <TextInput {...form.field('name')} label="Name" autoComplete="off" />
        {children(form)}
        {byHand !== null && <ScheduleFields form={form} byHand={byHand} />}
      </ApiForm>
      {dialog}
    </SidePanel>
  )
}
