export const feedFormats = ['GOOGLE_XML', 'CSV', 'TSV', 'JSONL', 'SHOPIFY_JSON'] as const
export type FeedFormat = (typeof feedFormats)[number]

export const encodings = ['utf-8', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

/** How much of a file shows its format. */
export const beginningBytes = 1024

/**
 * The format of a file. Its first bytes count first: shops send XML as text/plain, and web pages as CSV. What they
 * leave open, the end of its address and its content type decide.
 */
export function formatOf(of: { beginning: string; name?: string | null; contentType?: string | null }): FeedFormat {
  const text = of.beginning.replace(/^\ufeff/, '').trimStart()
  if (text.startsWith('<')) return 'GOOGLE_XML'
  if (/^\{\s*"products"\s*:\s*\[/.test(text)) return 'SHOPIFY_JSON'
  if (text.startsWith('{')) return 'JSONL'
  const name = of.name?.toLowerCase().replace(/\.gz$/, '') ?? ''
  const type = of.contentType?.toLowerCase() ?? ''
  const named = byName.find(([ending, typed]) => ending.test(name) || typed.test(type))
  if (named) return named[2]
  return (text.split(/\r?\n/, 1)[0] ?? '').includes('\t') ? 'TSV' : 'CSV'
}

/** Why no reader can read a file; null if one can. In lines that are JSON for sure, a list is one broken row. */
export function whyUnread(beginning: string, format: FeedFormat | 'AUTO'): string | null {
  if (beginning.startsWith('PK\u0003\u0004')) return 'The file is a zip archive. Send it unpacked, or packed with gzip.'
  if (format === 'AUTO' && /^\s*\[\s*[{\]]/.test(beginning))
    return 'The file is a JSON array. Send JSON Lines: one object on each line.'
  return null
}

const byName: [RegExp, RegExp, FeedFormat][] = [
  [/\.tsv$/, /^text\/tab-separated-values/, 'TSV'],
  [/\.csv$/, /^(?:text|application)\/csv/, 'CSV'],
  [/\.(?:jsonl|ndjson)$/, /^application\/(?:x-ndjson|jsonl|x-jsonlines)/, 'JSONL'],
  [/\.(?:xml|rss|atom)$/, /^(?:text|application)\/(?:[a-z]+\+)?xml/, 'GOOGLE_XML'],
]

/** The encoding of a file: its mark at the beginning, what its XML says, else what the source says. */
export function encodingOf(beginning: Uint8Array, given: Encoding): string {
  const [first, second] = beginning
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb) return 'utf-8'
  // Without a mark, UTF-16 shows itself by the NUL of its first character, which no other text has.
  if (first && second === 0) return 'utf-16le'
  if (first === 0 && second) return 'utf-16be'
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w-]+)["']/.exec(Buffer.from(beginning).toString('latin1'))
  return (declared && knownEncoding(declared[1]!)) ?? given
}

/** A declaration that can be read here is not in UTF-16: programs that make XML as a text in memory write so. */
function knownEncoding(label: string): string | null {
  try {
    const { encoding } = new TextDecoder(label)
    return encoding.startsWith('utf-16') ? null : encoding
  } catch {
    return null
  }
}
