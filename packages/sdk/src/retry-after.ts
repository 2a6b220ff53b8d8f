import type { Platform } from './platform.ts'

/** What an answer's Retry-After asks for: seconds or an HTTP date, as RFC 9110 allows; 0 when absent or unreadable. */
export function retryAfterMs(response: Response, platform: Platform): number {
  const header = response.headers.get('retry-after')
  return 1000 * Number(header) || Date.parse(header ?? '') - platform.now() || 0
}
