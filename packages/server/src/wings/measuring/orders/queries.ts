import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Batches, HappenedIn, Happening, Rows, TrackedKeys } from '../events/index.ts'

const inBatches = ({ after, through }: Batches) => sql`batch > ${after}::bigint and batch <= ${through}::bigint`

/** The last batch of a portion, and about how many events it has. */
interface PortionEnd {
  last: number
  size: number
}

async function endOf(db: Db, batches: Rows, eventsEach: number): Promise<PortionEnd | undefined> {
  const { rows } = await sql<PortionEnd>`
    select max(batch) as last, count(*)::float8 * ${eventsEach}::integer as size
    from (${batches}) next having count(*) > 0`.execute(db)
  return rows[0]
}

export const endOfOrders = (
  db: Db,
  { envId, eventKeys }: TrackedKeys,
  batches: Batches,
  limit: number,
): Promise<PortionEnd | undefined> =>
  endOf(
    db,
    sql`select batch from orders where env_id = ${envId} and ${inBatches(batches)} order by batch limit ${limit}`,
    eventKeys.length,
  )

/**
 * Whether an order counts: an import knows it, or the project trusts what SDKs send. With AUTO it does until the first
 * import of the environment, and later for orders from before. Part of a statement that has `orders`.
 */
const isCounted = sql`(by_import or case coalesce(
    (select order_trust from catalogs where catalogs.project_id = orders.project_id), 'AUTO')
  when 'SDK' then true when 'CONFIRMED' then false
  else not exists (select from order_confirmations confirmed
    where confirmed.env_id = orders.env_id and confirmed_from <= orders.placed_at) end)`

/** What an order gives. Without a rate for its currency, it counts, but not as money. */
const given = sql`lateral (values
    ('order', revenue), ('order.margin', margin), ('order.items', pieces::numeric), ('order.refund', refunded * rate)
  ) given (event_key, value)`

const isGiven = ({ envId, eventKeys }: TrackedKeys) => sql`env_id = ${envId} and status <> 'CANCELLED' and ${isCounted}
  and event_key = any(${[...eventKeys]}::text[])
  and case event_key when 'order.margin' then margin is not null when 'order.refund' then refunded > 0 else true end`

const columns = sql`event_key, placed_at as at, value::float8 as value`

/** The events that orders of these batches give, as they are now. */
export const ordersIn = (of: TrackedKeys, batches: Batches): Rows => sql`
  select unit, ${columns} from orders cross join ${given}
  where unit is not null and ${isGiven(of)} and ${inBatches(batches)}`

/** The same of units. `units` has `unit` and `since`. */
export const ordersOf = (of: TrackedKeys, units: Rows, through: number): Rows => sql`
  select told.unit, event_key, at, value from (${units}) units cross join lateral (
    select unit, ${columns}, batch from orders cross join ${given}
    where orders.unit = units.unit and placed_at >= since and ${isGiven(of)}
    offset 0) told
  where batch <= ${through}::bigint`

/** What orders have, item by item. An item that the catalog did not know stands for its product. */
export async function boughtIn(db: Db, { envId, from, until }: HappenedIn, batches: Batches): Promise<Happening[]> {
  const { rows } = await sql<Happening>`
    select unit, 'order' as "eventKey", (extract(epoch from placed_at) * 1000)::float8 as at,
      coalesce(product_id, item_id) as "productId", orders.order_id as "orderId"
    from orders join order_items items on items.order_id = orders.id
    where env_id = ${envId} and status <> 'CANCELLED' and refunded_quantity < quantity and ${isCounted}
      and placed_at >= ${from}::timestamptz and placed_at < ${until}::timestamptz and ${inBatches(batches)}
    order by batch, orders.order_id, place`.execute(db)
  return rows
}

export const endOfChanges = (db: Db, envId: string, batches: Batches, limit: number): Promise<PortionEnd | undefined> =>
  endOf(
    db,
    sql`select batch from order_changes where env_id = ${envId} and ${inBatches(batches)} order by batch limit ${limit}`,
    1,
  )

export const changedIn = (envId: string, batches: Batches): Rows =>
  sql`select distinct unit from order_changes where env_id = ${envId} and ${inBatches(batches)}`

