import { isForPage } from '@svc/core'
import type { Platform } from './platform.ts'
import { retryAfterMs } from './retry-after.ts'

/** What is thrown for a response that is not the wanted one. `retryAfterMs`: see `Turn`. */
export type Refusal = Error & { status: number; retryAfterMs: number }

const redirects = [301, 302, 303, 307, 308]
// A redirect that a browser does not follow has the status 0.
const isRedirect = (status: number): boolean => !status || (!isForPage && redirects.includes(status))

export const refusalOf = (response: Response, platform: Platform): Refusal => {
  const { status } = response
  const advice = status === 404 ? ', is the SDK key right?' : isRedirect(status) ? ', is baseUrl redirected?' : ''
  const fault = new Error(`HTTP ${status}${advice}`)
  return Object.assign(fault, { status, retryAfterMs: retryAfterMs(response, platform) })
}
