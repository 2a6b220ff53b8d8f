import { createHash } from 'node:crypto'
import type { Item } from './item.ts'

const maxWords = 100
const maxWordLength = 40
const maxAskedWords = 10

/** What one product of a list must have. */
export interface ProductFilter {
  /** Words, of which the item must have all. Their ends can be missing. */
  q?: string | undefined
  /** A category with everything below it, in the form of `categoryPath`. */
  category?: string | undefined
  brand?: string | undefined
}

/** A category as one text: `Clothing > Shirts`. */
export const categoryPath = (levels: readonly string[]): string => levels.join(' > ')

/**
 * What an item is found by, as a `tsvector` of PostgreSQL: words, its brand, and its category with those above it. Each
 * begins with a mark of the project, so that other projects make no search slower.
 */
export function searchVector(projectId: string, item: Item): string {
  const mark = markOf(projectId)
  const texts = [item.title, item.itemId, item.productId, item.brand, item.sku, item.gtin, item.mpn]
  const more = [...item.categories, ...item.labels, ...Object.values(item.attributes)]
  const words = wordsIn([...texts, ...more].join(' '), maxWords)
  const categories = item.categories.map((_level, index) => categoryPath(item.categories.slice(0, index + 1)))
  const lexemes = [
    ...words.map((word) => `${mark}w${word}`),
    ...categories.map((path) => `${mark}c${hashOf(path)}`),
    ...(item.brand === null ? [] : [`${mark}b${hashOf(item.brand)}`]),
  ]
  return lexemes.map((lexeme) => `'${lexeme}'`).join(' ')
}

/**
 * The filter as a `tsquery` of PostgreSQL. Null if everything passes it, undefined if nothing does: `q` has no letter
 * or digit.
 */
export function searchQuery(projectId: string, { q, category, brand }: ProductFilter): string | null | undefined {
  const mark = markOf(projectId)
  const words = q === undefined ? [] : wordsIn(q, maxAskedWords)
  if (q !== undefined && words.length === 0) return undefined
  const terms = [
    // A single Latin letter or digit would begin too many words.
    ...words.map((word) => (/^[a-z0-9]$/.test(word) ? `'${mark}w${word}'` : `'${mark}w${word}':*`)),
    ...(category === undefined ? [] : [`'${mark}c${hashOf(category)}'`]),
    ...(brand === undefined ? [] : [`'${mark}b${hashOf(brand)}'`]),
  ]
  return terms.length === 0 ? null : terms.join(' & ')
}

/** Texts of ASCII. */
const ascii = /^[\x00-\x7f]*$/

/** Scripts that put no spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** The first different words of a text, without case and accents, in every language. What comes after them is not read. */
function wordsIn(text: string, most: number): string[] {
  if (ascii.test(text)) return plainWordsIn(text, most)
  const words = new Set<string>()
  for (const part of text.normalize('NFC').split(/[^\p{L}\p{M}\p{N}]+/u))
    for (const whole of unspaced.test(part) ? segmentsOf(part) : [part]) {
      const plain = whole
        .normalize('NFKD')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]/gu, '')
      if (plain !== '') words.add([...plain].slice(0, maxWordLength).join(''))
      if (words.size === most) return [...words]
    }
  return [...words]
}

/** The same for texts of English letters, in a quarter of the time: most texts of most feeds. */
function plainWordsIn(text: string, most: number): string[] {
  const words = new Set<string>()
  for (const word of text.toLowerCase().split(/[^a-z0-9]+/)) {
    if (word !== '') words.add(word.slice(0, maxWordLength))
    if (words.size === most) break
  }
  return [...words]
}

function* segmentsOf(part: string): Generator<string> {
  for (const { segment } of segmenter.segment(part)) yield segment
}

const markOf = (projectId: string): string => projectId.slice(-8)

/** The categories and brands of a file come again and again. */
const hashes = new Map<string, string>()
const mostHashes = 10_000

function hashOf(text: string): string {
  const known = hashes.get(text)
  if (known !== undefined) return known
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  if (hashes.size >= mostHashes) hashes.clear()
  // A part of a text keeps the whole of it in memory: here, 256 KiB of the file for each brand.
  hashes.set(Buffer.from(text).toString(), hash)
  return hash
}
