import { expect } from 'vitest'
import { faultsOf } from './faults.ts'

const fault = faultsOf('e2e/lab/disk.ts')

fault(
  'D2 tables',
  'disk full when a table grows: writes and readiness say so, data files go on, and it recovers alone',
  ({ refused, lost }) => {
    expect(refused).toBeGreaterThan(0)
    expect(lost).toBe(0)
  },
)

fault(
  'D2 log',
  'disk full when the write-ahead log grows: writes and readiness say so, data files go on, and it recovers alone',
  ({ refused, lost }) => {
    expect(refused).toBeGreaterThan(0)
    expect(lost).toBe(0)
  },
)
