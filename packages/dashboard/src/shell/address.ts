const maxWordsLength = 40

/** A segment of an address: the number decides, the words are for people and can be wrong: `3-web-shop`. */
export function segmentOf({ shortId, name }: { shortId: number; name: string }): string {
  const words = wordsOf(name)
  return words === '' ? String(shortId) : `${shortId}-${words}`
}

/** A name in the form that addresses use: `web-shop`. */
export const wordsOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxWordsLength)
    .replace(/^-|-$/g, '')

/** The number of a segment, or undefined if it has none: `3` of `3-web-shop`. */
export function numberIn(segment: string): number | undefined {
  const [, digits] = /^([1-9]\d{0,8})(?:-|$)/.exec(segment) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** The address with another segment at this place: `withSegment('/7-old/x?y', 0, '7-new')` is `/7-new/x?y`. */
export function withSegment(href: string, place: number, segment: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(href) ?? []
  const segments = path.split('/')
  segments[place + 1] = segment
  return segments.join('/') + rest
}
