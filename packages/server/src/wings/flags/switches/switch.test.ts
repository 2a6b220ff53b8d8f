import { expect, test } from 'vitest'
import { deliveryRule, off, on, versionOf } from '../../../../testing/versions.ts'
import { isRefusal, refuse } from '../../../catalogue/refusals.ts'
import type { FlagEnvironment } from '../../model/versions/index.ts'
import type { Flag } from '../flags/index.ts'
import type { Schedule } from './schedules/schedule.ts'
import { decideSwitch, type Next, type Standing, type Wanted } from './switch.ts'

const now = new Date('2026-11-20T09:00:00Z')
const later = new Date('2026-11-20T10:00:00Z')

const flag = {
  id: 'f',
  version: 3,
  variations: [on, off].map((variation) => ({ ...variation, name: variation.key })),
  everEnabled: false,
  everArchived: false,
  archivedAt: null,
} as Flag

const live = versionOf([deliveryRule('a')])
const draft = versionOf([deliveryRule('b')])
const paused = {
  flagId: 'f',
  envId: 'e',
  enabled: false,
  draft,
  live,
  published: true,
  lastPublishedRevision: 1,
  stagedBy: {},
}
const running = { ...paused, enabled: true }
const rules = new Map([
  ['a', { enabled: true, experimentId: null, launches: false }],
  ['b', { enabled: false, experimentId: null, launches: false }],
])

const schedule = (edit: Partial<Schedule> = {}): Schedule => ({
  id: 's',
  flagId: 'f',
  envId: 'e',
  ruleId: null,
  isHidden: false,
  action: 'RUN',
  runAt: later,
  timezone: 'UTC',
  note: null,
  status: 'PENDING',
  failureReason: null,
  createdAt: now,
  updatedAt: now,
  ...edit,
})

const standing = (edit: Partial<Standing> = {}): Standing => ({ flag, row: paused, rules, schedules: [], ...edit })
const archived = { ...flag, archivedAt: now }
const ofEnvironment = (enabled: boolean): Wanted => ({ move: { ruleId: null, enabled } })
const ofRule = (ruleId: string, enabled: boolean): Wanted => ({ move: { ruleId, enabled } })
const decide = (on: Standing, wanted: Wanted) => decideSwitch(on, wanted, now)

function decided(on: Standing, wanted: Wanted): Next {
  const next = decide(on, wanted)
  if (isRefusal(next)) throw new Error(next.message)
  return next
}

test.each<[string, Partial<Standing>, Wanted, boolean]>([
  ['a run of a paused environment', {}, ofEnvironment(true), true],
  ['a run of a running environment', { row: running }, ofEnvironment(true), false],
  ['a pause of a running environment', { row: running }, ofEnvironment(false), true],
  ['a pause of a paused environment', {}, ofEnvironment(false), false],
  ['a pause of a rule that is on', {}, ofRule('a', false), true],
  ['a run of a rule that is on and live', {}, ofRule('a', true), false],
  ['a run of a rule that is off', {}, ofRule('b', true), true],
  ['a pause of an archived flag', { flag: archived }, ofEnvironment(false), false],
  ['a request without a move', {}, { move: null }, false],
])('decides whether %s moves the switch', (_what, edit, wanted, moves) => {
  expect(decided(standing(edit), wanted).moved !== null).toBe(moves)
})

test.each<[string, Partial<Standing>, Wanted, string]>([
  ['a run of an archived flag', { flag: archived }, ofEnvironment(true), 'invalid_state'],
  ['a run of a rule of an archived flag', { flag: archived }, ofRule('b', true), 'invalid_state'],
  ['an unknown rule', {}, ofRule('x', false), 'not_found'],
  ['a run while a run is scheduled', { schedules: [schedule()] }, ofEnvironment(true), 'schedule_pending'],
  [
    'a run of a rule while its run is scheduled',
    { schedules: [schedule({ ruleId: 'b' })] },
    ofRule('b', true),
    'schedule_pending',
  ],
  ['a variation of a different flag', {}, { move: null, defaultVariationId: 'v-x' }, 'validation_failed'],
  [
    'a failed precondition',
    {},
    { move: null, precondition: refuse('precondition_failed', 'It has changed.') },
    'precondition_failed',
  ],
])('is refused: %s', (_what, edit, wanted, kind) => {
  expect(decide(standing(edit), wanted)).toMatchObject({ refusal: kind })
})

