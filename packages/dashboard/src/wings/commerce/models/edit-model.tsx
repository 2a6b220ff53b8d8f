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
import { type Model, modelPath, modelsPath, readModel } from './model.ts'
import { byHand } from './model-words.ts'

const indexPath = '/api/v1/projects/{projectId}/index'

/** The name of a model, and when it runs by itself. */
export function EditModel({ model, onClose }: { model: Versioned<Model>; onClose: () => void }) {
  const { project } = usePlace()
  const { content } = model
  const done = useDone()
  const changed = useChangedBy('recommendation_model', content.id)
  const [zone] = useState(ownZone)
  const known = useRef(new Map<string, Model>()).current
  const baseOf = (version: Versioned<Model>): Versioned<EditValues> => {
    known.set(version.etag, version.content)
    return { content: editValuesOf(version.content, zone), etag: version.etag }
  }
  const { form, dialog } = useEditForm<EditValues, unknown>({
    object: `recommendation-model:${content.id}`,
    base: baseOf(model),
    rules: editRules,
    inputOf: editInput,
    read: async () => baseOf(await readModel(project.id, content.id)),
    write: async (values, etag) => {
      const body = editOf(values, known.get(etag) ?? content, zone)
      const params = { path: { projectId: project.id, modelId: content.id }, header: onlyIf(etag) }
      return versioned(await api.PATCH(modelPath, { params, body }))
    },
    done: async (_answer, { name }) => {
      await done(`${name} saved.`, modelsPath, modelPath, indexPath)
      onClose()
    },
    changed,
    labels: editLabels,
    shown: editShown,
  })
  return (
    <SidePanel title={`Edit ${content.name}`} onClose={onClose}>
      <ApiForm form={form} verb="Save recommendation model" summary="The run that serves goes on.">
        <TextInput {...form.field('name')} label="Name" autoComplete="off" />
        <ScheduleFields form={form} byHand={byHand} />
      </ApiForm>
      {dialog}
    </SidePanel>
  )
}
