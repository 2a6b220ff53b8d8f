import { csvReader } from './csv.ts'
import { beginningBytes, encodingOf, formatOf, whyUnread } from './format.ts'
import { jsonlReader } from './jsonl.ts'
import type { FeedSource } from './read-feed.ts'
import { FeedFault, type Found, type Reader, type Row } from './row.ts'
import { feedLimits, peeked, unpacked } from './unpacked.ts'

/** What a piece of a file has: rows as they are, and lines that cannot be read. */
export interface RowBatch {
  rows: (Row | { line: number; message: string })[]
  format: PlainFormat
  /** The file has ended well. */
  isLast: boolean
}

export type PlainFormat = 'CSV' | 'TSV' | 'JSONL'

const pieceLength = 65_536

const readers: Record<PlainFormat, (found: Found) => Reader> = {
  CSV: (found) => csvReader(found),
  TSV: (found) => csvReader(found, '\t'),
  JSONL: jsonlReader,
}

/** Reads the rows of a file that does not hold products, as its bytes come. Throws a `FeedFault` if it is not whole. */
export async function* readRows(
  source: Pick<FeedSource, 'format' | 'encoding' | 'url'>,
  bytes: AsyncIterable<Uint8Array>,
  contentType: string | null,
): AsyncGenerator<RowBatch> {
  const { beginning, rest, close } = await peeked(unpacked(bytes, feedLimits), beginningBytes)
  try {
    const encoding = encodingOf(beginning, source.encoding)
    const name = source.url === null ? null : new URL(source.url).pathname
    const shown = new TextDecoder(encoding).decode(beginning)
    const fault = whyUnread(shown, source.format)
    if (fault !== null) throw new FeedFault(fault)
    const format = source.format === 'AUTO' ? formatOf({ beginning: shown, name, contentType }) : source.format
    if (!isPlain(format)) throw new FeedFault('The file must be CSV, TSV or JSONL.', 1)
    let rows: RowBatch['rows'] = []
    const taken = (isLast: boolean): RowBatch => {
      const batch = { rows, format, isLast }
      rows = []
      return batch
    }
    const reader = readers[format]({
      row: (row) => void rows.push(row),
      broken: (line, message) => void rows.push({ line, message }),
    })
    const decoder = new TextDecoder(encoding)
    for await (const chunk of rest)
      for (let at = 0; at < chunk.length; at += pieceLength) {
        reader.write(decoder.decode(chunk.subarray(at, at + pieceLength), { stream: true }))
        if (rows.length > 0) yield taken(false)
      }
    reader.write(decoder.decode())
    reader.end()
    yield taken(true)
  } finally {
    close()
  }
}

const isPlain = (format: string): format is PlainFormat => format in readers
