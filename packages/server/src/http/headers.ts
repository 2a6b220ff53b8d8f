import { randomUUIDv7 } from 'node:crypto'

/** Two years. For this time, browsers use only https for this address. */
const httpsOnlySeconds = 63_072_000

/** The headers of every answer. */
export function commonHeaders(requestId: string, baseUrl: string): Record<string, string> {
  const headers: Record<string, string> = { 'x-request-id': requestId, 'x-content-type-options': 'nosniff' }
  if (baseUrl.startsWith('https:')) headers['strict-transport-security'] = `max-age=${httpsOnlySeconds}`
  return headers
}

/** Whether an address belongs to the API for programs and the dashboard. No cache keeps its answers. */
export const isApi = (url: string): boolean => /^\/api\/(v1|dashboard)\//.test(url)

/**
 * Unlike other ids, request ids of the same millisecond need not sort. Sorting them would double the cost for every
 * answer.
 */
export const newRequestId = (): string => randomUUIDv7()

/** The headers of server-sent events, besides those of every answer. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Otherwise nginx would buffer events.
  'x-accel-buffering': 'no',
}

/**
 * Allows scripts, styles and requests only from this origin, and nothing inline: the build writes every style into a
 * stylesheet (docs/decisions/0017). Trusted Types without any policy prevent strings from becoming markup or scripts.
 */
const contentSecurityPolicy = (frameAncestors: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** The headers of every page of the dashboard and the guides. */
export const pageHeaders = {
  'content-security-policy': contentSecurityPolicy("'none'"),
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** The headers of the editor's page, which only pages of one origin can have in a frame, also those that isolate themselves. */
export function framedPageHeaders(origin: string): Record<string, string> {
  const { 'x-frame-options': _frame, 'cross-origin-opener-policy': _opener, ...headers } = pageHeaders
  return {
    ...headers,
    'content-security-policy': contentSecurityPolicy(origin),
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-embedder-policy': 'require-corp',
  }
}
