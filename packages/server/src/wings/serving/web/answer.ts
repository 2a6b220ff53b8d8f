import { type Encoding, encodingFor } from '../../../negotiation.ts'
import { isKnown } from '../../../revalidation.ts'
import { anyOrigin } from '../datafile/index.ts'
import type { WebFile, WebFileKind } from './files.ts'

const mediaTypes: Record<WebFileKind, string> = {
  script: 'text/javascript; charset=utf-8',
  document: 'application/json; charset=utf-8',
}

/** Pages of any origin load the files, also those that isolate themselves from other origins. */
export const anyPage = { ...anyOrigin, 'cross-origin-resource-policy': 'cross-origin' }

interface Asked {
  'if-none-match'?: string | undefined
  'accept-encoding'?: string | undefined
}

/** How to answer a request for this file. If there is no encoding, the answer is 304. */
export function answerWith(
  kind: WebFileKind,
  { etag, maxAgeSeconds }: WebFile,
  asked: Asked,
): { headers: Record<string, string>; encoding?: Encoding } {
  const headers: Record<string, string> = {
    ...anyPage,
    etag,
    'cache-control': `public, max-age=${maxAgeSeconds}, s-maxage=10, stale-while-revalidate=60, stale-if-error=86400`,
    vary: 'Accept-Encoding',
  }
  if (isKnown(asked['if-none-match'], etag)) return { headers }
  const encoding = encodingFor(asked['accept-encoding'])
  headers['content-type'] = mediaTypes[kind]
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  return { headers, encoding }
}