/** An order with what is known of its environment and items. Amounts are decimal texts. */
export interface OrderRow {
  id: string
  projectId: string
  envId: string
  orderId: string
  unit: string
  placedAt: Date
  currency: string
  total: string
  tax: string
  shipping: string
  discount: string
  pieces: number
  costs: string | null
  reporting: { currency: string; digits: number; rate: string } | null
  items: OrderItemRow[]
}

export interface OrderItemRow {
  itemId: string
  productId: string | null
  quantity: number
  price: string
  cost: string | null
}

/** An order that is stored now, or whose visitor an SDK has named now. */
interface Stored {
  id: string
  envId: string
  orderId: string
  unit: string
  /** An import knew it. */
  wasKnown: boolean
}

/**
 * Stores orders that an SDK has sent. An order that only an import knows gets its visitor, unless it has one; all others
 * that are known stay as they are. In order, so that two batches with the same orders do not deadlock.
 */
export async function insertOrders(
  tx: Tx,
  orders: readonly OrderRow[],
  { batch, now }: { batch: number; now: Date },
): Promise<Stored[]> {
  const told = orders.map(({ items: _, reporting, ...order }) => ({
    ...order,
    ...reporting,
    into: reporting?.currency,
  }))
  const { rows } = await sql<Stored>`
    insert into orders (id, project_id, env_id, order_id, batch, unit, placed_at, received_at, status, by_sdk, by_import,
      currency, total, tax, shipping, discount, pieces, costs, reporting_currency, reporting_digits, rate, updated_at)
    select id, "projectId", "envId", "orderId", ${batch}::bigint, unit, "placedAt", ${now}::timestamptz, 'PLACED', true,
      false, currency, total, tax, shipping, discount, pieces, costs, "into", digits, rate, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) told (id uuid, "projectId" uuid, "envId" uuid,
      "orderId" text, unit text, "placedAt" timestamptz, currency text, total numeric, tax numeric, shipping numeric,
      discount numeric, pieces bigint, costs numeric, "into" text, digits smallint, rate numeric)
    order by "envId", "orderId"
    on conflict (env_id, order_id) do update set
      by_sdk = true, unit = coalesce(orders.unit, excluded.unit), updated_at = excluded.updated_at
      where not orders.by_sdk
    returning id, env_id as "envId", order_id as "orderId", unit, by_import as "wasKnown"`.execute(tx)
  return rows
}

export async function insertItems(tx: Tx, orders: readonly Pick<OrderRow, 'id' | 'items'>[]): Promise<void> {
  const items = orders.flatMap(({ id, items }) => items.map((item, place) => ({ orderId: id, place, ...item })))
  await sql`
    insert into order_items (order_id, place, item_id, product_id, quantity, price, cost)
    select "orderId", place, "itemId", "productId", quantity, price, cost
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) told ("orderId" uuid, place integer, "itemId" text,
      "productId" text, quantity integer, price numeric, cost numeric)`.execute(tx)
}

