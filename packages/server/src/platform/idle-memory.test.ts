import { expect, test } from 'vitest'
import { isWorthCollecting } from './idle-memory.ts'

const mb = 1024 * 1024

test.each([
  ['idle, with a heap that grew', 0.01, { heap: 110, process: 400 }, true],
  ['idle, in a process that grew although the heap did not', 0.01, { heap: 45, process: 500 }, true],
  ['idle, with little to gain', 0.01, { heap: 71, process: 431 }, false],
  ['idle, with less than after the last collection', 0.01, { heap: 30, process: 300 }, false],
  ['with much garbage, but busy', 0.05, { heap: 300, process: 800 }, false],
  ['busy', 0.9, { heap: 300, process: 800 }, false],
])('%s', (_what, utilization, now, worth) => {
  const state = { utilization, now: bytes(now), afterLast: bytes({ heap: 40, process: 400 }) }
  expect(isWorthCollecting(state)).toBe(worth)
})

const bytes = ({ heap, process }: { heap: number; process: number }) => ({ heap: heap * mb, process: process * mb })
