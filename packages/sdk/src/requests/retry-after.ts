import type { Platform } from './platform.ts'

/** The Retry-After of a response in milliseconds, from seconds or an HTTP date (RFC 9110); 0 if absent or invalid. */
export function retryAfterMs(response: Response, platform: Platform): number {
  const header = response.headers.get('retry-after')
  return 1000 * Number(header) || Date.parse(header ?? '') - platform.now() || 0
}
