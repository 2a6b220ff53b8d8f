import type { Platform } from './platform.ts'
import { retryAfterMs } from './retry-after.ts'

/** What is thrown for a response that is not the wanted one. `retryAfterMs`: see `Turn`. */
export type Refusal = Error & { status: number; retryAfterMs: number }

export const refusalOf = (response: Response, platform: Platform): Refusal => {
  const { status } = response
  // A redirect that a browser does not follow has the status 0.
  const advice = status === 404 ? ', is the SDK key right?' : status < 400 ? ', is baseUrl redirected?' : ''
  const fault = new Error(`HTTP ${status}${advice}`)
  return Object.assign(fault, { status, retryAfterMs: retryAfterMs(response, platform) })
}
