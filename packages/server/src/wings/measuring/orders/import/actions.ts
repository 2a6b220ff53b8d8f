import type { Tx } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids.ts'
import { findKnownItems, minorUnits, type Reporting, reportingOf } from '../../../model/catalog/index.ts'
import type { EventStore } from '../../events/index.ts'
import { orderCost } from '../amounts.ts'
import { noteChanges } from '../queries.ts'
import { beginRecount } from '../recounts/actions.ts'
import type { ImportedOrder } from './check.ts'
import { imported, isSame, type Knowledge, type PlannedContent } from './plan.ts'
import { findStored, insertConfirmation, insertLines, insertNew, type PlannedOrder, replaceOrders } from './queries.ts'

export interface ImportPlace {
  projectId: string
  envId: string
  now: Date
}

export interface ImportCounts {
  added: number
  changed: number
  unchanged: number
}

/** What has become of orders that were stored. */
export interface StoredOrders {
  counts: ImportCounts
  /** When the first of them was placed that gives something to results: one with a visitor that is not cancelled. */
  firstAt: Date | null
}

type Numbering = Pick<EventStore, 'numberIn'>

/**
 * Stores orders of a file, each id once. An order that is known gets what the file says; snapshots count its visitors
 * again, the one of before and the one of now.
 */
export async function importOrders(
  tx: Tx,
  events: Numbering,
  orders: readonly ImportedOrder[],
  { projectId, envId, now }: ImportPlace,
): Promise<StoredOrders> {
  if (orders.length === 0) return { counts: { added: 0, changed: 0, unchanged: 0 }, firstAt: null }
  const known = await knowledgeOf(tx, projectId, orders, now)
  const batch = await events.numberIn(tx)
  const fresh = orders.map((order) => ({ id: newId(), orderId: order.orderId, content: imported(order, null, known) }))
  const made = await insertNew(tx, fresh, { projectId, envId, batch, now })
  const added = fresh.filter(({ id }) => made.has(id))
  await insertLines(tx, added)
  const others = fresh.filter(({ id }) => !made.has(id)).map(({ orderId }) => orderId)
  const stored = others.length === 0 ? [] : await findStored(tx, envId, others)
  const byId = new Map(orders.map((order) => [order.orderId, order]))
  const changed: PlannedOrder[] = []
  const contents = added.map(({ content }) => content)
  const units = new Set<string>()
  for (const before of stored) {
    const { id, orderId, ...was } = before
    const content = imported(byId.get(orderId)!, was, known)
    contents.push(content)
    if (isSame(was, content)) continue
    changed.push({ id, orderId, content })
    for (const unit of [was.unit, content.unit]) if (unit !== null) units.add(unit)
  }
  await replaceOrders(tx, changed, now)
  const changes = [...units].map((unit) => ({ envId, unit }))
  await noteChanges(tx, changes, { batch, now })
  const counts = { added: made.size, changed: changed.length, unchanged: stored.length - changed.length }
  return { counts, firstAt: firstOf(contents) }
}

function firstOf(contents: readonly PlannedContent[]): Date | null {
  const giving = contents.filter(({ unit, status }) => unit !== null && status !== 'CANCELLED')
  const times = giving.map(({ placedAt }) => Date.parse(placedAt))
  return times.length === 0 ? null : new Date(times.reduce((one, other) => Math.min(one, other)))
}

async function knowledgeOf(tx: Tx, projectId: string, orders: readonly ImportedOrder[], now: Date): Promise<Knowledge> {
  const currencies = orders.map(({ currency }) => ({ projectId, currency }))
  const reporting: Reporting = (await reportingOf(tx, currencies, now))(projectId)
  const ids = new Set(orders.flatMap(({ items }) => items.map(({ itemId }) => itemId)))
  const items = new Map((await findKnownItems(tx, projectId, [...ids])).map((item) => [item.itemId, item]))
  return {
    item(itemId, currency) {
      const found = items.get(itemId)
      return { productId: found?.productId ?? null, cost: found ? orderCost(found, currency, reporting) : null }
    },
    reporting(of) {
      const rate = reporting.rateOf(of)
      return rate === null ? null : { currency: reporting.currency, digits: minorUnits(reporting.currency), rate }
    },
  }
}

/**
 * After the first import of an environment that gives something to results, orders that were placed since its earliest
 * one that does need an import to count, with the trust AUTO. The visitors of the others are counted again.
 */
export async function confirmFrom(
  tx: Tx,
  events: Numbering,
  { projectId, envId, now }: ImportPlace,
  from: Date,
): Promise<void> {
  if (!(await insertConfirmation(tx, envId, from, now))) return
  await beginRecount(tx, projectId, { what: 'VISITORS', envId, from }, { batch: () => events.numberIn(tx), now })
}
