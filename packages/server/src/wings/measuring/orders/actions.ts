import { invalid, type Refusal } from '../../../catalogue/refusals.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import {
  findKnownItems,
  holdCurrency,
  type KnownItem,
  type MoneySettings,
  minorUnits,
  printAmount,
  type Reporting,
  reportingOf,
} from '../../model/catalog/index.ts'
import type { EventStore, NewOrder } from '../events/index.ts'
import { costsOf, orderCost, printedCost } from './amounts.ts'
import { hasOrders, insertItems, insertOrders, noteChanges, type OrderRow, projectsOf } from './queries.ts'
import { beginRecount } from './recounts/actions.ts'

/**
 * Stores orders that SDKs have sent, durably, and returns which of them are new. Of an id, the first order counts. What
 * the catalog says of items and currencies now stays with the order.
 */
export async function storeOrders(
  { db, events }: { db: Db; events: Pick<EventStore, 'numberIn'> },
  orders: readonly NewOrder[],
  now: Date,
): Promise<readonly boolean[]> {
  const seen = new Set<string>()
  const first = orders.filter((order) => seen.size < seen.add(nameOf(order)).size)
  const stored = await db.transaction().execute(async (tx) => {
    const rows = await rowsOf(tx, first, now)
    // After the lock of the currency, as settings do: a new rate keeps that one for long, and this one stops all events.
    const batch = await events.numberIn(tx)
    const stored = await insertOrders(tx, rows, { batch, now })
    const made = new Set(stored.filter(({ wasKnown }) => !wasKnown).map(({ id }) => id))
    await insertItems(
      tx,
      rows.filter(({ id }) => made.has(id)),
    )
    await noteChanges(
      tx,
      stored.filter(({ wasKnown }) => wasKnown),
      { batch, now },
    )
    return new Set(stored.map(nameOf))
  })
  return orders.map((order) => stored.delete(nameOf(order)))
}

const nameOf = ({ envId, orderId }: Pick<NewOrder, 'envId' | 'orderId'>): string => `${envId} ${orderId}`

/** Orders of an environment that was deleted meanwhile have no row. */
async function rowsOf(tx: Tx, orders: readonly NewOrder[], now: Date): Promise<OrderRow[]> {
  const projects = await projectsOf(tx, [...new Set(orders.map(({ envId }) => envId))])
  const placed = orders.flatMap((order) => {
    const projectId = projects.get(order.envId)
    return projectId === undefined ? [] : [{ order, projectId }]
  })
  const reporting = await reportingOf(
    tx,
    placed.map(({ projectId, order }) => ({ projectId, currency: order.currency })),
    now,
  )
  const known = new Map<string, KnownItem>()
  for (const projectId of new Set(projects.values())) {
    const ids = placed.flatMap(({ projectId: of, order }) => (of === projectId ? order.items : []))
    const items = await findKnownItems(tx, projectId, [...new Set(ids.map(({ itemId }) => itemId))])
    for (const item of items) known.set(`${projectId} ${item.itemId}`, item)
  }
  return placed.map(({ order, projectId }) =>
    rowOf(order, {
      projectId,
      reporting: reporting(projectId),
      known: (itemId) => known.get(`${projectId} ${itemId}`),
    }),
  )
}

interface Known {
  projectId: string
  reporting: Reporting
  known: (itemId: string) => KnownItem | undefined
}

function rowOf(
  { envId, orderId, unit, at, currency, items, ...order }: NewOrder,
  { projectId, reporting, known }: Known,
) {
  const lines = items.map(({ itemId, quantity, price }) => {
    const item = known(itemId)
    const cost = item ? orderCost(item, currency, reporting) : null
    return { itemId, productId: item?.productId ?? null, quantity, price, cost }
  })
  const rate = reporting.rateOf(currency)
  return {
    ...{ id: newId(), projectId, envId, orderId, unit, placedAt: new Date(at), currency },
    total: printAmount(order.total),
    tax: printAmount(order.tax),
    shipping: printAmount(order.shipping),
    discount: printAmount(order.discount),
    pieces: items.reduce((sum, { quantity }) => sum + quantity, 0),
    costs: costsOf(lines),
    reporting: rate === null ? null : { currency: reporting.currency, digits: minorUnits(reporting.currency), rate },
    items: lines.map((line) => ({ ...line, price: printAmount(line.price), cost: printedCost(line.cost) })),
  } satisfies OrderRow
}

interface Change {
  projectId: string
  before: MoneySettings
  after: MoneySettings
  now: Date
}

/**
 * Lets the orders of a project follow its settings: a new rate makes money of orders that had none, and with another
 * trust, orders that no import knows begin to count or no longer do. The first of them follow in the transaction that
 * changes the settings, and the others in portions. Amounts are stored in the reporting currency, so it stays once there
 * are orders.
 */
export async function followSettings(
  tx: Tx,
  events: Pick<EventStore, 'numberIn'>,
  { projectId, before, after, now }: Change,
): Promise<Refusal | undefined> {
  const { currency, rates } = after
  const isOther = currency !== before.currency
  const added = Object.entries(rates).filter(([of]) => before.rates[of] === undefined)
  const hasOtherTrust = after.orderTrust !== before.orderTrust
  if (!isOther && added.length === 0 && !hasOtherTrust) return undefined
  if (isOther || added.length > 0) await holdCurrency(tx, projectId)
  if (isOther && (await hasOrders(tx, projectId)))
    return invalid({
      path: ['currency'],
      message: `must stay ${before.currency}: the orders of the project are counted in it.`,
    })
  if (currency === null || (added.length === 0 && !hasOtherTrust)) return undefined
  // As late as orders do: a snapshot that waits for its position makes the events of all projects wait.
  let numbered: Promise<number> | undefined
  const counting = {
    batch: () => {
      numbered ??= events.numberIn(tx)
      return numbered
    },
    now,
  }
  for (const [of, rate] of added)
    await beginRecount(tx, projectId, { what: 'RATE', currency: of, rate, reporting: currency }, counting)
  if (hasOtherTrust) await beginRecount(tx, projectId, { what: 'VISITORS', envId: null, from: null }, counting)
  return undefined
}
