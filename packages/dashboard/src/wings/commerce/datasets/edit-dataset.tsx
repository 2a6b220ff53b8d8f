import { api } from '../../../api.ts'
import { indexPath } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { PercentField } from '../../../ui/form/percent-field.tsx'
import { onlyIf, type Versioned, versioned } from '../../../versioned.ts'
import { EditScheduled } from '../schedules/edit-scheduled.tsx'
import { type Dataset, datasetPath, datasetsPath, readDataset } from './dataset.ts'
import { inputOf, labels, partRules, rules, shown, updateOf, valuesOf } from './dataset-form.ts'
import { byHand } from './dataset-words.ts'
import { InteractionFields } from './interaction-fields.tsx'

const editing = { valuesOf, updateOf, rules, partRules, inputOf, labels, shown }

/** The name of a dataset, which events it has, when a version is held, and when one is derived by itself. */
export function EditDataset({ dataset, onClose }: { dataset: Versioned<Dataset>; onClose: () => void }) {
  const { project } = usePlace()
  const { id, kind } = dataset.content
  const isDerived = kind === 'INTERACTIONS'
  return (
    <EditScheduled
      kind="dataset"
      version={dataset}
      editing={editing}
      read={() => readDataset(project.id, id)}
      send={async (etag, body) => {
        const params = { path: { projectId: project.id, datasetId: id }, header: onlyIf(etag) }
        return versioned(await api.PATCH(datasetPath, { params, body }))
      }}
      paths={[datasetsPath, datasetPath, indexPath]}
      byHand={isDerived ? byHand : null}
      verb="Save dataset"
      summary="The active version stays. Changes count from the next version on."
      onClose={onClose}
    >
      {(form) => (
        <>
          {isDerived && <InteractionFields form={form} />}
          <PercentField
            name="maxRowDrop"
            label="Rows that can be gone"
            description="Of those of the active version. A version with fewer is held until a person activates it."
            value={form.values.maxRowDrop}
            error={form.error('maxRowDrop')}
            onChange={(basisPoints) => form.set('maxRowDrop', basisPoints)}
          />
          <PercentField
            name="maxUnknownShare"
            label="Rows of unknown products"
            description="Products that the catalog does not have. A version with more is held."
            value={form.values.maxUnknownShare}
            error={form.error('maxUnknownShare')}
            onChange={(basisPoints) => form.set('maxUnknownShare', basisPoints)}
          />
        </>
      )}
    </EditScheduled>
  )
}
