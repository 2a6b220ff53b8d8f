import { expect, test } from 'vitest'
import { signersWith } from '../../../../platform/sign.ts'
import { askedBy, confirmationMail, confirmationSecret, confirmationUrl } from './link.ts'

const signer = signersWith(Buffer.alloc(32, 1)).confirmation
const asked = { orgId: '0199c0de-0000-7000-8000-000000000001', email: 'ada+svc@acme.example' }
const now = new Date('2026-11-27T12:00:00.000Z')
const after = (ms: number) => new Date(now.getTime() + ms)
const weekMs = 7 * 86_400_000
const secret = confirmationSecret(signer, asked, now)

test('a link says whom it asks, for seven days', () => {
  expect(askedBy(signer, secret, after(weekMs - 1))).toEqual(asked)
  expect(askedBy(signer, secret, after(weekMs))).toBeUndefined()
})

test('a link of a different installation or purpose is invalid', () => {
  expect(askedBy(signersWith(Buffer.alloc(32, 2)).confirmation, secret, now)).toBeUndefined()
  expect(askedBy(signersWith(Buffer.alloc(32, 1)).unsubscribe, secret, now)).toBeUndefined()
})

test.each([
  ['its organization', secret.replace(/1\./, '2.')],
  ['its time', secret.replace(/\.(\d)/, (_, digit) => `.${(Number(digit) + 1) % 10}`)],
  [
    'its address',
    secret.replace(Buffer.from(asked.email).toString('base64url'), Buffer.from('eve@x.y').toString('base64url')),
  ],
  ['its length', `${secret}x`],
  ['everything', ''],
])('a link with a changed %s is invalid', (_, changed) => {
  expect(askedBy(signer, changed, now)).toBeUndefined()
})

test('a mail has names on one line each, and the link', () => {
  const link = confirmationUrl('https://svc.test', secret)
  const names = { organization: 'Acme\nBcc: x', project: 'Web\r\nshop', askedBy: 'Ada\n\nhttps://evil.example' }
  const { subject, text } = confirmationMail({ email: asked.email, ...names, link })
  expect(subject).not.toMatch(/[\r\n]/)
  expect(text.split('\n')).toContain(link)
  expect(text.split('\n')[0]).toContain('Ada')
  expect(text.split('\n\n')).toHaveLength(4)
})
