import { api } from '../../../api.ts'
import { indexPath } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { onlyIf, type Versioned, versioned } from '../../../versioned.ts'
import { EditScheduled } from '../schedules/edit-scheduled.tsx'
import { type Dataset, datasetPath, datasetsPath, readDataset } from './dataset.ts'
import { byHand } from './dataset-words.ts'

/** The name of a dataset, and when a version is derived by itself. */
export function EditDataset({ dataset, onClose }: { dataset: Versioned<Dataset>; onClose: () => void }) {
  const { project } = usePlace()
  const { id, kind } = dataset.content
  return (
    <EditScheduled
      kind="dataset"
      version={dataset}
      read={() => readDataset(project.id, id)}
      send={async (etag, body) => {
        const params = { path: { projectId: project.id, datasetId: id }, header: onlyIf(etag) }
        return versioned(await api.PATCH(datasetPath, { params, body }))
      }}
      paths={[datasetsPath, datasetPath, indexPath]}
      byHand={kind === 'INTERACTIONS' ? byHand : null}
      verb="Save dataset"
      summary="The active version stays."
      onClose={onClose}
    />
  )
}
