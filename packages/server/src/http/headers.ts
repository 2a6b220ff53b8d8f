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
