import { checkOrder, type ImportedOrder, isAbsent } from '../../../measuring/orders/index.ts'
import { type FeedSource, readRows } from '../../feeds/index.ts'
import type { FoundProblem } from '../sync/plan.ts'
import { SeenTexts } from '../sync/seen.ts'
import type { OrderMapping } from './columns.ts'
import { orderLines, orderOfLine, type RawOrder } from './rows.ts'

/** Some orders of a file. */
export interface OrderBatch {
  /** Orders that were read, with those that are skipped, and lines that belong to none. */
  rows: number
  orders: ImportedOrder[]
  problems: FoundProblem[]
  /** Orders that were given before, and are not whole: another line of them stands apart. */
  withdrawn: string[]
  /** When the first of the orders that are skipped today can be taken; null: none ever. */
  laterFrom: Date | null
}

const ordersAtOnce = 500
/** An order can have 200 lines. */
const linesAtOnce = 5_000

/** What decides how a file of orders is read. */
export interface OrdersOf {
  source: Omit<FeedSource, 'mapping'> & { mapping: OrderMapping }
  contentType: string | null
  now: Date
}

/**
 * Reads a file of orders, 500 at once by default. Of an id, the first order counts; in CSV, none does if its lines stand
 * apart. Throws a `FeedFault` if the file is not whole.
 */
export async function* readOrders(
  { source, contentType, now }: OrdersOf,
  bytes: AsyncIterable<Uint8Array>,
  atOnce = ordersAtOnce,
): AsyncGenerator<OrderBatch> {
  const known = {
    taken: new SeenTexts(),
    skipped: new SeenTexts(),
    contents: new SeenTexts(),
    withdrawn: new SeenTexts(),
  }
  let batch = none()
  let lines = 0
  const context = { defaultCurrency: source.defaultCurrency, now }
  const take = (raw: RawOrder, isByLine: boolean) => {
    lines += raw.items.length
    batch.rows += 1
    addOrder(batch, raw, { known, isByLine }, context)
  }
  const together = orderLines(source.mapping, (raw) => take(raw, true))
  for await (const { rows, format, isLast } of readRows(source, bytes, contentType)) {
    for (const row of rows) {
      if ('message' in row) {
        batch.rows += 1
        batch.problems.push({ ...row, itemId: null, code: 'malformed_row', isWarning: false })
        together.broken()
      } else if (format === 'JSONL') take(orderOfLine(row, source.mapping), false)
      else together.take(row)
      if (batch.rows >= atOnce || lines >= linesAtOnce) yield given()
    }
    if (isLast) together.end()
    if (isLast) yield given()
  }

  function given(): OrderBatch {
    const full = batch
    batch = none()
    lines = 0
    return full
  }
}

const none = (): OrderBatch => ({ rows: 0, orders: [], problems: [], withdrawn: [], laterFrom: null })

/** What is known of the orders before, by their ids. */
interface Known {
  taken: SeenTexts
  skipped: SeenTexts
  /** Orders as they are, with their lines. */
  contents: SeenTexts
  withdrawn: SeenTexts
}

interface Before {
  known: Known
  /** An order has several lines of the file, which can stand apart. */
  isByLine: boolean
}

function addOrder(
  batch: OrderBatch,
  { line, fields, items, fault }: RawOrder,
  before: Before,
  context: { defaultCurrency: string | null; now: Date },
): void {
  const { known, isByLine } = before
  const { orderId } = fields
  // An object in JSON can have a toString of its own that is no function.
  const isShown = !isAbsent(orderId) && typeof orderId !== 'object'
  const itemId = isShown ? String(orderId).trim() : null
  const skip = (code: string, message: string) =>
    void batch.problems.push({ line, itemId, code, message, isWarning: false })
  const checked = fault === null ? checkOrder(fields, items, context) : { problems: [malformed(fault)] }
  const order = 'order' in checked ? checked.order : null
  // A line that stands apart can lack the fields of its order: what is wrong is its place.
  if (itemId !== null && isAgain(itemId, order, before)) {
    skip('duplicate_id', 'An earlier order has this id. The lines of an order must stand together.')
    if (!isByLine || (order && known.contents.has(JSON.stringify(order)))) return
    if (!known.taken.has(itemId) || !known.withdrawn.add(itemId)) return
    skip('duplicate_id', 'The earlier order does not count either, because it is not whole.')
    batch.withdrawn.push(itemId)
  } else if ('problems' in checked) {
    if (itemId !== null) known.skipped.add(itemId)
    for (const { code, message, until } of checked.problems) {
      skip(code, message)
      if (until) batch.laterFrom = earlier(batch.laterFrom, until)
    }
  } else {
    known.taken.add(checked.order.orderId)
    if (isByLine) known.contents.add(JSON.stringify(order))
    batch.orders.push(checked.order)
  }
}

const malformed = (message: string) => ({ code: 'malformed_row', message, until: undefined })

/** Whether an earlier order has this id. In a file with an order on each line, one that is skipped says nothing of others. */
const isAgain = (id: string, order: ImportedOrder | null, { known: { taken, skipped }, isByLine }: Before): boolean =>
  isByLine ? taken.has(id) || skipped.has(id) : taken.has(id) && order !== null

/** The earlier one of two moments, of which the first can be missing. */
export const earlier = (one: Date | null, other: Date): Date => (one === null || other < one ? other : one)
