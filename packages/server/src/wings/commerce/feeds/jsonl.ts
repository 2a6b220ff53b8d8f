import { shapeOf } from '../../../exact-json.ts'
import { FeedFault, type Found, maxRowLength, type Reader, tooLong } from './row.ts'

/** Reads one JSON object a line. A line that is too long is thrown away while it comes. */
export function jsonlReader(found: Found): Reader {
  let line = 1
  let held = ''
  let isTooLong = false

  const finish = () => {
    if (isTooLong) found.broken(line, tooLong)
    else if (held.trim() !== '') readLine(found, line, held)
    held = ''
    isTooLong = false
  }
  const hold = (text: string) => {
    if (isTooLong) return
    if (held.length + text.length <= maxRowLength) held += text
    else {
      isTooLong = true
      held = ''
    }
  }
  return {
    write(text) {
      let at = 0
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
        hold(text.slice(at, end))
        finish()
        line += 1
        at = end + 1
      }
      hold(text.slice(at))
    },
    end() {
      if (isUnfinished(held)) throw new FeedFault('The file ends early: its last line is not complete.', line)
      finish()
    },
  }
}

/** Whether a line without an end is an object without one. A line that is wrong in another way is one broken row. */
const isUnfinished = (text: string): boolean => /^[\s\ufeff]*\{/.test(text) && !/\}\s*$/.test(text.slice(-100))

function readLine(found: Found, line: number, text: string): void {
  const fields = parsed(text.replace(/^\ufeff/, ''))
  if (!isRecord(fields)) found.broken(line, 'Is not a JSON object.')
  else if (isDeeper(fields, maxDepth)) found.broken(line, tooDeep)
  else found.row({ line, fields })
}

export const maxPageLength = 32 * 1024 * 1024
/** A page of many small values needs a gigabyte of memory, and a parser that has none left ends the whole process. */
const maxPageValues = 1_000_000

/** What is between two pages of a file. JSON has no such sign outside of texts, and in these it is escaped. */
export const pageMark = '\u001e'

/** Reads each page of a Shopify shop as a whole. A row is a variant together with its product. */
export function shopifyReader(found: Found): Reader {
  let held: string[] = []
  let length = 0
  let line = 0

  const hold = (text: string) => {
    length += text.length
    if (length > maxPageLength) throw new FeedFault('A page of products must have at most 32 MiB.')
    held.push(text)
  }
  return {
    write(text) {
      const [first, ...others] = text.split(pageMark)
      hold(first!)
      for (const other of others) {
        for (const _row of readPage());
        hold(other)
      }
    },
    // A page can have half a million variants, and a preview reads a hundred.
    end: readPage,
  }

  function* readPage(): Generator<void> {
    const text = held.join('')
    held = []
    length = 0
    const { commas, opened } = shapeOf(text)
    if (commas + opened > maxPageValues)
      throw new FeedFault(`A page of products must have at most ${maxPageValues.toLocaleString('en')} values.`)
    const page = parsed(text.replace(/^\s*\ufeff/, ''))
    if (!isRecord(page) || !Array.isArray(page.products))
      throw new FeedFault('The file ends early or is no list of products: { "products": [ … ] }.')
    for (const product of page.products as unknown[]) {
      const variants = isRecord(product) && Array.isArray(product.variants) ? (product.variants as unknown[]) : [null]
      // With all of its variants.
      const isTooDeep = isDeeper(product, maxDepth)
      for (const variant of variants) {
        line += 1
        if (isTooDeep) found.broken(line, tooDeep)
        else if (isRecord(product) && isRecord(variant)) found.row({ line, fields: { product, variant } })
        else found.broken(line, 'Is not a product with variants.')
        yield
      }
    }
  }
}

const maxDepth = 32
const tooDeep = `Is nested more than ${maxDepth} levels deep.`

/** What is nested deeply can be read, but not written as JSON again. */
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
