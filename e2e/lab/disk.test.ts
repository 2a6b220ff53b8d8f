import { expect } from 'vitest'
import { faultsOf } from './faults.ts'

const { fault } = faultsOf('e2e/lab/disk.ts')

fault(
  'D2 tables',
  'disk full when a table grows: writes and readiness report it, data files are served, and it recovers by itself',
  ({ refused, lost }) => {
    expect(refused).toBeGreaterThan(0)
    expect(lost).toBe(0)
  },
)

fault(
  'D2 log',
  'disk full when the log grows: writes and readiness report it, data files are served, and it recovers by itself',
  ({ refused, lost }) => {
    expect(refused).toBeGreaterThan(0)
    expect(lost).toBe(0)
  },
)
