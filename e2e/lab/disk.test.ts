import { expect } from 'vitest'
import { isFull } from '../../packages/server/testing/full.ts'
import { faultsOf } from './faults.ts'

const fault = faultsOf('e2e/lab/disk.ts')

// The answers are the same when the log grows, where more can be lost.
if (isFull)
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
