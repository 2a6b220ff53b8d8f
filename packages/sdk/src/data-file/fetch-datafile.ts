import type { DataFile } from '@svc/core'
import { isForPage, maxDataFileBytes, parseDataFile } from '@svc/core'
import { readBody } from '../requests/body.ts'
import type { Platform } from '../requests/platform.ts'
import { refusalOf } from '../requests/refusal.ts'
import { uncached } from '../requests/uncached.ts'
import { hasParts } from './has-parts.ts'

/** A data file from the service. */
export interface Fetched {
  file: DataFile
  etag: string | null
}

/**
 * Requests the data file once. Returns undefined if the current file is up to date.
 *
 * @throws what `fetch` throws if the connection fails, what {@link readBody} throws, a `Refusal` for an error response,
 *   and Error for a body that is not a data file
 */
export async function fetchDatafile(
  fetch: typeof globalThis.fetch,
  url: string,
  etag: string | null | undefined,
  signal: AbortSignal,
  platform: Platform,
): Promise<Fetched | undefined> {
  const response = await fetch(url, { signal, ...conditional(etag, platform) })
  if (!isForPage && etag && response.status === 304) return
  if (response.status !== 200) throw refusalOf(response, platform)
  return {
    file: parsed(JSON.parse(await readBody(response, maxDataFileBytes))),
    // Only the stream reads it in a page.
    etag: hasParts ? response.headers.get('etag') : null,
  }
}

/**
 * Takes a parsed JSON document as a data file.
 *
 * @throws Error if it is not one
 */
export function parsed(document: unknown): DataFile {
  const file = parseDataFile(document)
  if (!file) throw new Error('not a data file')
  return file
}

/**
 * In a browser, the HTTP cache revalidates. Setting If-None-Match ourselves would cost a preflight with every poll,
 * because it is not a safelisted header.
 */
const conditional = (etag: string | null | undefined, platform: Platform): RequestInit =>
  isForPage || platform.sdkType === 'browser'
    ? { cache: 'no-cache' }
    : { ...uncached, headers: etag ? { 'if-none-match': etag } : {} }
