import { faultsOf } from './faults.ts'

const fault = faultsOf('e2e/lab/disk-sync.ts')

fault('D3 file', 'no room for the file of a feed: the job says so, the old feed stays, and a retry works later')
fault('D3 database', 'no room for the items of a feed: that is said, the old feed stays, and the sync ends later')
