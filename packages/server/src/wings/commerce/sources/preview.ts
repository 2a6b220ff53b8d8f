import { type Item, printAmount } from '../../model/catalog/index.ts'
import { type FeedBatch, FeedFault, type FeedFile, type FeedSource, type RowProblem, readFeed } from '../feeds/index.ts'
import { FetchFailed } from './fetching.ts'

export const previewedRows = 100

/** What a sync would make of the first rows of a file. */
export interface Preview {
  rows: number
  items: PreviewedItem[]
  errors: RowProblem[]
  /** Why the file could not be read any further; null if all is well. */
  fault: { message: string; line: number | null } | null
}

type Amounts = 'price' | 'salePrice' | 'cost'

export type PreviewedItem = Omit<Item, Amounts> & { line: number } & { [Field in Amounts]: string | null }

/** Reads up to 100 rows. Whatever is wrong with the file is part of the answer. */
export async function previewOf(
  source: FeedSource,
  bytes: AsyncIterable<Uint8Array>,
  file: FeedFile = {},
): Promise<Preview> {
  try {
    for await (const batch of readFeed(source, bytes, { ...file, rowsPerBatch: previewedRows })) return shown(batch)
    return nothing
  } catch (error) {
    if (error instanceof FeedFault) return { ...nothing, fault: { message: error.message, line: error.line } }
    if (error instanceof FetchFailed) return { ...nothing, fault: { message: `${error.message}.`, line: null } }
    if (error instanceof Error && error.name === 'TimeoutError') return { ...nothing, fault: tookLong }
    throw error
  }
}

const nothing: Preview = { rows: 0, items: [], errors: [], fault: null }
const tookLong = { message: 'The first rows of the file did not come in time.', line: null }

function shown({ rows, items, problems }: FeedBatch): Preview {
  const seen = new Set<string>()
  const repeated: RowProblem[] = []
  const first = items.filter(({ line, item: { itemId } }) => {
    if (!seen.has(itemId)) return seen.add(itemId)
    const message = 'An earlier row has this id.'
    repeated.push({ line, itemId, code: 'duplicate_id', message, isWarning: false })
    return false
  })
  return {
    rows,
    items: first.map(({ line, item }) => ({
      line,
      ...item,
      price: printAmount(item.price),
      salePrice: item.salePrice === null ? null : printAmount(item.salePrice),
      cost: item.cost === null ? null : printAmount(item.cost),
    })),
    errors: [...problems, ...repeated].toSorted((one, other) => one.line - other.line),
    fault: null,
  }
}
