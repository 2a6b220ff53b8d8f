import { api } from '../../../api.ts'
import { indexPath } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { onlyIf, type Versioned, versioned } from '../../../versioned.ts'
import { EditScheduled } from '../schedules/edit-scheduled.tsx'
import { LearnsFromFields } from './dataset-field.tsx'
import { type Model, modelPath, modelsPath, readModel } from './model.ts'
import { inputOf, labels, partRules, rules, shown, updateOf, valuesOf } from './model-form.ts'
import { byHand } from './model-words.ts'

const editing = { valuesOf, updateOf, rules, partRules, inputOf, labels, shown }

/** The name of a model, what it learns from, and when it runs by itself. */
export function EditModel({ model, onClose }: { model: Versioned<Model>; onClose: () => void }) {
  const { project } = usePlace()
  const { id } = model.content
  return (
    <EditScheduled
      kind="recommendation_model"
      version={model}
      editing={editing}
      read={() => readModel(project.id, id)}
      send={async (etag, body) => {
        const params = { path: { projectId: project.id, modelId: id }, header: onlyIf(etag) }
        return versioned(await api.PATCH(modelPath, { params, body }))
      }}
      paths={[modelsPath, modelPath, indexPath]}
      byHand={byHand}
      verb="Save recommendation model"
      summary="The active run keeps serving. Changes count from the next run on."
      onClose={onClose}
    >
      {(form) => <LearnsFromFields form={form} />}
    </EditScheduled>
  )
}
