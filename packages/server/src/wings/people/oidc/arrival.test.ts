import { expect, test } from 'vitest'
import { type Arrival, type Arrived, arrive } from './arrival.ts'

const stranger: Arrived = { holder: null, linkingFor: null, verifiedEmail: null, addressee: null, invited: false }
const verified = { verifiedEmail: 'olive@acme.test' }

test.each<[string, Partial<Arrived>, Arrival]>([
  ['a known identity signs in', { holder: 'u1' }, { do: 'sign-in', userId: 'u1', link: false }],
  [
    'a known identity is its holder’s, whoever has the address now',
    { holder: 'u1', ...verified, addressee: 'u2' },
    { do: 'sign-in', userId: 'u1', link: false },
  ],
  [
    'the account of a verified address is linked',
    { ...verified, addressee: 'u1' },
    { do: 'sign-in', userId: 'u1', link: true },
  ],
  ['an address that nobody vouches for links nothing', { addressee: 'u1' }, { error: 'email_unverified' }],
  ['nor does it open an invitation', { invited: true }, { error: 'email_unverified' }],
  ['somebody unknown who was invited joins', { ...verified, invited: true }, { do: 'join' }],
  ['somebody unknown who was not is told so', verified, { error: 'no_account' }],
  ['somebody who is signed in links one more', { linkingFor: 'u1', ...verified }, { do: 'link', userId: 'u1' }],
  [
    'whoever has the address elsewhere, it is the signed-in person’s',
    { linkingFor: 'u1', ...verified, addressee: 'u2' },
    { do: 'link', userId: 'u1' },
  ],
  ['again is nothing new', { linkingFor: 'u1', holder: 'u1' }, { do: 'nothing', userId: 'u1' }],
  [
    'another person’s identity stays theirs',
    { linkingFor: 'u1', holder: 'u2', ...verified },
    { error: 'identity_taken' },
  ],
  ['without a verified address nothing is linked', { linkingFor: 'u1' }, { error: 'email_unverified' }],
])('%s', (_what, known, expected) => expect(arrive({ ...stranger, ...known })).toEqual(expected))