/** Lets snapshots count these visitors again. */
export async function noteChanges(
  tx: Tx,
  changes: readonly { envId: string; unit: string }[],
  { batch, now }: { batch: number; now: Date },
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into order_changes (env_id, batch, unit, changed_at)
    select "envId", ${batch}::bigint, unit, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) told ("envId" uuid, unit text)
    on conflict do nothing`.execute(tx)
}

/** Whether a project has orders. */
export async function hasOrders(db: Db, projectId: string): Promise<boolean> {
  const { rows } = await sql`select from orders where project_id = ${projectId} limit 1`.execute(db)
  return rows.length > 0
}

/** What an environment knows of orders: whether there are any, and what those since a moment say. */
export interface OrderFacts {
  hasOrders: boolean
  orders: number
  withMargin: number
}

export async function orderFacts(
  db: Db,
  { projectId, envId, since }: { projectId: string; envId: string; since: Date },
): Promise<OrderFacts> {
  const { rows } = await sql<OrderFacts>`
    select exists (select from orders where env_id = ${envId}) as "hasOrders", count(*)::float8 as orders,
      count(margin)::float8 as "withMargin"
    from orders where project_id = ${projectId} and env_id = ${envId} and placed_at >= ${since}
      and status <> 'CANCELLED'`.execute(db)
  return rows[0]!
}

/**
 * The ids of the items that a visitor has bought, those of the latest orders first. Anybody can send orders, so of a
 * visitor with more than `most` orders, only as many are read.
 */
export async function itemsBoughtBy(
  db: Db,
  { envId, unit, limit, most = 1_000 }: { envId: string; unit: string; limit: number; most?: number },
): Promise<string[]> {
  const { rows } = await sql<{ itemId: string }>`
    select item_id as "itemId" from (
      select id, placed_at from (
        select id, placed_at, status from orders where env_id = ${envId} and unit = ${unit} limit ${most}::integer
      ) told where status <> 'CANCELLED'
      order by placed_at desc, id limit ${limit}::integer
    ) latest join order_items on order_items.order_id = latest.id
    order by placed_at desc, item_id limit ${limit}`.execute(db)
  return rows.map(({ itemId }) => itemId)
}

/**
 * Gives visitors new names in orders and in what is noted of their changes, in the order of their present names. Orders are
 * locked in the order in which they are stored, so that an import or an SDK that stores the same ones waits in no circle.
 */
export async function renameInOrders(
  tx: Tx,
  envIds: readonly string[],
  { units, as }: { units: readonly string[]; as: readonly string[] },
): Promise<void> {
  const renaming = sql`from unnest(${[...units]}::text[], ${[...as]}::text[]) named (was, becomes)
    where env_id = any(${[...envIds]}::uuid[]) and unit = named.was`
  await sql`
    select from orders where env_id = any(${[...envIds]}::uuid[]) and unit = any(${[...units]}::text[])
    order by env_id, order_id for no key update`.execute(tx)
  await sql`update orders set unit = named.becomes ${renaming}`.execute(tx)
  await sql`update order_changes set unit = named.becomes ${renaming}`.execute(tx)
}

/** Deletes what snapshots do not read any more. Returns how many rows. */
export async function sweepChanges(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from order_changes where ctid = any(array(
      select ctid from order_changes where changed_at < ${before} limit ${limit}::integer)) returning 1`.execute(db)
  return rows.length
}

/** Deletes orders of environments that were deleted. Returns how many. */
export async function sweepOrders(db: Db, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from orders where ctid = any(array(
      select ctid from orders where env_id in (select env_id from deleted_environments) limit ${limit}::integer))
    returning 1`.execute(db)
  return rows.length
}

/** The projects of environments. Deleted ones are missing. */
export async function projectsOf(tx: Tx, envIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; projectId: string }>`
    select id, project_id as "projectId" from environments where id = any(${[...envIds]}::uuid[])`.execute(tx)
  return new Map(rows.map(({ id, projectId }) => [id, projectId]))
}

/** An order as it is shown. Amounts are decimal texts. */
export interface StoredOrder {
  id: string
  orderId: string
  unit: string | null
  envId: string
  placedAt: Date
  status: 'PLACED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'CANCELLED'
  bySdk: boolean
  byImport: boolean
  counted: boolean
  currency: string
  total: string
  tax: string
  shipping: string
  discount: string
  refunded: string
  reportingCurrency: string | null
  rate: string | null
  revenue: string | null
  margin: string | null
  items: {
    itemId: string
    productId: string | null
    quantity: number
    refundedQuantity: number
    price: string
    cost: string | null
  }[]
}

/** An amount as decimal text: with two decimals, and more only if they are not 0. Null stays null. */
const printedValue = (amount: RawBuilder<unknown>) => sql`round(${amount}, greatest(2, min_scale(${amount})))::text`

const printed = (column: string) => printedValue(sql.ref(column))

const summed = (column: string) => printedValue(sql`coalesce(sum(${sql.ref(column)}) filter (where sold), 0)`)

const shown = sql`orders.id, order_id as "orderId", unit, env_id as "envId", placed_at as "placedAt", status,
  by_sdk as "bySdk", by_import as "byImport", ${isCounted} as counted, currency, ${printed('total')} as total,
  ${printed('tax')} as tax, ${printed('shipping')} as shipping, ${printed('discount')} as discount,
  ${printed('refunded')} as refunded, reporting_currency as "reportingCurrency", trim_scale(rate)::text as rate,
  ${printed('revenue')} as revenue, ${printed('margin')} as margin,
  (select coalesce(jsonb_agg(jsonb_build_object('itemId', item_id, 'productId', product_id, 'quantity', quantity,
      'refundedQuantity', refunded_quantity, 'price', ${printed('price')}, 'cost', ${printed('cost')}) order by place), '[]')
    from order_items where order_items.order_id = orders.id) as items`

export interface OrderFilter {
  projectId: string
  envId?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
  status?: StoredOrder['status'] | undefined
  unit?: string | undefined
  orderId?: string | undefined
}

/** Those placed last come first. */
export async function listOrders(
  db: Db,
  { projectId, envId, since, until, status, unit, orderId }: OrderFilter,
  after: string | null,
  limit: number,
): Promise<StoredOrder[]> {
  const only = [
    sql`project_id = ${projectId}`,
    ...(envId === undefined ? [] : [sql`env_id = ${envId}`]),
    ...(since === undefined ? [] : [sql`placed_at >= ${since}::timestamptz`]),
    ...(until === undefined ? [] : [sql`placed_at < ${until}::timestamptz`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(unit === undefined ? [] : [sql`unit = ${unit}`]),
    ...(orderId === undefined ? [] : [sql`orders.order_id = ${orderId}`]),
    ...(after === null ? [] : [sql`(placed_at, id) < (select placed_at, id from orders where id = ${after}::uuid)`]),
  ]
  const { rows } = await sql<StoredOrder>`
    select ${shown} from orders where ${sql.join(only, sql` and `)}
    order by placed_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

export async function findOrder(
  db: Db,
  { orgId, projectId, id }: { orgId: string; projectId: string; id: string },
): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`
    select ${shown} from orders where id = ${id} and project_id = ${projectId}
      and exists (select from projects where projects.id = ${projectId} and org_id = ${orgId})`.execute(db)
  return rows[0]
}

