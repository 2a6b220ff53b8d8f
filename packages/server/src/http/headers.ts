import { randomUUIDv7 } from 'node:crypto'

/** Two years: for so long a browser that was here once comes by https alone, whatever it is told. */
const httpsOnlySeconds = 63_072_000

/** What every answer carries. */
export function commonHeaders(requestId: string, baseUrl: string): Record<string, string> {
  const headers: Record<string, string> = { 'x-request-id': requestId, 'x-content-type-options': 'nosniff' }
  if (baseUrl.startsWith('https:')) headers['strict-transport-security'] = `max-age=${httpsOnlySeconds}`
  return headers
}

/** Those of one millisecond need not sort, unlike other ids: that would cost more than the id, with every answer. */
export const newRequestId = (): string => randomUUIDv7()

/**
 * Scripts, styles and calls from this origin alone, and nothing inline: the build writes every style into a stylesheet
 * (docs/decisions/0017). Strings never become markup or scripts either: Trusted Types without any policy.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** What every page carries, of the dashboard and of the guides. */
export const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}
