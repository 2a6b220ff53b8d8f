import { isForPage } from '@svc/core'
import type { Platform } from './platform.ts'
import { retryAfterMs } from './retry-after.ts'

/** What is thrown for a response that is not the wanted one. `retryAfterMs`: see `Turn`. */
export type Refusal = Error & { status: number; retryAfterMs: number }

const redirects = [301, 302, 303, 307, 308]

const unnamed = ', is baseUrl redirected?'

const redirectOf = ({ status, headers }: Response): string => {
  if (!redirects.includes(status)) return ''
  // Without the path of the SDK, which can have its key.
  const base = (headers.get('location') ?? '').split('?')[0]!.split('/api/sdk/')[0]!.slice(0, 100)
  return base ? `, a redirect to ${base}: give the address that it leads to as baseUrl` : unnamed
}

export const refusalOf = (response: Response, platform: Platform): Refusal => {
  const { status } = response
  // A redirect that a browser does not follow has the status 0, and does not say where it leads.
  const withStatus = isForPage ? '' : redirectOf(response)
  const advice = status === 404 ? ', is the SDK key right?' : status ? withStatus : unnamed
  const fault = new Error(`HTTP ${status}${advice}`)
  return Object.assign(fault, { status, retryAfterMs: retryAfterMs(response, platform) })
}