test('the first run makes the draft live and drops rules that are no longer in it', () => {
  const { row, moved } = decided(standing({ row: { ...paused, published: false } }), ofEnvironment(true))
  expect(row).toMatchObject({ enabled: true, published: true, live: draft })
  expect(moved).toMatchObject({ tookDraftLive: true, droppedRules: ['a'] })
})

test('the guard allows a run that changes nothing', () => {
  expect(decide(standing({ row: running, schedules: [schedule()] }), ofEnvironment(true))).toMatchObject({
    moved: null,
  })
})

test('a scheduled run of a rule does not guard the environment', () => {
  expect(isRefusal(decide(standing({ schedules: [schedule({ ruleId: 'b' })] }), ofEnvironment(true)))).toBe(false)
})

test.each<[string, Wanted, string[]]>([
  ['a pause of the environment suspends its runs and those of its rules', ofEnvironment(false), ['own', 'of-rule']],
  ['a pause of a rule suspends only the runs of the rule', ofRule('a', false), ['of-rule']],
])('%s', (_what, wanted, suspended) => {
  const schedules = [
    schedule({ id: 'of-rule', ruleId: 'a', runAt: new Date(later.getTime() + 1) }),
    schedule({ id: 'own' }),
    schedule({ id: 'of-another', ruleId: 'b', action: 'PAUSE' }),
    schedule({ id: 'stopped', ruleId: 'b', status: 'SUSPENDED' }),
  ]
  const { endings } = decided(standing({ row: running, schedules }), wanted)
  expect(endings.map(({ schedule }) => schedule.id)).toEqual(suspended)
  expect(new Set(endings.map(({ status }) => status))).toEqual(new Set(['SUSPENDED']))
})

test('a different default is staged before the switch moves, and increments the version', () => {
  const wanted = { ...ofEnvironment(true), defaultVariationId: on.id }
  const next = decided(standing({ row: { ...paused, published: false } }), wanted)
  expect(next).toMatchObject({ staged: true, flag: { version: 4 }, row: { live: { defaultVariationId: on.id } } })
})

test.each<[string, Partial<Schedule>, Partial<Standing>, string[], boolean]>([
  ['is done when it is due', { runAt: now }, {}, ['DONE'], true],
  ['is done if it changes nothing', { runAt: now }, { row: running }, ['DONE'], false],
  ['fails if the switch is refused', { runAt: now }, { flag: archived }, ['FAILED'], false],
  ['fails if it is too late', { runAt: new Date(now.getTime() - 3_600_000) }, {}, ['FAILED'], false],
  ['waits until it is due', { runAt: later }, {}, [], false],
])('a schedule %s', (_what, edit, more, statuses, moves) => {
  const next = decided(standing({ ...more, schedules: [schedule(edit)] }), { scheduleId: 's' })
  expect(next.endings.map(({ status }) => status)).toEqual(statuses)
  expect(next.moved !== null).toBe(moves)
})

test.each<[string, Schedule['action'], FlagEnvironment, string]>([
  ['is refused while the flag is paused, so that a run of the flag does not start it', 'RUN', paused, 'FAILED'],
  ['is done while the flag runs', 'RUN', running, 'DONE'],
  ['to pause is never refused', 'PAUSE', paused, 'DONE'],
])('a schedule of an experiment %s', (_what, action, row, status) => {
  const owned = new Map([['b', { enabled: action === 'PAUSE', experimentId: 'x', launches: false }]])
  const due = schedule({ action, runAt: now, ruleId: 'b' })
  const next = decided(standing({ row, rules: owned, schedules: [due] }), { scheduleId: 's' })
  expect(next.endings).toMatchObject([{ status }])
  expect(next.moved !== null).toBe(status === 'DONE')
})

test('a schedule that has ended meanwhile changes nothing', () => {
  expect(decided(standing(), { scheduleId: 's' })).toMatchObject({ moved: null, endings: [] })
})
