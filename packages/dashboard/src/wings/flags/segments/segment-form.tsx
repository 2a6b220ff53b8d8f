import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ApiForm, first, required, useForm } from '../../../ui/form.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { useMergedSave } from '../references/merged-save.tsx'
import { listPath, onePath, readSegment, type Segment } from './segment.ts'

interface SegmentDialogProps {
  /** Without it, the dialog creates a segment. */
  segment?: Versioned<Segment>
  onClose: () => void
  done?: (segment: Segment) => unknown
}

/** Creates a segment, or edits its name and description. The ids are edited on its page. */
export function SegmentDialog(props: SegmentDialogProps) {
  const { segment, onClose } = props
  return (
    <Dialog onClose={onClose} title={segment ? `Edit ${segment.content.name}` : 'Create a segment'}>
      <SegmentForm {...props} />
    </Dialog>
  )
}

type Values = { name: string; description: string }

const fieldsOf = ({ name, description }: Segment): Values => ({ name, description: description ?? '' })
const bodyOf = ({ name, description }: Values) => ({ name, description: description.trim() || null })

function SegmentForm({ segment, onClose, done: created }: SegmentDialogProps) {
  const { project } = usePlace()
  const done = useDone()
  const changed = useChangedBy('segment', segment?.content.id ?? '')
  const [base] = useState(() => segment && { content: fieldsOf(segment.content), etag: segment.etag })
  const segmentId = segment?.content.id ?? ''
  const finish = async ({ name }: Values) => {
    await done(`${name} saved.`, listPath, onePath, '/api/v1/projects/{projectId}/index')
    onClose()
  }
  const save = useMergedSave<Values>({
    base: base ?? { content: { name: '', description: '' }, etag: '' },
    read: async () => {
      const { content, etag } = await readSegment(project.id, segmentId)
      return { content: fieldsOf(content), etag }
    },
    write: (values, etag) =>
      api.PATCH(onePath, {
        params: { path: { projectId: project.id, segmentId }, header: onlyIf(etag) },
        body: bodyOf(values),
      }),
    done: finish,
    who: changed?.name,
    labels: { name: 'The name', description: 'The description' },
  })
  const form = useForm<Values, Segment | boolean>({
    initial: base?.content ?? { name: '', description: '' },
    rules: { name: required('Enter a name.') },
    send: async (values) => {
      if (segment) return save.send(values)
      const { data } = await api.POST(listPath, {
        params: { path: { projectId: project.id }, header: onlyOnce() },
        body: bodyOf(values),
      })
      return data!.data
    },
    done: async (answer, values) => {
      if (typeof answer !== 'boolean') {
        await done(`${answer.name} created.`, listPath, '/api/v1/projects/{projectId}/index')
        onClose()
        await created?.(answer)
      } else if (answer) await finish(values)
    },
  })
  return (
    <>
      <ApiForm form={form} verb={segment ? 'Save segment' : 'Create segment'}>
        <TextInput
          {...form.field('name')}
          label="Name"
          description="What people read, for example: Pilot customers."
          autoComplete="off"
          {...first}
        />
        <Textarea {...form.field('description')} label="Description" autosize minRows={2} />
      </ApiForm>
      {save.dialog}
    </>
  )
}
