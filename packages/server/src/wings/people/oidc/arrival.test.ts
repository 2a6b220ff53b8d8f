import { expect, test } from 'vitest'
import { type Arrival, type Arrived, arrive } from './arrival.ts'

const stranger: Arrived = { holder: null, linkingFor: null, verifiedEmail: null, addressee: null, invited: false }
const verified = { verifiedEmail: 'olive@acme.test' }

test.each<[string, Partial<Arrived>, Arrival]>([
  ['a known identity signs in', { holder: 'u1' }, { do: 'sign-in', userId: 'u1', link: false }],
  [
    'a known identity belongs to its holder, even if a different account has the address',
    { holder: 'u1', ...verified, addressee: 'u2' },
    { do: 'sign-in', userId: 'u1', link: false },
  ],
  [
    'the account with a verified address is linked',
    { ...verified, addressee: 'u1' },
    { do: 'sign-in', userId: 'u1', link: true },
  ],
  ['an unverified address links nothing', { addressee: 'u1' }, { error: 'email_unverified' }],
  ['an unverified address accepts no invitation', { invited: true }, { error: 'email_unverified' }],
  ['an unknown person with an invitation joins', { ...verified, invited: true }, { do: 'join' }],
  ['an unknown person without an invitation is refused', verified, { error: 'no_account' }],
  ['a signed-in person links one more identity', { linkingFor: 'u1', ...verified }, { do: 'link', userId: 'u1' }],
  [
    'a signed-in person links it even if a different account has the address',
    { linkingFor: 'u1', ...verified, addressee: 'u2' },
    { do: 'link', userId: 'u1' },
  ],
  ['linking again changes nothing', { linkingFor: 'u1', holder: 'u1' }, { do: 'nothing', userId: 'u1' }],
  [
    'the identity of a different person stays theirs',
    { linkingFor: 'u1', holder: 'u2', ...verified },
    { error: 'identity_taken' },
  ],
  ['an unverified address links nothing to a signed-in person', { linkingFor: 'u1' }, { error: 'email_unverified' }],
])('%s', (_what, known, expected) => expect(arrive({ ...stranger, ...known })).toEqual(expected))
