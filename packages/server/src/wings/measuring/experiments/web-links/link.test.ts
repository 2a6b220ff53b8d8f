import { expect, test } from 'vitest'
import { frameOrigin, hashOf, isPreviewSecret, newCode, newSecret, withSecret } from './link.ts'

test.each([
  ['https://shop.example/pricing', 'https://shop.example/pricing#svc-preview=s'],
  ['https://shop.example/pricing?plan=pro', 'https://shop.example/pricing?plan=pro#svc-preview=s'],
  ['https://shop.example/#', 'https://shop.example/#svc-preview=s'],
  ['https://shop.example/#/route', 'https://shop.example/#/route?svc-preview=s'],
  ['https://shop.example/#/route?a=b', 'https://shop.example/#/route?a=b&svc-preview=s'],
])('%s gets a secret at its end, where no server sees it', (address, expected) => {
  expect(withSecret(address, 'svc-preview', 's')).toBe(expected)
})

test.each([
  ['https://shop.example/pricing', 'https://shop.example'],
  ['http://localhost:3000/', 'http://localhost:3000'],
  ['http://[::1]:3000/', 'http://[::1]:3000'],
  ['https://a;b.example/', undefined],
  ['https://*.example/', undefined],
  ['ftp://shop.example/', undefined],
  ['data:text/html,x', undefined],
])('a policy for frames can name the origin of %s: %s', (address, expected) => {
  expect(frameOrigin(address)).toBe(expected)
})

test('a secret has 32 random bytes, a code names its session, and only hashes are stored', () => {
  const secret = newSecret()
  expect([Buffer.from(secret, 'base64url').length, isPreviewSecret(secret)]).toEqual([32, true])
  const id = crypto.randomUUID()
  const [one, other] = [newCode(id), newCode(id)]
  expect(one.startsWith(`${id}.`)).toBe(true)
  expect(one).not.toBe(other)
  expect(hashOf(one)).toHaveLength(32)
  expect(isPreviewSecret(one)).toBe(false)
})
