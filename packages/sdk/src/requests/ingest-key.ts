import type { Platform } from './platform.ts'

/** Adds the ingest key to the requests with events. No other request has it. */
export const withIngestKey = (
  fetch: typeof globalThis.fetch,
  ingestKey: string | undefined,
): typeof globalThis.fetch =>
  ingestKey === undefined
    ? fetch
    : (url, init) => fetch(url, { ...init, headers: { ...init?.headers, authorization: `Bearer ${ingestKey}` } })

/**
 * Whoever opens a page can read everything in it.
 *
 * @throws TypeError if a page has an ingest key
 */
export function ensureNotInPage(ingestKey: unknown, { sdkType }: Pick<Platform, 'sdkType'>): void {
  if (ingestKey !== undefined && sdkType === 'browser')
    throw new TypeError(
      'createClient: ingestKey is secret and must not be in a page. Use it only on servers, and revoke the key if the page was served',
    )
}
