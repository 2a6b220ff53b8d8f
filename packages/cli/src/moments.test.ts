import { expect, it } from 'vitest'
import { laterMomentOf, momentOf } from './moments.ts'

const now = new Date('2026-12-01T12:00:00Z')

it.each([
  ['2h', '2026-12-01T10:00:00.000Z'],
  ['2026-11-30', '2026-11-30T00:00:00.000Z'],
  ['2026-11-30T08:00:00+01:00', '2026-11-30T07:00:00.000Z'],
])('%s is %s', (text, moment) => expect(momentOf(text, '--since', now)).toBe(moment))

it.each(['', 'yesterday', '2026-13-01', '0s', '5'])('refuses "%s"', (text) => {
  expect(() => momentOf(text, '--since', now)).toThrow('--since must be')
})

it.each([
  ['2h', '2026-12-01T14:00:00.000Z'],
  ['7d', '2026-12-08T12:00:00.000Z'],
  ['2026-12-02T09:00+01:00', '2026-12-02T09:00:00+01:00'],
  ['2026-12-02T09:00:30Z', '2026-12-02T09:00:30Z'],
  ['tomorrow', 'tomorrow'],
])('a schedule for %s is for %s', (text, moment) => expect(laterMomentOf(text, '--run', now)).toBe(moment))
