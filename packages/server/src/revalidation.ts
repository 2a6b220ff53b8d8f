/** What servers in front of us that compress append to a tag: Apache with mod_deflate or mod_brotli, Jetty. */
const compressed = /(?:-|;|--)(?:gzip|br)$/

/**
 * A tag of `If-Match` or `If-None-Match` as we made it, without quotes. A server in front of us that compresses can mark it
 * as weak or name the encoding in it. Our tags stand for content, so it is the same in each encoding.
 */
export const ownTag = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1')
    .replace(compressed, '')

/** Whether `If-None-Match` names this ETag. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === etag) return ifNoneMatch === etag
  const bare = etag.slice(1, -1)
  return ifNoneMatch.split(',').some((entry) => entry.trim() === '*' || (/"\s*$/.test(entry) && ownTag(entry) === bare))
}
