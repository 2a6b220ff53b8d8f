import { parseDate } from './conditions/date.ts'

const scheme = /^sha256=([0-9a-f]{64})$/

/** Names of the headers of a webhook delivery. Of the headers, only the id and the timestamp are signed. */
export const deliveryHeaders = {
  id: 'X-Svc-Delivery-Id',
  event: 'X-Svc-Event',
  signature: 'X-Svc-Signature',
  timestamp: 'X-Svc-Timestamp',
} as const

/**
 * The signed content of a delivery, the input of its HMAC-SHA256: `<delivery id>.<timestamp>.<body>`, text as UTF-8.
 * The HMAC key is the 64 characters of the webhook's secret as ASCII bytes, not the 32 bytes that they encode.
 * This is the scheme of Standard Webhooks, with the header names of `deliveryHeaders`.
 *
 * @param timestamp the value of the timestamp header, ISO 8601
 * @param body the raw bytes of the request, never a value that was parsed and serialized again
 * @example signatureContent('dlv_1', '2026-11-20T10:00:00.000Z', '{}') // bytes of 'dlv_1.2026-11-20T10:00:00.000Z.{}'
 */
export function signatureContent(
  deliveryId: string,
  timestamp: string,
  body: string | Uint8Array,
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const head = encoder.encode(signatureHead(deliveryId, timestamp))
  const tail = typeof body === 'string' ? encoder.encode(body) : body
  const content = new Uint8Array(head.length + tail.length)
  content.set(head)
  content.set(tail, head.length)
  return content
}

/** The part of the signed content before the body, for senders that update the HMAC in two steps. */
export const signatureHead = (deliveryId: string, timestamp: string): string => `${deliveryId}.${timestamp}.`

/** The value of the signature header for a digest of 32 bytes: `sha256=` and 64 lowercase hexadecimal digits. */
export function formatSignature(digest: Uint8Array): string {
  let digits = ''
  for (const byte of digest) digits += (byte + 0x100).toString(16).slice(1)
  return `sha256=${digits}`
}

/** The digest in a signature header; undefined for any other form, including uppercase digits. */
export function parseSignature(header: string): Uint8Array<ArrayBuffer> | undefined {
  const pairs = scheme.exec(header)?.[1]?.match(/../g)
  return pairs ? Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)) : undefined
}

/** The time in a timestamp header, in epoch milliseconds; undefined if it is not ISO 8601 with date and time. */
export function parseSignatureTimestamp(header: string): number | undefined {
  return header.includes('T') ? parseDate(header) : undefined
}
