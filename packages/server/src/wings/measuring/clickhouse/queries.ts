import { sql } from 'kysely'
import type { ClickHouse } from '../../../platform/clickhouse.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Batches, Happening, Rows, TrackedKeys, UnitsIn } from '../events/index.ts'
import { type EventType, productOf } from './rows.ts'
import { list, literal } from './text.ts'

// Statements of ClickHouse use only what versions from 18.16 to current ones know. They need no time functions or time
// types, because times are numbers.

const table = 'svc_events'

/**
 * Creates the table unless it exists, so an operator can create it with another engine. Newer servers write each insert
 * to the disk before they answer, as PostgreSQL does.
 */
export async function createTable(clickHouse: ClickHouse): Promise<void> {
  const known = await clickHouse.read(`
    select name from system.merge_tree_settings where name = 'fsync_after_insert'`)
  await clickHouse.command(`
    create table if not exists ${table} (
      batch Int64,
      day UInt32,
      env_id String,
      type Enum8('exposure' = 1, 'track' = 2),
      name String,
      unit String,
      at Int64,
      id String,
      received_at Int64,
      kind UInt8,
      clamped UInt8,
      variation_id String,
      value Nullable(Float64),
      details String
    ) engine = MergeTree partition by day order by (env_id, type, name, unit, at, id)
    settings index_granularity = 8192${known.length > 0 ? ', fsync_after_insert = 1, fsync_part_directory = 1' : ''}`)
}

export const insertRows = (clickHouse: ClickHouse, rows: readonly object[]): Promise<void> =>
  clickHouse.insert(table, rows)

/** Notes in the main database that a batch is being written. It counts as failed or written after `limitMs`. */
export async function beginBatch(db: Db, limitMs: number): Promise<number> {
  const { rows } = await sql<{ batch: number }>`
    insert into open_batches (batch, ends_at)
    values (nextval('event_batches'), clock_timestamp() + make_interval(secs => ${limitMs / 1000}::float8))
    returning batch`.execute(db)
  return rows[0]!.batch
}

export async function endBatch(db: Db, batch: number): Promise<void> {
  await sql`delete from open_batches where batch = ${batch}::bigint`.execute(db)
}

/** The last batch before those that are being written. Waits for a moment until begun ones are noted. */
export async function lastWrittenBatch(tx: Tx): Promise<number> {
  await sql`lock table open_batches in share row exclusive mode`.execute(tx)
  await sql`delete from open_batches where ends_at < clock_timestamp()`.execute(tx)
  const { rows } = await sql<{ last: number }>`
    select coalesce((select min(batch) - 1 from open_batches), case when is_called then last_value else 0 end) as last
    from event_batches`.execute(tx)
  return rows[0]!.last
}

/** The number of a batch that the transaction writes to the main database: `lastWrittenBatch` waits for its end. */
export async function nextBatch(tx: Tx): Promise<number> {
  await sql`lock table open_batches in row exclusive mode`.execute(tx)
  const { rows } = await sql<{ batch: number }>`select nextval('event_batches') as batch`.execute(tx)
  return rows[0]!.batch
}

/** Which events: of one rule, or of some keys. */
export interface Which {
  envId: string
  type: EventType
  names: readonly string[]
  /** Those that were received on this day or later, such as 20260131. */
  since?: number
}

const ofNames = ({ envId, type, names, since }: Which) =>
  `env_id = ${literal(envId)} and type = ${literal(type)} and name in ${list(names)}${since === undefined ? '' : ` and day >= ${since}`}`

const inBatches = ({ after, through }: Batches) => `batch > ${after} and batch <= ${through}`

/** The batch of the event after which there are `limit` fewer to read; null if there are none. */
export async function lastBatchOf(
  clickHouse: ClickHouse,
  which: Which,
  batches: Batches,
  limit: number,
): Promise<number | null> {
  const [row] = await clickHouse.read<{ last: number | string; events: number | string }>(`
    select max(batch) as last, count() as events from (
      select batch from ${table} where ${ofNames(which)} and ${inBatches(batches)} order by batch limit ${limit})`)
  return Number(row!.events) > 0 ? Number(row!.last) : null
}

// Of tracked events, earlier versions stored all properties there.
const told = `name, unit, at, id, kind, variation_id, value, if(type = 'exposure', details, '') as facts`

/** An event of one of these rows. */
export interface ToldRow {
  name: string
  unit: string
  at: number | string
  id: string
  kind: number
  variation_id: string
  value: number | null
  facts: string
}

