import { sql } from 'kysely'
import type { Tx } from '../../../../platform/db/index.ts'
import type { PlannedContent, StoredContent } from './plan.ts'

/** An order with its place. */
export interface PlannedOrder {
  id: string
  orderId: string
  content: PlannedContent
}

export interface StoredOrderContent extends StoredContent {
  id: string
  orderId: string
}

interface Placed {
  projectId: string
  envId: string
  /** Of `event_batches`. */
  batch: number
  now: Date
}

const shape = sql`told (id uuid, "orderId" text, unit text, "placedAt" timestamptz, status text, currency text,
  total numeric, tax numeric, shipping numeric, discount numeric, refunded numeric, pieces bigint, costs numeric,
  "reportingCurrency" text, digits smallint, rate numeric)`

const flat = (orders: readonly PlannedOrder[]): string =>
  JSON.stringify(orders.map(({ id, orderId, content: { items: _, ...content } }) => ({ id, orderId, ...content })))

/**
 * Stores those of the orders that are new, and returns their ids. The others are locked until the end of the transaction,
 * all of them in the order in which SDKs store them.
 */
export async function insertNew(
  tx: Tx,
  orders: readonly PlannedOrder[],
  { projectId, envId, batch, now }: Placed,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    insert into orders (id, project_id, env_id, order_id, batch, unit, placed_at, received_at, status, by_sdk, by_import,
      currency, total, tax, shipping, discount, refunded, pieces, costs, reporting_currency, reporting_digits, rate,
      updated_at)
    select id, ${projectId}::uuid, ${envId}::uuid, "orderId", ${batch}::bigint, unit, "placedAt", ${now}::timestamptz,
      status, false, true, currency, total, tax, shipping, discount, refunded, pieces, costs, "reportingCurrency", digits,
      rate, ${now}::timestamptz
    from jsonb_to_recordset(${flat(orders)}::jsonb) ${shape} order by "orderId"
    on conflict (env_id, order_id) do update set updated_at = excluded.updated_at where false
    returning id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

const printed = (column: string) => {
  const amount = sql.ref(column)
  return sql`round(${amount}, greatest(2, min_scale(${amount})))::text`
}

export async function findStored(tx: Tx, envId: string, orderIds: readonly string[]): Promise<StoredOrderContent[]> {
  const { rows } = await sql<Omit<StoredOrderContent, 'placedAt'> & { placedAt: Date }>`
    select id, order_id as "orderId", unit, placed_at as "placedAt", status, by_sdk as "bySdk",
      by_import as "byImport", currency, ${printed('total')} as total, ${printed('tax')} as tax,
      ${printed('shipping')} as shipping, ${printed('discount')} as discount, ${printed('refunded')} as refunded,
      reporting_currency as "reportingCurrency", reporting_digits as digits, trim_scale(rate)::text as rate,
      (select coalesce(jsonb_agg(jsonb_build_object('itemId', item_id, 'productId', product_id, 'quantity', quantity,
          'refundedQuantity', refunded_quantity, 'price', ${printed('price')}, 'cost', ${printed('cost')}) order by place),
          '[]')
        from order_items where order_items.order_id = orders.id) as items
    from orders where env_id = ${envId} and order_id = any(${[...orderIds]}::text[])`.execute(tx)
  return rows.map(({ placedAt, ...order }) => ({ ...order, placedAt: placedAt.toISOString() }))
}

/** Writes orders that were there, with all of their lines. */
export async function replaceOrders(tx: Tx, orders: readonly PlannedOrder[], now: Date): Promise<void> {
  if (orders.length === 0) return
  await sql`
    update orders set unit = told.unit, placed_at = told."placedAt", status = told.status, by_import = true,
      currency = told.currency, total = told.total, tax = told.tax, shipping = told.shipping, discount = told.discount,
      refunded = told.refunded, pieces = told.pieces, costs = told.costs, rate = told.rate,
      reporting_currency = told."reportingCurrency", reporting_digits = told.digits, updated_at = ${now}
    from jsonb_to_recordset(${flat(orders)}::jsonb) ${shape} where orders.id = told.id`.execute(tx)
  await sql`delete from order_items where order_id = any(${orders.map(({ id }) => id)}::uuid[])`.execute(tx)
  await insertLines(tx, orders)
}

export async function insertLines(tx: Tx, orders: readonly PlannedOrder[]): Promise<void> {
  const lines = orders.flatMap(({ id, content }) => content.items.map((line, place) => ({ of: id, place, ...line })))
  await sql`
    insert into order_items (order_id, place, item_id, product_id, quantity, refunded_quantity, price, cost)
    select "of", place, "itemId", "productId", quantity, "refundedQuantity", price, cost
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) told ("of" uuid, place integer, "itemId" text,
      "productId" text, quantity integer, "refundedQuantity" integer, price numeric, cost numeric)`.execute(tx)
}

/** Notes from which time on orders of an environment need an import. Returns false if it has such a time. */
export async function insertConfirmation(tx: Tx, envId: string, from: Date, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into order_confirmations (env_id, confirmed_from, confirmed_at) values (${envId}, ${from}, ${now})
    on conflict do nothing returning 1`.execute(tx)
  return rows.length > 0
}
