import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deliveryOf, secret, signedAt } from '../test/delivery.ts'
import { type VerifyOptions, verifyWebhook, WebhookVerificationError } from './webhooks.ts'

const payload = { id: 'dlv_01', event: 'flag.published', project: { name: 'Café ☕' } }
const body = JSON.stringify(payload)
const headers = deliveryOf(body)
const now = () => signedAt
const other = 'f'.repeat(64)

const after = (milliseconds: number): VerifyOptions => ({ now: () => new Date(signedAt.getTime() + milliseconds) })

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'verified',
    (error) => (error instanceof WebhookVerificationError ? error.code : String(error)),
  )

describe('a genuine delivery', () => {
  const verified = { id: 'dlv_01', event: 'flag.published', timestamp: signedAt, payload }
  const bytes = Buffer.from(body)

  it.each([
    ['a string', body],
    ['a Buffer', bytes],
    ['a Uint8Array inside a larger buffer', new Uint8Array([9, ...bytes, 9]).subarray(1, -1)],
    ['an ArrayBuffer', new Uint8Array(bytes).buffer],
  ])('is accepted as %s', async (_name, rawBody) => {
    expect(await verifyWebhook(rawBody, headers, secret, { now })).toEqual(verified)
  })

  it.each([
    ['Headers', new Headers(headers)],
    ['names in their original case', mapNames((name) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()))],
    ['upper-case names', mapNames((name) => name.toUpperCase())],
    ['values in lists', Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))],
    ['undefined headers', { ...headers, cookie: undefined }],
  ])('is accepted with %s', async (_name, given) => {
    expect(await verifyWebhook(body, given, secret, { now })).toEqual(verified)
  })

  it.each([
    ['the first secret', [secret, other]],
    ['the last secret', [other, secret]],
  ])('is accepted when signed with %s of several', async (_name, secrets) => {
    expect(await verifyWebhook(body, headers, secrets, { now })).toEqual(verified)
  })

  it('returns the signed event, whatever the unsigned header says', async () => {
    const forged = { ...headers, 'x-svc-event': 'flag.deleted' }
    expect((await verifyWebhook(body, forged, secret, { now })).event).toBe('flag.published')
    expect((await verifyWebhook('{}', deliveryOf('{}'), secret, { now })).event).toBe('flag.published')
  })

  it.each([
    [-300_000, {}, 'verified'],
    [300_000, {}, 'verified'],
    [-300_001, {}, 'timestamp_out_of_tolerance'],
    [300_001, {}, 'timestamp_out_of_tolerance'],
    [10_000, { toleranceSeconds: 10 }, 'verified'],
    [10_001, { toleranceSeconds: 10 }, 'timestamp_out_of_tolerance'],
    [0, { toleranceSeconds: 0 }, 'verified'],
    [0, { toleranceSeconds: Number.NaN }, 'timestamp_out_of_tolerance'],
    [Number.NaN, {}, 'timestamp_out_of_tolerance'],
  ])('verified after %d ms with %j: %s', async (elapsedMs, options, outcome) => {
    expect(await codeOf(verifyWebhook(body, headers, secret, { ...after(elapsedMs), ...options }))).toBe(outcome)
  })

  it('is checked against the system clock by default', async () => {
    const fresh = deliveryOf(body, { timestamp: new Date().toISOString() })
    expect(await codeOf(verifyWebhook(body, fresh, secret))).toBe('verified')
    expect(await codeOf(verifyWebhook(body, deliveryOf(body, { timestamp: '2020-01-01T00:00:00Z' }), secret))).toBe(
      'timestamp_out_of_tolerance',
    )
  })
})

