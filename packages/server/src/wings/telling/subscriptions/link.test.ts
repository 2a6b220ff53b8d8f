import { expect, test } from 'vitest'
import { signersWith } from '../../../platform/sign.ts'
import { destinationIn, linkSecret, subjectOf, unsubscribePage, unsubscribeUrl } from './link.ts'

const id = '0199c0de-0000-7000-8000-000000000001'
const signer = signersWith(Buffer.alloc(32, 1)).unsubscribe
const [ada, bob] = ['ada@acme.example', 'bob@acme.example']
const secret = linkSecret(signer, id, ada!)

test('a link says which destination, and for whom it is without naming them', () => {
  expect(destinationIn(secret)).toBe(id)
  expect(subjectOf(signer, secret, [bob!, ada!])).toBe(ada)
  expect(secret).not.toMatch(/ada|acme/)
})

test('a link is for one address of one destination of one installation', () => {
  const elsewhere = secret.replace(id, id.replace(/1$/, '2'))
  expect(subjectOf(signer, secret, [bob!])).toBeUndefined()
  expect(subjectOf(signer, elsewhere, [ada!])).toBeUndefined()
  expect(subjectOf(signersWith(Buffer.alloc(32, 2)).unsubscribe, secret, [ada!])).toBeUndefined()
})

test.each(['', 'x', id, `${id}.`, `${id}.${'A'.repeat(42)}`, `x${secret}`, `${secret}x`, secret.replace('.', '/')])(
  '%j is no link',
  (text) => {
    expect(subjectOf(signer, text, [ada!])).toBeUndefined()
    expect(destinationIn(text)).toBeUndefined()
  },
)

test('a mail program posts to an address of the API, and a person sees a page', () => {
  expect(unsubscribeUrl('https://svc.test', secret)).toBe(`https://svc.test/api/dashboard/unsubscribe/${secret}`)
  expect(unsubscribePage('https://svc.test', secret)).toBe(`https://svc.test/unsubscribe#${secret}`)
})
