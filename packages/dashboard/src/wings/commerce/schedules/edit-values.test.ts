import { expect, test } from 'vitest'
import { editInput, editOf, editRules, editShown, editValuesOf } from './edit-values.ts'

const zone = 'Europe/Amsterdam'
const before = { name: 'Viewed', schedule: { every: 'DAY', at: '03:45', timezone: 'UTC' } } as const
const values = editValuesOf(before, zone)

test.each([
  [{}, {}],
  [{ name: 'Seen' }, { name: 'Seen' }],
  [{ every: 'NONE' as const }, { schedule: null }],
  [{ at: '04:00' }, { schedule: { every: 'DAY', at: '04:00', timezone: 'UTC' } }],
])('an edit sends what has changed: %j', (change, body) => {
  expect(editOf({ ...values, ...change }, before, zone)).toEqual(body)
})

test('an issue with the schedule is at the input that is shown', () => {
  expect(editInput(['schedule', 'cron'], { ...values, every: 'CRON' })).toBe('cron')
  expect(editInput(['name'], values)).toBeUndefined()
})

test('a name is asked for, and a conflict says when it runs in words', () => {
  expect(editRules.name(' ')).toBe('Enter a name.')
  expect(editShown('every', 'HOUR')).toBe('Every hour')
  expect(editShown('name', 'Seen')).toBeUndefined()
})
