import { expect, test } from 'vitest'
import { hashOfLink, linkUrl, newLinkSecret } from './link.ts'

test('a secret has 32 random bytes, and only its hash is stored', () => {
  const [one, other] = [newLinkSecret(), newLinkSecret()]
  expect(Buffer.from(one, 'base64url')).toHaveLength(32)
  expect(one).not.toBe(other)
  expect(hashOfLink(one)).toHaveLength(32)
  expect(hashOfLink(one)).not.toEqual(hashOfLink(other))
})

test.each(['', 'x', `${'A'.repeat(42)}`, `${'A'.repeat(44)}`, `${'A'.repeat(42)}/`, `${'A'.repeat(42)}\n`])(
  '%j is not the secret of a link',
  (text) => expect(hashOfLink(text)).toBeNull(),
)

test.each([
  ['OWNER', 'https://svc.test/sign-up#s'],
  ['INVITATION', 'https://svc.test/join#s'],
  ['PASSWORD_RESET', 'https://svc.test/reset#s'],
  ['EMAIL_CHANGE', 'https://svc.test/confirm-email#s'],
] as const)('%s has its secret in the fragment, which no server receives', (kind, url) => {
  expect(linkUrl('https://svc.test', kind, 's')).toBe(url)
})
