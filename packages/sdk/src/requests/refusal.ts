import type { Platform } from './platform.ts'
import { retryAfterMs } from './retry-after.ts'

/** What is thrown for a response that is not the wanted one. `retryAfterMs`: see `Turn`. */
export type Refusal = Error & { status: number; retryAfterMs: number }

// A redirect that a browser does not follow has the status 0.
const redirects = [0, 301, 302, 303, 307, 308]

export const refusalOf = (response: Response, platform: Platform): Refusal => {
  const { status } = response
  const advice =
    status === 404 ? ', is the SDK key right?' : redirects.includes(status) ? ', is baseUrl redirected?' : ''
  const fault = new Error(`HTTP ${status}${advice}`)
  return Object.assign(fault, { status, retryAfterMs: retryAfterMs(response, platform) })
}
