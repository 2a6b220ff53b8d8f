import { expect, test } from 'vitest'
import { isWorthCollecting } from './idle-memory.ts'

const mb = 1024 * 1024

test.each([
  ['idle, with much garbage', 0.01, 60, 40, true],
  ['idle, with little to gain', 0.01, 47, 40, false],
  ['idle, with less than after the last collection', 0.01, 30, 40, false],
  ['with much garbage, but busy', 0.05, 200, 40, false],
  ['busy', 0.9, 200, 40, false],
])('%s', (_what, utilization, heapUsed, heapAfterLast, worth) => {
  expect(isWorthCollecting({ utilization, heapUsed: heapUsed * mb, heapAfterLast: heapAfterLast * mb })).toBe(worth)
})
