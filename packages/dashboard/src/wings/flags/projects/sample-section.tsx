import { Checkbox } from '@mantine/core'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'

const path = '/api/v1/projects/{projectId}'

type Version = Versioned<{ id: string; samplesVisitors: boolean }>

const valuesOf = ({ content: { samplesVisitors }, etag }: Version) => ({ content: { samplesVisitors }, etag })

/** Whether the service keeps a sample of visitors. */
export function SampleSection({ version, read }: { version: Version; read: () => Promise<Version> }) {
  const { id } = version.content
  const done = useDone()
  const { form, dialog } = useEditForm({
    // The form of the name is kept apart.
    object: `project-sample:${id}`,
    base: valuesOf(version),
    read: async () => valuesOf(await read()),
    write: (body, etag) => api.PATCH(path, { params: { path: { projectId: id }, header: onlyIf(etag) }, body }),
    done: (_answer, { samplesVisitors }) =>
      done(samplesVisitors ? 'Visitors are sampled.' : 'Visitors are no longer sampled.', '/api/v1/projects', path),
    labels: { samplesVisitors: 'The sample of visitors' },
  })
  return (
    <Section
      title="Sample of visitors"
      description="For suggestions of attributes and values that visitors really have, and to estimate who matches an audience."
    >
      <ApiForm form={form} verb="Save sample">
        <Checkbox
          label="Keep a sample of visitors with their attributes"
          description="At most 1,000 visitors of an environment, for 7 days. Without this, the sample is deleted within minutes."
          checked={form.values.samplesVisitors}
          onChange={(event) => form.set('samplesVisitors', event.currentTarget.checked)}
        />
      </ApiForm>
      {dialog}
    </Section>
  )
}
