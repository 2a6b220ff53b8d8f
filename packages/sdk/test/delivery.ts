import { createHmac } from 'node:crypto'

export const secret = '0123456789abcdef'.repeat(4)
export const signedAt = new Date('2026-11-20T10:00:00.000Z')

/** A request as the service sends it, signed with `node:crypto` instead of Web Crypto. */
export function deliveryOf(
  body: string | Uint8Array,
  changes: { id?: string; secret?: string; timestamp?: string } = {},
) {
  const id = changes.id ?? 'dlv_01'
  const timestamp = changes.timestamp ?? signedAt.toISOString()
  const digest = createHmac('sha256', changes.secret ?? secret)
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('hex')
  return {
    'content-type': 'application/json',
    'x-svc-delivery-id': id,
    'x-svc-event': 'flag.published',
    'x-svc-signature': `sha256=${digest}`,
    'x-svc-timestamp': timestamp,
    'user-agent': 'Svc-Webhooks/1.0',
  }
}
