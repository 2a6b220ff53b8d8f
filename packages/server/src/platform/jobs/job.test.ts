import { expect, test } from 'vitest'
import { findingOf, retryAt, type Watched } from './job.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const queued = (minutes: number, more: Partial<Watched> = {}): Watched => ({
  ...{ status: 'QUEUED', dueAt: ago(minutes), leasedUntil: null, unendedClaims: 0, isBehind: false },
  ...more,
})
const running = (leaseEndedMinutesAgo: number, more: Partial<Watched> = {}): Watched => ({
  ...{ status: 'RUNNING', dueAt: ago(60), leasedUntil: ago(leaseEndedMinutesAgo), unendedClaims: 1, isBehind: false },
  ...more,
})

test.each([
  ['a job that is due for less than 15 minutes is fine', queued(14.9), null],
  ['a job that nobody took for 15 minutes is told', queued(15), 'No worker took the run due at 2026-11-20T11:45:00Z.'],
  ['a job that waits for another one is fine', queued(60, { isBehind: true }), null],
  ['a job with a lease is fine', running(-1), null],
  ['a job whose lease ended a moment ago is fine', running(4.9), null],
  ['a job that is silent for 5 minutes is told', running(5), 'The run stopped answering at 2026-11-20T11:55:00Z.'],
  [
    'a job that was taken four times without an end is told',
    running(-1, { unendedClaims: 4 }),
    'The run stopped answering at 2026-11-20T12:01:00Z.',
  ],
  ['a job that was taken three times is fine', running(-1, { unendedClaims: 3 }), null],
] as const)('%s', (_, watched, finding) => {
  expect(findingOf(watched, now)).toBe(finding)
})

test.each([
  [0, '2026-11-20T12:01:00.000Z'],
  [1, '2026-11-20T12:05:00.000Z'],
  [2, undefined],
])('after %i failed tries the next one is at %s', (failures, expected) => {
  expect(retryAt(failures, [60_000, 300_000], now)?.toISOString()).toBe(expected)
})
