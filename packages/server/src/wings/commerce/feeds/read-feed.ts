import { checkItem, type ErrorCode, type Item, idFault, type WarningCode } from '../../model/catalog/index.ts'
import { aboutField } from './about-field.ts'
import type { ItemField } from './columns.ts'
import { csvReader } from './csv.ts'
import { beginningBytes, type Encoding, encodingOf, type FeedFormat, formatOf, whyUnread } from './format.ts'
import { googleXmlReader } from './google-xml.ts'
import { jsonlReader, shopifyReader } from './jsonl.ts'
import { type Mapping, mapRow, type Reading } from './map-row.ts'
import { FeedFault, type Found, type Reader, type Row } from './row.ts'
import { feedLimits, peeked, type UnpackLimits, unpacked } from './unpacked.ts'

const rowsPerBatchByDefault = 500
/** A larger piece would make the limits of readers coarse, and keep a thread for long. */
const pieceLength = 65_536

/** What of a source decides how its file is read. */
export interface FeedSource {
  format: FeedFormat | 'AUTO'
  encoding: Encoding
  mapping: Mapping
  defaultCurrency: string | null
  /** Where the file comes from; null for an upload. */
  url: string | null
}

export type RowCode = ErrorCode | WarningCode | 'malformed_row' | 'duplicate_id' | 'not_eligible'

/** Why a row gives no item, or what of it could not be kept (`isWarning`). */
export interface RowProblem {
  line: number
  itemId: string | null
  code: RowCode
  message: string
  isWarning: boolean
}

/** Up to 500 rows of a file. */
export interface FeedBatch {
  /** How many rows were read, with those that give no item. */
  rows: number
  items: { line: number; item: Item }[]
  /** Items that the file says are gone. */
  deleted: { line: number; itemId: string }[]
  problems: RowProblem[]
}

export interface FeedFile {
  contentType?: string | null
  /** Default: 500. */
  rowsPerBatch?: number
  limits?: UnpackLimits
}

/**
 * Reads a file of products in batches, as its bytes come. Throws a `FeedFault` if it is no feed, breaks a limit or ends
 * early; what was read before is not good then. The same id twice is for the caller to find.
 */
export const readFeed = (
  source: FeedSource,
  bytes: AsyncIterable<Uint8Array>,
  file: FeedFile = {},
): AsyncGenerator<FeedBatch> => readBatches(source, bytes, file, { empty: emptyBatch, add: addRow, addBroken: idOf })

/** What becomes of rows. */
export interface Gathering<Batch extends AnyBatch> {
  empty(): Batch
  add(batch: Batch, row: Row, of: Reading): void
  /** Notes what a row is about that cannot be read, by the fields that are right, and returns its id. */
  addBroken(batch: Batch, fields: Row['fields'], of: Reading): string | null
}

type AnyBatch = Pick<FeedBatch, 'rows' | 'problems'>

/** Reads the rows of a file in batches, as `readFeed` does. */
export async function* readBatches<Batch extends AnyBatch>(
  source: FeedSource,
  bytes: AsyncIterable<Uint8Array>,
  { contentType = null, rowsPerBatch = rowsPerBatchByDefault, limits = feedLimits }: FeedFile,
  gathering: Gathering<Batch>,
): AsyncGenerator<Batch> {
  const { beginning, rest, close } = await peeked(unpacked(bytes, limits), beginningBytes)
  try {
    const encoding = encodingOf(beginning, source.encoding)
    const decoder = new TextDecoder(encoding)
    const shown = decoder.decode(beginning)
    const fault = whyUnread(shown, source.format)
    if (fault !== null) throw new FeedFault(fault)
    const format = source.format === 'AUTO' ? formatHere(shown, source.url, contentType) : source.format
    const batches = batchesOf(source, format, rowsPerBatch, gathering)
    const reader = readers[format](batches.found)
    for await (const text of piecesOf(rest, new TextDecoder(encoding))) {
      reader.write(text)
      yield* batches.full()
    }
    for (const _step of reader.end() ?? []) yield* batches.full()
    yield* batches.all()
  } finally {
    close()
  }
}

