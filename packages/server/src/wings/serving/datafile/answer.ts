import { encodingFor, isKnown } from './negotiation.ts'
import type { Encoding, ServedDataFile } from './store.ts'

const cacheControl = 'public, max-age=0, s-maxage=10, stale-while-revalidate=30, stale-if-error=86400'

/** A page of any origin may read what SDKs ask for: of an answer in its place, when to ask again. */
export const anyOrigin = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag, Retry-After' }

interface Asked {
  'if-none-match'?: string | undefined
  'accept-encoding'?: string | undefined
}

/** How a request for this data file is answered; without an encoding, by saying that the client has it. */
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
