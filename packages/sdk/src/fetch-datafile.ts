import type { DataFile } from '@svc/core'
import { maxDataFileBytes, parseDataFile } from '@svc/core'
import { readBody } from './body.ts'
import type { Platform } from './platform.ts'
import { retryAfterMs } from './retry-after.ts'

/** What one request for the data file came to; the empty object when the one held is still current. */
export type Fetched =
  | { file: DataFile; etag: string | null }
  | { fault: Error; retryAfterMs?: number }
  | Record<string, never>

/**
 * Asks for the data file once. Refusals and bodies that are no data file come back as `fault`;
 * a broken connection throws, as `fetch` does.
 */
export async function fetchDatafile(
  fetch: typeof globalThis.fetch,
  url: string,
  etag: string | null | undefined,
  signal: AbortSignal,
  platform: Platform,
): Promise<Fetched> {
  const response = await fetch(url, { signal, ...conditional(etag, platform) })
  if (etag && response.status === 304) return {}
  if (response.status !== 200) {
    return {
      fault: new Error(`HTTP ${response.status}${response.status === 404 ? ', is the SDK key right?' : ''}`),
      retryAfterMs: retryAfterMs(response, platform),
    }
  }
  const file = parseDataFile(JSON.parse(await readBody(response, maxDataFileBytes)))
  return file ? { file, etag: response.headers.get('etag') } : { fault: new Error('not a data file') }
}

/**
 * In a browser the HTTP cache revalidates: a hand-written If-None-Match is no safelisted header
 * and would cost a preflight with every poll.
 */
const conditional = (etag: string | null | undefined, platform: Platform): RequestInit =>
  platform.sdkType === 'browser' ? { cache: 'no-cache' } : { headers: etag ? { 'if-none-match': etag } : {} }
