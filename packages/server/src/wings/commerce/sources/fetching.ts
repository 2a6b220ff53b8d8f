import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Downloaded, Outbound } from '../../../platform/outbound/index.ts'

export const idleMs = 30_000

/** What each request for the file of a source says. */
export const feedHeaders = { 'accept-encoding': 'gzip', 'user-agent': 'Svc-Catalog/1.0' }

/** The file at an address did not come, or not whole. */
export class FetchFailed extends Error {
  readonly result: Downloaded

  constructor(result: Downloaded) {
    super(result.error ?? 'The file did not come.')
    this.result = result
  }
}

interface Fetch {
  headers: Record<string, string>
  credentials: Record<string, string>
  maxBytes: number
  signal: AbortSignal
}

/**
 * The bytes of the file at an address, as they come. Throws `FetchFailed` at the end if the file did not come whole.
 * Whoever stops reading ends the download.
 */
export function bytesAt(
  download: Outbound['download'],
  url: string,
  { signal, ...of }: Fetch,
): AsyncIterable<Uint8Array> {
  const bytes = new PassThrough()
  const stopping = new AbortController()
  // It can fail before anybody reads.
  bytes.on('error', () => {})
  bytes.once('close', () => stopping.abort(new Error('nobody reads the file any more')))
  const onChunk = (chunk: Buffer) => (bytes.write(chunk) ? undefined : once(bytes, 'drain'))
  download(url, { ...of, idleMs, onChunk, signal: AbortSignal.any([signal, stopping.signal]) }).then(
    (result) => (result.error === null ? bytes.end() : bytes.destroy(new FetchFailed(result))),
    (error: Error) => bytes.destroy(error),
  )
  return bytes
}
