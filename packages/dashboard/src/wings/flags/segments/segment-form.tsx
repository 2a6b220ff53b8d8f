import { Textarea, TextInput } from '@mantine/core'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ApiForm, first, required } from '../../../ui/form/form.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
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

const fresh: Versioned<Values> = { content: { name: '', description: '' }, etag: '' }
const valuesOf = ({ content: { name, description }, etag }: Versioned<Segment>): Versioned<Values> => ({
  content: { name, description: description ?? '' },
  etag,
})
const bodyOf = ({ name, description }: Values) => ({ name, description: description.trim() || null })

function SegmentForm({ segment, onClose, done: created }: SegmentDialogProps) {
  const { project } = usePlace()
  const done = useDone()
  const segmentId = segment?.content.id ?? ''
  const path = { projectId: project.id, segmentId }
  const changed = useChangedBy('segment', segmentId)
  const { form, dialog } = useEditForm<Values, Segment>({
    object: segment ? `segment:${segmentId}` : `new-segment:${project.id}`,
    base: segment ? valuesOf(segment) : fresh,
    rules: { name: required('Enter a name.') },
    read: async () => valuesOf(await readSegment(project.id, segmentId)),
    write: async (values, etag) => {
      const body = bodyOf(values)
      const { data } = segment
        ? await api.PATCH(onePath, { params: { path, header: onlyIf(etag) }, body })
        : await api.POST(listPath, { params: { path, header: onlyOnce() }, body })
      return data!.data
    },
    done: async (saved) => {
      const verb = segment ? 'saved' : 'created'
      await done(`${saved.name} ${verb}.`, listPath, onePath, '/api/v1/projects/{projectId}/index')
      onClose()
      await created?.(saved)
    },
    changed,
    labels: { name: 'The name', description: 'The description' },
  })
  return (
    <>
      <ApiForm form={form} verb={segment ? 'Save segment' : 'Create segment'}>
        <TextInput
          {...form.field('name')}
          label="Name"
          description="For example: Pilot customers."
          autoComplete="off"
          {...first}
        />
        <Textarea {...form.field('description')} label="Description" autosize minRows={2} />
      </ApiForm>
      {dialog}
    </>
  )
}
