import { parseDate } from './date.ts'

const scheme = /^sha256=([0-9a-f]{64})$/

/** The headers of a webhook delivery that speak of its signature. Only the id and the timestamp are signed. */
export const deliveryHeaders = {
  id: 'X-Svc-Delivery-Id',
  event: 'X-Svc-Event',
  signature: 'X-Svc-Signature',
  timestamp: 'X-Svc-Timestamp',
} as const

/**
 * The bytes that a delivery's HMAC-SHA256 is taken of: `<delivery id>.<timestamp>.<body>`, texts as UTF-8.
 * The HMAC's key is the 64 characters of the webhook's secret as ASCII bytes, not the 32 bytes that they spell.
 * Source: Standard Webhooks, with the names of `deliveryHeaders`.
 *
 * @param timestamp as the header gives it, ISO 8601
 * @param body the bytes of the request, never a value serialised again
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

/** What of the signed content comes before the body: for senders whose HMAC takes it and the body one after the other. */
export const signatureHead = (deliveryId: string, timestamp: string): string => `${deliveryId}.${timestamp}.`

/** The value of the signature header for a digest of 32 bytes: `sha256=` and 64 lower-case hexadecimal digits. */
export function formatSignature(digest: Uint8Array): string {
  let digits = ''
  for (const byte of digest) digits += (byte + 0x100).toString(16).slice(1)
  return `sha256=${digits}`
}

/** The digest in a signature header; undefined for any other form, upper-case digits included. */
export function parseSignature(header: string): Uint8Array<ArrayBuffer> | undefined {
  const pairs = scheme.exec(header)?.[1]?.match(/../g)
  return pairs ? Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)) : undefined
}

/** The moment in a timestamp header, epoch milliseconds; undefined for what is not ISO 8601 with date and time. */
export function parseSignatureTimestamp(header: string): number | undefined {
  return header.includes('T') ? parseDate(header) : undefined
}
