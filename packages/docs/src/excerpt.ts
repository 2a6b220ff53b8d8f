export interface Piece {
  text: string
  isMatch: boolean
}

const before = 40
const length = 180

/** The part of a text around the first match, in pieces that match a term or do not. */
export function excerptOf(text: string, terms: string[]): Piece[] {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${terms.map(escapeRegExp).join('|') || '(?!)'})`, 'giu')
  const first = text.search(pattern)
  const wordStart = first > before ? text.indexOf(' ', first - before) + 1 : 0
  const start = first < 0 ? 0 : Math.min(wordStart, first)
  const end = start + length < text.length ? text.lastIndexOf(' ', start + length) : text.length
  const part = text.slice(start, end <= start ? start + length : end)
  const pieces = part.split(pattern).map((piece, index): Piece => ({ text: piece, isMatch: index % 2 === 1 }))
  return [
    ...(start > 0 ? [{ text: '… ', isMatch: false }] : []),
    ...pieces.filter(({ text: piece }) => piece !== ''),
    ...(start + part.length < text.length ? [{ text: ' …', isMatch: false }] : []),
  ]
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
