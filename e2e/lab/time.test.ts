import { expect } from 'vitest'
import { faultsOf } from './faults.ts'

const ladderMinutes = 14 * 60 + 36

const fault = faultsOf('e2e/lab/time.ts')

fault('ladder', 'six attempts over 14 h 36 min, none before its time', ({ attempts, climbedMinutes }) => {
  expect(attempts).toBe(6)
  expect(climbedMinutes).toBeGreaterThanOrEqual(ladderMinutes)
})

fault('keys', 'an idempotency key is kept for 24 h and no longer')

fault('records', 'deliveries are listed for 30 days, and then deleted')

fault('W13', 'clock +2 h, −30 min, +1 year: no burst, no negative waits')
