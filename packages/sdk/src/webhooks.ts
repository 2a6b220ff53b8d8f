import { deliveryHeaders, parseSignature, parseSignatureTimestamp, signatureContent } from '@svc/core'

const defaultToleranceSeconds = 300
const hmac = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

/** Why a request was refused. These names are stable. If several apply, the first one in this list is given. */
export type WebhookErrorCode =
  /** A required header is missing or empty. */
  | 'missing_header'
  /** The signature header is not `sha256=` followed by 64 lowercase hexadecimal digits. */
  | 'malformed_signature'
  /** The timestamp header is not ISO 8601. */
  | 'malformed_timestamp'
  /** The request was signed too long ago, or too far in the future of this clock. */
  | 'timestamp_out_of_tolerance'
  /** No secret gives this signature: the sender or secret is wrong, or the body was changed. */
  | 'signature_mismatch'
  /** The signature is valid, but the body is not a JSON object in UTF-8. */
  | 'malformed_payload'

/** The request is not a genuine delivery: ignore it and answer 401. The message is for your log and has no secrets. */
export class WebhookVerificationError extends Error {
  /** Why it was refused. Match on this: the message can change. */
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string) {
    super(message)
    this.name = 'WebhookVerificationError'
    this.code = code
  }
}

/** The `headers` of a web `Request` or of a Node request. Letter case of names does not matter. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>

/** The options of {@link verifyWebhook}. */
export interface VerifyOptions {
  /** Maximum distance of the timestamp from this clock, before or after it. Default: 300 seconds. */
  toleranceSeconds?: number
  /** The clock that the timestamp is compared with. Default: the system clock. */
  now?: () => Date
}

/** A delivery whose signature is valid. */
export interface VerifiedWebhook {
  /** The id of the delivery, the same in all attempts. Act only once per id. */
  id: string
  /** Name of the event, from the signed body. If the body has none, it comes from the header, which is not signed. */
  event: string
  /** When this attempt was signed. `payload.timestamp` is when the event happened. */
  timestamp: Date
  /** The body. New fields can be added: ignore fields that you do not know. */
  payload: Record<string, unknown>
}

/**
 * Verifies that a request is a delivery of your webhook, that it was not changed and that it was sent recently. Needs
 * only Web Crypto: Node 20 or later, Deno, Bun, workers.
 *
 * @param rawBody the bytes as received, or their text; never a value that was parsed and serialized again
 * @param secret the 64 characters that the service showed; during a rotation a list of secrets, one of which must match
 * @throws WebhookVerificationError if the request must be refused
 * @throws TypeError if the call itself is wrong: no secret, or a body that is not raw
 * @example const { id, event, payload } = await verifyWebhook(await request.arrayBuffer(), request.headers, secret)
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = defaultToleranceSeconds, now = () => new Date() }: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const secrets = secretsIn(secret)
  const body = bytesOf(rawBody)
  const id = header(headers, deliveryHeaders.id)
  const timestamp = header(headers, deliveryHeaders.timestamp)
  const signature = parseSignature(header(headers, deliveryHeaders.signature))
  if (!signature)
    throw refusal('malformed_signature', 'The signature header is not sha256= followed by 64 lowercase hex digits.')
  const signedAt = timely(timestamp, now(), toleranceSeconds)
  if (!(await isSigned(signatureContent(id, timestamp, body), signature, secrets)))
    throw refusal('signature_mismatch', 'The signature matches none of the secrets.')
  const payload = payloadIn(body)
  return { id, event: eventOf(payload, headers), timestamp: signedAt, payload }
}

const refusal = (code: WebhookErrorCode, message: string) => new WebhookVerificationError(code, message)

// A missing setting must not become an empty key, which anyone could sign with.
function secretsIn(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  const isUsable =
    Array.isArray(secrets) && secrets.length > 0 && secrets.every((each) => typeof each === 'string' && each)
  if (!isUsable) throw new TypeError('verifyWebhook: the secret is missing')
  return secrets
}

function bytesOf(rawBody: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof rawBody === 'string') return encoder.encode(rawBody)
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody)
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
  throw new TypeError('verifyWebhook: the body must be the raw string or bytes, not a parsed value')
}

function header(headers: WebhookHeaders, name: string): string {
  const found = isHeaders(headers) ? headers.get(name) : joined(headers, name.toLowerCase())
  if (!found) throw refusal('missing_header', `The request has no header ${name}.`)
  return found
}

// Not instanceof: a framework can have its own Headers class.
const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function'

function joined(headers: Record<string, string | readonly string[] | undefined>, name: string): string | undefined {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.join(', ')
}

function timely(timestamp: string, now: Date, toleranceSeconds: number): Date {
  const signedAtMs = parseSignatureTimestamp(timestamp)
  if (signedAtMs === undefined) throw refusal('malformed_timestamp', 'The timestamp is not ISO 8601.')
  // Written so that a tolerance or clock of NaN refuses.
  const isTimely = Math.abs(now.getTime() - signedAtMs) <= toleranceSeconds * 1000
  if (!isTimely)
    throw refusal('timestamp_out_of_tolerance', `The timestamp is more than ${toleranceSeconds} s from this clock.`)
  return new Date(signedAtMs)
}

// Web Crypto compares in constant time.
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<boolean> {
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['verify'])
    if (await crypto.subtle.verify('HMAC', key, signature, content)) return true
  }
  return false
}

function payloadIn(body: Uint8Array): Record<string, unknown> {
  const payload = parsed(body)
  if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload as never
  throw refusal('malformed_payload', 'The body is not a JSON object.')
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

// The header is not signed, so the event in the body takes precedence.
function eventOf(payload: Record<string, unknown>, headers: WebhookHeaders): string {
  return typeof payload.event === 'string' ? payload.event : header(headers, deliveryHeaders.event)
}
