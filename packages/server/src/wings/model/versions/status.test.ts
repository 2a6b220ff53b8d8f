import { expect, it } from 'vitest'
import { statusOf } from './status.ts'

const archivedAt = new Date()

it.each([
  // archived, enabled somewhere, ever enabled, ever archived
  [false, false, false, false, 'DRAFT'],
  [false, true, true, false, 'RUNNING'],
  [false, false, true, false, 'PAUSED'],
  [false, false, false, true, 'PAUSED'],
  [false, true, true, true, 'RUNNING'],
  [false, false, true, true, 'PAUSED'],
  [true, false, false, true, 'ARCHIVED'],
  [true, false, true, true, 'ARCHIVED'],
  [true, true, true, true, 'ARCHIVED'],
])(
  'archived %s, enabled somewhere %s, ever enabled %s, ever archived %s gives %s',
  (archived, enabled, ran, was, status) => {
    const history = { archivedAt: archived ? archivedAt : null, everEnabled: ran, everArchived: was }
    expect(statusOf(history, enabled)).toBe(status)
  },
)
