import type { Platform } from './platform.ts'
import { retryAfterMs } from './retry-after.ts'

/** What is thrown for a response that is not the wanted one. `retryAfterMs`: see `Turn`. */
export type Refusal = Error & { status: number; retryAfterMs: number }

export const refusalOf = (response: Response, platform: Platform): Refusal => {
  const { status } = response
  const fault = new Error(`HTTP ${status}${status === 404 ? ', is the SDK key right?' : ''}`)
  return Object.assign(fault, { status, retryAfterMs: retryAfterMs(response, platform) })
}
