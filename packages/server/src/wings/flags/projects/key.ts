import { isIdShape } from '../../../fields.ts'

const maxMadeLength = 100

/**
 * Makes a key from a name: `Staging (EU)` becomes `staging-eu`, or `staging-eu-2` if that is taken. A key that would look
 * like a short id or an id is prefixed with the word.
 */
export function keyFor(name: string, word: string, taken: ReadonlySet<string>): string {
  const slug = slugOf(name, word)
  if (!taken.has(slug)) return slug
  let count = 2
  while (taken.has(numbered(slug, count))) count += 1
  return numbered(slug, count)
}

function slugOf(name: string, word: string): string {
  const slug = trimmed(
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-'),
  )
  if (slug === '') return word
  return isIdShape(slug) ? trimmed(`${word}-${slug}`) : slug
}

const numbered = (slug: string, count: number): string =>
  `${slug.slice(0, maxMadeLength - String(count).length - 1)}-${count}`

const trimmed = (text: string): string => text.replace(/^-+/, '').slice(0, maxMadeLength).replace(/-+$/, '')
