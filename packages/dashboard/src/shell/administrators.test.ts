import { expect, it } from 'vitest'
import { administratorsIn } from './administrators.ts'

const member = (name: string, role: string, lastSeenAt: string | null = null) => ({
  name,
  role: { name: role },
  lastSeenAt,
})

it.each([
  ['nobody', [member('Vi', 'VIEWER')], { people: [], are: 'owners' }],
  [
    'owners, if there are no admins',
    [member('Olive', 'OWNER'), member('Vi', 'VIEWER')],
    { people: ['Olive'], are: 'owners' },
  ],
  [
    'admins before owners, the latest first',
    [
      member('Olive', 'OWNER', '2026-11-23'),
      member('Old', 'ADMIN'),
      member('Ravi', 'ADMIN', '2026-11-02'),
      member('Ada', 'ADMIN', '2026-11-20'),
    ],
    { people: ['Ada', 'Ravi', 'Old'], are: 'admins' },
  ],
])('%s', (_, members, expected) => {
  expect(administratorsIn(members)).toEqual(expected)
})
