import { checkItem, type ItemName, type ItemValues, idFault, itemNames } from '../../model/catalog/index.ts'
import { aboutField } from './about-field.ts'
import { mapRow, type Reading } from './map-row.ts'
import { type FeedSource, type RowCode, type RowProblem, readBatches } from './read-feed.ts'
import type { Row } from './row.ts'

/** What a row of a supplement says about the items with a name. */
export interface NamedValues {
  line: number
  name: ItemName
  key: string
  /** Of its amounts. Null: that of the item. */
  currency: string | null
  values: ItemValues
}

/** Up to 500 rows, or as many as are asked for, of the file of a supplement. */
export interface ValuesBatch {
  /** How many rows were read, with those that cannot be used. */
  rows: number
  values: NamedValues[]
  /** What rows are about that cannot be used. */
  broken: Pick<NamedValues, 'name' | 'key'>[]
  problems: RowProblem[]
}

/** What of a supplement and its file decides what its rows come to. */
export interface ValuesOf {
  source: FeedSource
  fields: readonly (keyof ItemValues)[]
  contentType: string | null
}

/** Reads the file of a supplement as `readFeed` does. A row names items by `itemId`, else by `sku`, else by `gtin`. */
export const readValues = (
  { source, fields, contentType }: ValuesOf,
  bytes: AsyncIterable<Uint8Array>,
  rowsPerBatch?: number,
): AsyncGenerator<ValuesBatch> =>
  readBatches(
    source,
    bytes,
    { contentType, ...(rowsPerBatch !== undefined && { rowsPerBatch }) },
    {
      empty: (): ValuesBatch => ({ rows: 0, values: [], broken: [], problems: [] }),
      add: (batch, row, of) => addValues(batch, row, of, fields),
      addBroken(batch: ValuesBatch, given, of) {
        const named = nameIn(mapRow(given, of).raw)
        if (named === undefined || idFault(named.key) !== undefined) return null
        batch.broken.push(named)
        return named.key
      },
    },
  )

/** What an item needs besides. */
const rest = { itemId: 'any', title: 'Any', link: 'https://any.example', price: '0' }

function addValues(
  batch: ValuesBatch,
  { line, fields }: Row,
  of: Reading,
  wanted: readonly (keyof ItemValues)[],
): void {
  const { raw, errors } = mapRow(fields, of)
  const named = nameIn(raw)
  const key = named?.key ?? null
  const tell = (code: RowCode, message: string, isWarning: boolean) =>
    void batch.problems.push({ line, itemId: key, code, message, isWarning })
  if (named === undefined) return tell('missing_id', 'A row needs an itemId, sku or gtin.', false)
  const given = Object.fromEntries(wanted.map((field) => [field, raw[field]]))
  const currency = raw.currency ?? null
  const checked = checkItem({ ...rest, currency: currency ?? 'EUR', ...given }, { defaultCurrency: null })
  const refused = [
    ...errors.filter(({ field }) => wanted.some((each) => each === field)),
    ...('errors' in checked ? checked.errors : []),
  ]
  if (refused.length > 0 || 'errors' in checked) {
    for (const problem of refused) tell(problem.code, aboutField(problem), false)
    batch.broken.push(named)
    return
  }
  for (const problem of checked.warnings) tell(problem.code, aboutField(problem), true)
  const { item } = checked
  const values = Object.fromEntries(
    wanted.filter((field) => isGiven(raw[field])).map((field) => [field, item[field]]),
  ) as ItemValues
  batch.values.push({ line, ...named, currency: currency === null ? null : item.currency, values })
}

/** By which name a row names items. */
function nameIn(raw: Record<string, unknown>): Pick<NamedValues, 'name' | 'key'> | undefined {
  const name = itemNames.find((each) => textOf(raw[each]) !== '')
  return name && { name, key: textOf(raw[name]) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '')
