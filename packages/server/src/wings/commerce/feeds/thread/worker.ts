import { readValues } from '../read-values.ts'
import { readVersions } from '../versions.ts'
import type { Reading } from './actions.ts'
import { readForParent } from './reading/worker.ts'

await readForParent<Reading>(({ what, of }, bytes) =>
  what === 'VERSIONS' ? readVersions(of, bytes) : readValues(of, bytes),
)
