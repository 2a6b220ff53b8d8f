/** `If-None-Match` compares weakly, because a CDN can mark the tag as weak. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === etag) return ifNoneMatch === etag
  return ifNoneMatch.split(',').some((entry) => {
    const known = entry.trim()
    return known === '*' || known.replace(/^W\//, '') === etag
  })
}
