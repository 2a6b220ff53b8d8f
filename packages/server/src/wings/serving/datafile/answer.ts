import { type Encoding, encodingFor } from '../../../negotiation.ts'
import { isKnown } from '../../../revalidation.ts'
import type { ServedDataFile } from './store.ts'

const cacheControl = 'public, max-age=0, s-maxage=10, stale-while-revalidate=30, stale-if-error=86400'

/** CORS headers: pages of any origin can read responses to SDKs, including Retry-After. */
export const anyOrigin = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag, Retry-After' }

interface Asked {
  'if-none-match'?: string | undefined
  'accept-encoding'?: string | undefined
}

/** How to answer a request for this data file. If there is no encoding, the answer is 304. */
export function answerWith(
  file: ServedDataFile,
  asked: Asked,
): { headers: Record<string, string>; encoding?: Encoding } {
  const headers: Record<string, string> = {
    ...anyOrigin,
    etag: file.etag,
    'cache-control': cacheControl,
    vary: 'Accept-Encoding',
  }
  if (isKnown(asked['if-none-match'], file.etag)) return { headers }
  const encoding = encodingFor(asked['accept-encoding'])
  headers['content-type'] = 'application/json; charset=utf-8'
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  return { headers, encoding }
}
