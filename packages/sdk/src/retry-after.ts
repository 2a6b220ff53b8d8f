import type { Platform } from './platform.ts'

/** The Retry-After of a response in milliseconds, from seconds or an HTTP date (RFC 9110); 0 if absent or invalid. */
export function retryAfterMs(response: Response, platform: Platform): number {
  const header = response.headers.get('retry-after')
  return 1000 * Number(header) || Date.parse(header ?? '') - platform.now() || 0
}

/** What is thrown for a response that is not the wanted one. `retryAfterMs`: see `Turn`. */
export type Refusal = Error & { status: number; retryAfterMs: number }

export const refusalOf = (response: Response, platform: Platform): Refusal => {
  const { status } = response
  const fault = new Error(`HTTP ${status}${status === 404 ? ', is the SDK key right?' : ''}`)
  return Object.assign(fault, { status, retryAfterMs: retryAfterMs(response, platform) })
}