const formatHere = (beginning: string, url: string | null, contentType: string | null): FeedFormat =>
  formatOf({ beginning, name: url === null ? null : new URL(url).pathname, contentType })

const readers: Record<FeedFormat, (found: Found) => Reader> = {
  GOOGLE_XML: googleXmlReader,
  CSV: (found) => csvReader(found),
  TSV: (found) => csvReader(found, '\t'),
  JSONL: jsonlReader,
  SHOPIFY_JSON: shopifyReader,
}

async function* piecesOf(bytes: AsyncIterable<Uint8Array>, decoder: TextDecoder): AsyncGenerator<string> {
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.length; at += pieceLength)
      yield decoder.decode(chunk.subarray(at, at + pieceLength), { stream: true })
  yield decoder.decode()
}

/** Gathers what a reader finds. */
function batchesOf<Batch extends AnyBatch>(
  source: FeedSource,
  format: FeedFormat,
  rowsPerBatch: number,
  { empty, add, addBroken }: Gathering<Batch>,
) {
  const of: Reading = { ...source, format, origin: source.url === null ? null : new URL(source.url).origin }
  let batch = empty()
  let ready: Batch[] = []

  const counted = (take: () => void) => {
    batch.rows += 1
    take()
    if (batch.rows < rowsPerBatch) return
    ready.push(batch)
    batch = empty()
  }
  const found: Found = {
    row: (row) => counted(() => add(batch, row, of)),
    broken: (line, message, fields) =>
      counted(() => {
        const itemId = fields ? addBroken(batch, fields, of) : null
        batch.problems.push({ line, itemId, code: 'malformed_row', message, isWarning: false })
      }),
  }
  return {
    found,
    *full() {
      const done = ready
      ready = []
      yield* done
    },
    *all() {
      yield* ready
      if (batch.rows > 0) yield batch
    },
  }
}

const emptyBatch = (): FeedBatch => ({ rows: 0, items: [], deleted: [], problems: [] })

/** What a reader puts in place of bytes that its encoding does not have. */
const unreadable = '\ufffd'
const notEncoded = 'Some characters are not in the encoding of the file: choose the right one.'

function idOf(_batch: FeedBatch, fields: Row['fields'], of: Reading): string | null {
  const { itemId } = mapRow(fields, of).raw
  const id = typeof itemId === 'string' ? itemId.trim() : ''
  return idFault(id) === undefined && !id.includes(unreadable) ? id : null
}

function addRow(batch: FeedBatch, { line, fields }: Row, of: Reading): void {
  const { raw, errors, warnings, verdict } = mapRow(fields, of)
  const itemId = typeof raw.itemId === 'string' && raw.itemId.trim() !== '' ? raw.itemId.trim() : null
  const tell = (code: RowCode, message: string, isWarning: boolean) =>
    void batch.problems.push({ line, itemId, code, message, isWarning })
  if (verdict === 'not_eligible') return tell('not_eligible', 'The shop does not want this item to be found.', false)
  if (itemId?.includes(unreadable)) return tell('malformed_row', notEncoded, false)
  if (verdict === 'deleted' && itemId !== null) return void batch.deleted.push({ line, itemId })
  const checked = checkItem(raw, of)
  const refused = [...errors, ...('errors' in checked ? checked.errors : [])]
  if (refused.length > 0 || 'errors' in checked) {
    for (const problem of refused) tell(problem.code, aboutField(problem), false)
    return
  }
  for (const problem of [...warnings, ...checked.warnings]) tell(problem.code, aboutField(problem), true)
  if (hasUnreadable(raw)) tell('replaced', notEncoded, true)
  batch.items.push({ line, item: checked.item })
}

const hasUnreadable = (raw: Record<string, unknown>): boolean =>
  (['title', 'description', 'brand'] as const satisfies ItemField[]).some(
    (field) => typeof raw[field] === 'string' && (raw[field] as string).includes(unreadable),
  )
