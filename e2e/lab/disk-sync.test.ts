import { inFull } from '../../packages/server/testing/in-full.ts'
import { faultsOf } from './faults.ts'

const { fault, found } = faultsOf('e2e/lab/disk-sync.ts')

fault('D3 file', 'no room for the file of a feed: the job says so, the old feed stays, and a retry works later')
// `sources/sync/routes-sync` shows that what is cut off does not become visible.
inFull('commerce/jobs/routes')(
  'D3 database no room for the items of a feed: that is said, the old feed stays, and the sync ends later',
  found('D3 database'),
)
