import { expect, test } from 'vitest'
import { refusesRun, type Schedule, type ScheduleStatus, scheduleIssues, verdictOn } from './schedule.ts'

const runAt = new Date('2026-12-01T08:00:00Z')
const after = (ms: number) => new Date(runAt.getTime() + ms)
const hourMs = 3_600_000

test.each<[ScheduleStatus, number, string]>([
  ['PENDING', -1, 'leave'],
  ['PENDING', 0, 'act'],
  ['PENDING', hourMs - 1, 'act'],
  ['PENDING', hourMs, 'fail'],
  ['SUSPENDED', 0, 'leave'],
  ['DONE', 0, 'leave'],
  ['FAILED', 0, 'leave'],
  ['CANCELLED', 0, 'leave'],
])('the verdict on a %s schedule %i ms after its time is %s', (status, ms, verdict) => {
  expect(verdictOn({ status, runAt }, after(ms))).toBe(verdict)
})

const schedule: Schedule = {
  id: 's',
  flagId: 'f',
  envId: 'e',
  ruleId: null,
  isHidden: false,
  action: 'RUN',
  runAt,
  timezone: 'UTC',
  note: null,
  status: 'PENDING',
  failureReason: null,
  createdAt: runAt,
  updatedAt: runAt,
}

test('a pending run refuses a run by hand', () => {
  expect(refusesRun(schedule)).toEqual({
    refusal: 'schedule_pending',
    message: 'A run is scheduled for 2026-12-01T08:00:00.000Z. Cancel the schedule first, or wait for it.',
    details: { scheduleId: 's', action: 'RUN', runAt: '2026-12-01T08:00:00.000Z' },
  })
})

test.each<[string, Schedule | undefined]>([
  ['no schedule', undefined],
  ['a suspended run', { ...schedule, status: 'SUSPENDED' }],
  ['a pending pause', { ...schedule, action: 'PAUSE' }],
])('%s does not refuse a run by hand', (_what, open) => expect(refusesRun(open)).toBeUndefined())

const now = after(-hourMs)

test.each([
  ['UTC', runAt, []],
  ['Europe/Amsterdam', runAt, []],
  ['Europe/Atlantis', runAt, ['timezone']],
  ['+02:00', runAt, ['timezone']],
  ['', runAt, ['timezone']],
  ['UTC', now, ['runAt']],
  ['UTC', after(366 * 24 * hourMs), ['runAt']],
  ['x', now, ['runAt', 'timezone']],
])('a schedule in the zone %j at %s has issues with %j', (timezone, moment, fields) => {
  expect(scheduleIssues({ runAt: moment, timezone }, now).map(({ path }) => path[0])).toEqual(fields)
})
