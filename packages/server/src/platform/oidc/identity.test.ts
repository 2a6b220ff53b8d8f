import { describe, expect, test } from 'vitest'
import { identityOf } from './identity.ts'
import { ProviderFailure } from './provider.ts'

const claims = { iss: 'https://id.test', sub: 'u-1', email: 'Pat@Svc.test', email_verified: true, name: 'Pat' }

test('an identity has the subject, the address in lower case and the name', () => {
  expect(identityOf(claims, claims)).toEqual({
    issuer: 'https://id.test',
    subject: 'u-1',
    email: 'pat@svc.test',
    emailVerified: true,
    name: 'Pat',
  })
})

test.each([
  ['absent', undefined],
  ['blank', '  '],
  ['not a string', 17],
])('an address or a name that is %s becomes null', (_what, value) => {
  expect(identityOf(claims, { email: value, name: value })).toMatchObject({ email: null, name: null })
})

test.each([['true'], [1], [undefined]])('email_verified of %j does not verify the address', (email_verified) => {
  expect(identityOf(claims, { ...claims, email_verified }).emailVerified).toBe(false)
})

describe.each(['sub', 'email', 'name'])('the claim %s', (claim) => {
  const withValue = (value: string) => {
    const changed = { ...claims, [claim]: value }
    return () => identityOf(changed, changed)
  }

  test('can have 255 characters', () => {
    expect(withValue('x'.repeat(255))).not.toThrow()
  })

  test.each([
    ['a NUL', 'a\0b'],
    ['a line break', 'a\nb'],
    ['a C1 control character', 'a\u0085b'],
    ['256 characters', 'x'.repeat(256)],
  ])('is refused with %s', (_what, value) => {
    expect(withValue(value)).toThrow(ProviderFailure)
  })
})

test('an empty subject is refused', () => {
  expect(() => identityOf({ ...claims, sub: '' }, claims)).toThrow(ProviderFailure)
})
