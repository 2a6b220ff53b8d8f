import { TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { api } from '../../../api.ts'
import { useEditForm } from '../../../shell/edit-form.tsx'
import { useChangedBy } from '../../../shell/live.tsx'
import { usePlace } from '../../../shell/place.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { ApiForm } from '../../../ui/form/form.tsx'
import { ownZone } from '../../../ui/time/zoned-time.ts'
import { onlyIf, useDone, type Versioned, versioned } from '../../../versioned.ts'
import {
  type EditValues,
  editInput,
  editLabels,
  editOf,
  editRules,
  editShown,
  editValuesOf,
} from '../schedules/edit-values.ts'
import { ScheduleFields } from '../schedules/schedule-fields.tsx'
import { type Dataset, datasetPath, datasetsPath, readDataset } from './dataset.ts'
import { byHand } from './dataset-words.ts'

const indexPath = '/api/v1/projects/{projectId}/index'

/** The name of a dataset, and when a version is derived by itself. */
export function EditDataset({ dataset, onClose }: { dataset: Versioned<Dataset>; onClose: () => void }) {
  const { project } = usePlace()
  const { content } = dataset
  const done = useDone()
  const changed = useChangedBy('dataset', content.id)
  const [zone] = useState(ownZone)
  const known = useRef(new Map<string, Dataset>()).current
  const baseOf = (version: Versioned<Dataset>): Versioned<EditValues> => {
    known.set(version.etag, version.content)
    return { content: editValuesOf(version.content, zone), etag: version.etag }
  }
  const { form, dialog } = useEditForm<EditValues, unknown>({
    object: `dataset:${content.id}`,
    base: baseOf(dataset),
    rules: editRules,
    inputOf: editInput,
    read: async () => baseOf(await readDataset(project.id, content.id)),
    write: async (values, etag) => {
      const body = editOf(values, known.get(etag) ?? content, zone)
      const params = { path: { projectId: project.id, datasetId: content.id }, header: onlyIf(etag) }
      return versioned(await api.PATCH(datasetPath, { params, body }))
    },
    done: async (_answer, { name }) => {
      await done(`${name} saved.`, datasetsPath, datasetPath, indexPath)
      onClose()
    },
    changed,
    labels: editLabels,
    shown: editShown,
  })
  return (
    <SidePanel title={`Edit ${content.name}`} onClose={onClose}>
      <ApiForm form={form} verb="Save dataset" summary="The active version stays.">
        <TextInput {...form.field('name')} label="Name" autoComplete="off" />
        {content.kind === 'INTERACTIONS' && <ScheduleFields form={form} byHand={byHand} />}
      </ApiForm>
      {dialog}
    </SidePanel>
  )
}