describe('a request is refused', () => {
  const without = (name: string) => ({ ...headers, [name]: undefined })
  const withSignature = (signature: string) => ({ ...headers, 'x-svc-signature': signature })
  const digest = headers['x-svc-signature'].slice('sha256='.length)

  it.each<[string, string | Uint8Array, Record<string, string | string[] | undefined>, string]>([
    ['without an id', body, without('x-svc-delivery-id'), 'missing_header'],
    ['without a signature', body, without('x-svc-signature'), 'missing_header'],
    ['without a timestamp', body, without('x-svc-timestamp'), 'missing_header'],
    ['with an empty id', body, { ...headers, 'x-svc-delivery-id': '' }, 'missing_header'],
    [
      'without an event in the body or the headers',
      '{}',
      { ...deliveryOf('{}'), 'x-svc-event': undefined },
      'missing_header',
    ],
    ['with upper-case digits', body, withSignature(`sha256=${digest.toUpperCase()}`), 'malformed_signature'],
    ['without the scheme', body, withSignature(digest), 'malformed_signature'],
    ['with a signature cut short', body, withSignature(`sha256=${digest.slice(1)}`), 'malformed_signature'],
    ['with two signatures', body, { ...headers, 'x-svc-signature': [`sha256=${digest}`, 'x'] }, 'malformed_signature'],
    ['with Unix seconds', body, deliveryOf(body, { timestamp: '1795168800' }), 'malformed_timestamp'],
    ['with a different id', body, { ...headers, 'x-svc-delivery-id': 'dlv_02' }, 'signature_mismatch'],
    [
      'with a different time',
      body,
      { ...headers, 'x-svc-timestamp': '2026-11-20T10:00:01.000Z' },
      'signature_mismatch',
    ],
    ['with a different secret', body, deliveryOf(body, { secret: other }), 'signature_mismatch'],
    ['with a body that was serialized again', JSON.stringify(payload, null, 1), headers, 'signature_mismatch'],
    ['with a body that is not JSON', 'é', deliveryOf('é'), 'malformed_payload'],
    ['with an empty body', '', deliveryOf(''), 'malformed_payload'],
    ['with a list', '[]', deliveryOf('[]'), 'malformed_payload'],
    ['with null', 'null', deliveryOf('null'), 'malformed_payload'],
    [
      'with a body that is not UTF-8',
      Buffer.from('{"a":"\xff"}', 'latin1'),
      deliveryOf(Buffer.from('{"a":"\xff"}', 'latin1')),
      'malformed_payload',
    ],
  ])('%s', async (_name, rawBody, given, code) => {
    expect(await codeOf(verifyWebhook(rawBody, given, secret, { now }))).toBe(code)
  })

  it('when the key was the secret decoded from hex', async () => {
    const hmac = createHmac('sha256', Buffer.from(secret, 'hex')).update(`dlv_01.${signedAt.toISOString()}.${body}`)
    const given = withSignature(`sha256=${hmac.digest('hex')}`)
    expect(await codeOf(verifyWebhook(body, given, secret, { now }))).toBe('signature_mismatch')
  })

  it('when any bit of the body is flipped', async () => {
    const bytes = Buffer.from(body)
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const changed = Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ (1 << bit) : byte))
        expect(await codeOf(verifyWebhook(changed, headers, secret, { now }))).toBe('signature_mismatch')
      }),
    )
  })

  it('when any digit of the signature is changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(63), fc.constantFrom(...'0123456789abcdef'), async (at, digit) => {
        fc.pre(digest[at] !== digit)
        const given = withSignature(`sha256=${digest.slice(0, at)}${digit}${digest.slice(at + 1)}`)
        expect(await codeOf(verifyWebhook(body, given, secret, { now }))).toBe('signature_mismatch')
      }),
    )
  })
})

describe('a wrong call throws a TypeError', () => {
  it.each([
    ['no secret', body, undefined],
    ['an empty secret', body, ''],
    ['no secrets', body, []],
    ['an empty secret among others', body, [secret, '']],
    ['a parsed body', payload, secret],
    ['no body', undefined, secret],
  ])('%s', async (_name, rawBody, secrets) => {
    await expect(verifyWebhook(rawBody as string, headers, secrets as string, { now })).rejects.toBeInstanceOf(
      TypeError,
    )
  })
})

function mapNames(change: (name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value]))
}
