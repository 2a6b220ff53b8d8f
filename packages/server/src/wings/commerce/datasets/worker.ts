import type { Sweep } from '../../../platform/retention/index.ts'
import { sweepVersions } from './queries.ts'

const hourMs = 3_600_000
const keptOfDataset = 5

/** Old versions with their rows, and what arrived and never became a version. */
export const datasetSweeps: readonly Sweep[] = [
  {
    name: 'dataset_versions',
    everyMs: hourMs,
    keepForMs: 24 * hourMs,
    sweep: (db, before, limit) => sweepVersions(db, before, keptOfDataset, limit),
  },
]
