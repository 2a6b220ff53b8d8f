import { deliveryHeaders, parseSignature, parseSignatureTimestamp, signatureContent } from '@svc/core'

const defaultToleranceSeconds = 300
const hmac = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

/** Why a request is not taken for a delivery; these names are stable. The first that applies is given. */
export type WebhookErrorCode =
  /** A header that this needs is absent or empty. */
  | 'missing_header'
  /** The signature header is not `sha256=` and 64 lower-case hexadecimal digits. */
  | 'malformed_signature'
  /** The timestamp header is not ISO 8601. */
  | 'malformed_timestamp'
  /** Signed too long ago, or too far ahead of this clock. */
  | 'timestamp_out_of_tolerance'
  /** None of the secrets gives this signature: another sender, another secret, or a body that was changed. */
  | 'signature_mismatch'
  /** Rightly signed, but not a JSON object in UTF-8. */
  | 'malformed_payload'

/** The request must not be acted upon: answer it with 401. The message is for your log and holds no secret. */
export class WebhookVerificationError extends Error {
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string) {
    super(message)
    this.name = 'WebhookVerificationError'
    this.code = code
  }
}

/** Headers as `Request` has them, or as Node's `request.headers`; names in any case. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>

export interface VerifyOptions {
  /** How far the timestamp may lie from this clock, before or after it. Default: 300 seconds. */
  toleranceSeconds?: number
  /** The clock. */
  now?: () => Date
}

/** A delivery that was proved to come from the holder of the secret. */
export interface VerifiedWebhook {
  /** The same for every attempt of one delivery: act once for each id. */
  id: string
  /** Name of the event, from the signed body; from the header, which is not signed, where a body names none. */
  event: string
  /** When this attempt was signed; `payload.timestamp` is when the event happened. */
  timestamp: Date
  /** The body. May gain fields: ignore those that you do not know. */
  payload: Record<string, unknown>
}

/**
 * Proves that a request is a delivery of a webhook of yours, unchanged and sent just now. Needs Web Crypto, nothing
 * else: Node 20 or later, Deno, Bun, workers.
 *
 * @param rawBody the bytes as they arrived, or their text; never a value that was parsed and serialised again
 * @param secret as the service showed it, 64 characters; several while you rotate, any of which may have signed
 * @throws WebhookVerificationError when the request is to be refused
 * @throws TypeError when the call itself is wrong: no secret, or a body that is not raw
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
  if (!signature) throw refusal('malformed_signature', 'The signature is not sha256= and 64 lower-case hex digits.')
  const signedAt = timely(timestamp, now(), toleranceSeconds)
  if (!(await isSigned(signatureContent(id, timestamp, body), signature, secrets)))
    throw refusal('signature_mismatch', 'The signature fits none of the secrets.')
  const payload = payloadIn(body)
  return { id, event: eventOf(payload, headers), timestamp: signedAt, payload }
}

const refusal = (code: WebhookErrorCode, message: string) => new WebhookVerificationError(code, message)

// An absent setting must not become a key that everybody knows.
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
  throw new TypeError('verifyWebhook: the body must be raw, a string or bytes, not a value parsed from it')
}

function header(headers: WebhookHeaders, name: string): string {
  const found = isHeaders(headers) ? headers.get(name) : joined(headers, name.toLowerCase())
  if (!found) throw refusal('missing_header', `The request has no header ${name}.`)
  return found
}

// By what it can do: a framework may bring a class of its own.
const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function'

function joined(headers: Record<string, string | readonly string[] | undefined>, name: string): string | undefined {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.join(', ')
}

function timely(timestamp: string, now: Date, toleranceSeconds: number): Date {
  const signedAtMs = parseSignatureTimestamp(timestamp)
  if (signedAtMs === undefined) throw refusal('malformed_timestamp', 'The timestamp is not ISO 8601.')
  // Asked this way round, so that a tolerance or a clock that is no number refuses.
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

// The header is not signed: what the body says goes first.
function eventOf(payload: Record<string, unknown>, headers: WebhookHeaders): string {
  return typeof payload.event === 'string' ? payload.event : header(headers, deliveryHeaders.event)
}
