import { expect, it } from 'vitest'
import { connectionOf } from './connection.ts'

const now = new Date('2026-06-15T12:00:00.000Z')

it.each([
  [null, 'NEVER'],
  ['2026-06-15T12:00:05.000Z', 'CONNECTED'],
  ['2026-06-15T11:59:30.000Z', 'CONNECTED'],
  ['2026-06-15T11:58:30.000Z', 'CONNECTED'],
  ['2026-06-15T11:58:29.999Z', 'SILENT'],
  ['2026-06-14T12:00:00.000Z', 'SILENT'],
])('a last heartbeat at %s means %s', (lastHeartbeatAt, expected) => {
  expect(connectionOf(lastHeartbeatAt, now)).toBe(expected)
})
