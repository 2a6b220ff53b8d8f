import type { DataFile } from '@svc/core'
import { maxDataFileBytes, parseDataFile } from '@svc/core'
import { readBody } from './body.ts'
import type { Platform } from './platform.ts'
import { retryAfterMs } from './retry-after.ts'

/** The result of one request for the data file; an empty object if the current file is up to date. */
export type Fetched =
  | { file: DataFile; etag: string | null }
  | { fault: Error; retryAfterMs?: number }
  | Record<string, never>

/**
 * Requests the data file once. Error responses and bodies that are not a data file are returned as `fault`.
 *
 * @throws what `fetch` throws if the connection fails, and what {@link readBody} throws
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
 * In a browser, the HTTP cache revalidates. Setting If-None-Match ourselves would cost a preflight with every poll,
 * because it is not a safelisted header.
 */
const conditional = (etag: string | null | undefined, platform: Platform): RequestInit =>
  platform.sdkType === 'browser' ? { cache: 'no-cache' } : { headers: etag ? { 'if-none-match': etag } : {} }