/** What the orders of a day are, added up. Of the row without a date, those of all days. */
export interface OrderDay {
  date: string | null
  orders: number
  revenue: string
  margin: string
  averageOrder: string | null
  refunded: string
  cancelled: number
  unattributed: number
  unconverted: number
  withoutMargin: number
  unconfirmed: number
}

/**
 * Adds up the orders that were placed from one day to another, both in UTC and included.
 *
 * @param from and `until`, as in `2026-11-20`
 */
export async function summarize(
  db: Db,
  { projectId, envId, from, to }: { projectId: string; envId: string | undefined; from: string; to: string },
): Promise<OrderDay[]> {
  const ofEnvironment = envId === undefined ? sql`` : sql`and env_id = ${envId}`
  const counting = (which: RawBuilder<unknown>) => sql`(count(*) filter (where ${which}))::float8`
  const { rows } = await sql<OrderDay>`
    with placed as materialized (
      select (placed_at at time zone 'UTC')::date as date, unit, status, revenue, margin, refunded * rate as refunded,
        ${isCounted} as counted, ${isCounted} and status <> 'CANCELLED' as sold,
        coalesce(reporting_digits, 2) as digits
      from orders
      where project_id = ${projectId} ${ofEnvironment} and placed_at >= (${from}::date)::timestamp at time zone 'UTC'
        and placed_at < (${to}::date + 1)::timestamp at time zone 'UTC'
    )
    select to_char(date, 'YYYY-MM-DD') as date, ${counting(sql`sold`)} as orders,
      ${summed('revenue')} as revenue, ${summed('margin')} as margin, ${summed('refunded')} as refunded,
      ${printedValue(sql`round(avg(revenue) filter (where sold), max(digits))`)} as "averageOrder",
      ${counting(sql`counted and status = 'CANCELLED'`)} as cancelled,
      ${counting(sql`sold and unit is null`)} as unattributed,
      ${counting(sql`sold and revenue is null`)} as unconverted,
      ${counting(sql`sold and margin is null`)} as "withoutMargin",
      ${counting(sql`not counted`)} as unconfirmed
    from placed group by grouping sets ((date), ()) order by date nulls last`.execute(db)
  return rows
}