/**
 * Events of some batches, each once. A request that is repeated is stored again, so an event counts in the first batch
 * that has it. Earlier ones are found by their unit, in the order of the table.
 */
export const eventsIn = (clickHouse: ClickHouse, which: Which, batches: Batches): Promise<ToldRow[]> =>
  clickHouse.read<ToldRow>(`
    select ${told} from ${table} where ${newIn(which, batches)}
    order by batch limit 1 by name, unit, id`)

const newIn = (which: Which, batches: Batches): string => `
  ${ofNames(which)} and ${inBatches(batches)} and (name, unit, id) not in (
    select name, unit, id from ${table}
    where ${ofNames(which)} and batch <= ${batches.after} and unit in (
      select unit from ${table} where ${ofNames(which)} and ${inBatches(batches)}))`

/** Tracked events with details, which have the product. In an order that is the same each time. */
export async function happenedIn(
  clickHouse: ClickHouse,
  which: Which,
  batches: Batches,
  { from, until }: { from: Date; until: Date },
): Promise<Happening[]> {
  const rows = await clickHouse.read<{ name: string; unit: string; at: number | string; details: string }>(`
    select name, unit, at, details from (
      select name, unit, at, id, batch, details from ${table}
      where ${newIn(which, batches)} and kind = 0 and details <> ''
        and at >= ${from.getTime()} and at < ${until.getTime()}
      order by batch limit 1 by name, unit, id)
    order by batch, id`)
  return rows.flatMap(({ name, unit, at, details }) => {
    const productId = productOf(details)
    return productId === null ? [] : [{ unit, eventKey: name, at: Number(at), productId, orderId: null }]
  })
}

/** What these units did, each event once. */
export const eventsOf = (
  clickHouse: ClickHouse,
  which: Which,
  units: readonly string[],
  through: number,
): Promise<ToldRow[]> =>
  clickHouse.read<ToldRow>(`
    select ${told} from ${table}
    where ${ofNames(which)} and unit in ${list(units)} and batch <= ${through} and kind = 0
    limit 1 by name, unit, id`)

export async function daysOf(clickHouse: ClickHouse): Promise<number[]> {
  const rows = await clickHouse.read<{ partition: string }>(`
    select distinct partition from system.parts
    where database = currentDatabase() and table = ${literal(table)} and active = 1 order by partition`)
  return rows.map(({ partition }) => Number(partition))
}

export const dropDay = (clickHouse: ClickHouse, day: number): Promise<void> =>
  clickHouse.command(`alter table ${table} drop partition ${day}`)

const ofUnits = ({ envIds, units }: UnitsIn) => `env_id in ${list(envIds)} and unit in ${list(units)}`

export async function rulesExposedTo(clickHouse: ClickHouse, of: UnitsIn): Promise<string[]> {
  const rows = await clickHouse.read<{ name: string }>(`
    select distinct name from ${table} where ${ofUnits(of)} and type = 'exposure'`)
  return rows.map(({ name }) => name)
}

/** Begins to delete. Versions from 23.3 know a lighter statement, older ones only this. */
export const deleteUnits = (clickHouse: ClickHouse, of: UnitsIn): Promise<void> =>
  clickHouse.command(`alter table ${table} delete where ${ofUnits(of)}`)

export async function isDeleting(clickHouse: ClickHouse): Promise<boolean> {
  const [row] = await clickHouse.read<{ open: number | string }>(`
    select count() as open from system.mutations
    where database = currentDatabase() and table = ${literal(table)} and is_done = 0`)
  return Number(row!.open) > 0
}

export async function unitsIn(db: Db, units: Rows): Promise<string[]> {
  const { rows } = await sql<{ unit: string }>`select unit from (${units}) units`.execute(db)
  return rows.map(({ unit }) => unit)
}

const timeOf = sql`to_timestamp(at::float8 / 1000)`

/** Rows of ClickHouse as a relation of exposures. */
export const exposuresOf = (rows: readonly ToldRow[]): Rows => sql`
  select unit, kind, ${timeOf} as at, id, variation_id, nullif(facts, '')::jsonb as dimensions
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    told (unit text, kind smallint, at float8, id uuid, variation_id uuid, facts text)`

/** Rows of ClickHouse as a relation of tracked events. */
export const trackedOf = (rows: readonly ToldRow[]): Rows => sql`
  select unit, name as event_key, ${timeOf} as at, value
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    told (unit text, name text, at float8, value float8)`

/** What a relation of keys asks for. */
export const whichTracked = ({ envId, eventKeys }: TrackedKeys): Which => ({ envId, type: 'track', names: eventKeys })
