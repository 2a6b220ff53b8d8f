import { expect, test } from 'vitest'
import { isWorthCollecting } from './idle-memory.ts'

const mb = 1024 * 1024

test.each([
  ['idle and grown', 0.01, 60, 40, true],
  ['idle, with little to gain', 0.01, 47, 40, false],
  ['idle, and smaller than after the last collection', 0.01, 30, 40, false],
  ['grown, but requests would wait for it', 0.05, 200, 40, false],
  ['busy', 0.9, 200, 40, false],
])('%s', (_what, utilization, heapUsed, heapAfterLast, worth) => {
  expect(isWorthCollecting({ utilization, heapUsed: heapUsed * mb, heapAfterLast: heapAfterLast * mb })).toBe(worth)
})
