import { type RawBuilder, sql } from 'kysely'
import { codeOf, type Db, type Tx } from '../../../platform/db/index.ts'
import { exposureColumns, idColumns, type Named, trackedColumns } from './columns.ts'
import type { Day } from './days.ts'
import type { NamedRule } from './names.ts'
import type {
  Batches,
  Exposure,
  HappenedIn,
  Happening,
  NewEvent,
  Rows,
  TrackedEvent,
  TrackedKeys,
  UnitsIn,
} from './store.ts'

/** The id or text that a name has, by its place in the row. */
const nameAt = ({ names }: Named, place: string, type: 'uuid' | 'text') =>
  sql`(${names}::${sql.raw(type)}[])[${sql.ref(place)}]`

/** Inserts ids that were not received before. In order, so that two batches with the same ids do not deadlock. */
function insertingIds(events: readonly NewEvent[]): RawBuilder<unknown> {
  const { envs, ids } = idColumns(events)
  return sql`
    insert into event_ids (id, env_id)
    select id, env_id from (
      select told.id, ${nameAt(envs, 'told.env', 'uuid')} as env_id
      from (select unnest(${ids}::uuid[]) as id, unnest(${envs.places}::integer[]) as env) told
    ) told
    where not exists (
      select from earlier_event_ids earlier where earlier.id = told.id and earlier.env_id = told.env_id)
    order by id, env_id`
}

/**
 * Inserts events whose ids must all be new, in one statement, a fifth faster than `insertFreshEvents`. If one of them is
 * not new, it fails and stores nothing: `metKnownId` recognizes the error.
 */
export async function insertAllEvents(db: Db, events: readonly NewEvent[], receivedAt: Date): Promise<void> {
  await sql`
    with fresh as (
      ${insertingIds(events)} returning 1
    )${insertingRows(events, receivedAt, sql``)}
    select 1 / (count(*) = ${events.length}::integer)::integer from fresh`.execute(db)
}

const uniqueViolation = '23505'
/** An id is among the earlier ones: the last line of the statement fails. */
const divisionByZero = '22012'

export const metKnownId = (error: unknown): boolean => [uniqueViolation, divisionByZero].includes(codeOf(error) ?? '')

/**
 * Inserts the events whose ids are new, in one statement. An id must occur only once in its environment. Returns
 * `environment id` of those that are new, or null if all are.
 */
export async function insertFreshEvents(
  db: Db,
  events: readonly NewEvent[],
  receivedAt: Date,
): Promise<ReadonlySet<string> | null> {
  const isFresh = sql` join fresh on fresh.id = told.id and fresh.env_id = told.env_id`
  const { rows } = await sql<{ fresh: string[] | null }>`
    with fresh as (
      ${insertingIds(events)} on conflict do nothing returning id, env_id
    )${insertingRows(events, receivedAt, isFresh)}
    select case when (select count(*) from fresh) < ${events.length}::integer
      then array(select env_id || ' ' || id from fresh) end as fresh`.execute(db)
  const fresh = rows[0]!.fresh
  return fresh && new Set(fresh)
}

/** Parts of a statement that insert the rows of a batch. */
function insertingRows(events: readonly NewEvent[], receivedAt: Date, joined: RawBuilder<unknown>) {
  const exposures = events.filter((event): event is Exposure => event.type === 'exposure')
  const tracked = events.filter((event): event is TrackedEvent => event.type === 'track')
  const batch = sql`, batch as materialized (select nextval('event_batches') as batch)`
  const exposed = sql`, exposed as (${insertingExposures(exposures, receivedAt, joined)})`
  const sold = sql`, tracked as (${insertingTracked(tracked, receivedAt, joined)})`
  return sql`${batch}${exposures.length > 0 ? exposed : sql``}${tracked.length > 0 ? sold : sql``}`
}

function insertingExposures(rows: readonly Exposure[], receivedAt: Date, joined: RawBuilder<unknown>) {
  const columns = exposureColumns(rows)
  const { envs, rules, variations } = columns
  return sql`
    insert into exposures (batch, id, env_id, rule_id, variation_id, unit, at, received_at, kind, clamped, dimensions)
    select (select batch from batch), told.id, told.env_id, ${nameAt(rules, 'rule', 'uuid')},
      ${nameAt(variations, 'variation', 'uuid')}, unit, at, ${receivedAt}::timestamptz, kind, clamped, dimensions
    from (
      select *, ${nameAt(envs, 'env', 'uuid')} as env_id from (
        select unnest(${columns.ids}::uuid[]) as id, unnest(${envs.places}::integer[]) as env,
          unnest(${rules.places}::integer[]) as rule, unnest(${variations.places}::integer[]) as variation,
          unnest(${columns.units}::text[]) as unit, unnest(${columns.at}::timestamptz[]) as at,
          unnest(${columns.kinds}::smallint[]) as kind, unnest(${columns.clamped}::boolean[]) as clamped,
          unnest(${columns.dimensions}::jsonb[]) as dimensions
      ) row
    ) told${joined}`
}

function insertingTracked(rows: readonly TrackedEvent[], receivedAt: Date, joined: RawBuilder<unknown>) {
  const columns = trackedColumns(rows)
  const { envs, eventKeys } = columns
  return sql`
    insert into tracked_events (batch, id, env_id, event_key, unit, value, at, received_at, kind, clamped,
      product_id)
    select (select batch from batch), told.id, told.env_id, ${nameAt(eventKeys, 'event', 'text')}, unit, value,
      at, ${receivedAt}::timestamptz, kind, clamped, product
    from (
      select *, ${nameAt(envs, 'env', 'uuid')} as env_id from (
        select unnest(${columns.ids}::uuid[]) as id, unnest(${envs.places}::integer[]) as env,
          unnest(${eventKeys.places}::integer[]) as event, unnest(${columns.units}::text[]) as unit,
          unnest(${columns.values}::float8[]) as value, unnest(${columns.at}::timestamptz[]) as at,
          unnest(${columns.kinds}::smallint[]) as kind, unnest(${columns.clamped}::boolean[]) as clamped,
          unnest(${columns.products}::text[]) as product
      ) row
    ) told${joined}`
}

/** The partitioned tables. */
export const dayTables = ['exposures', 'tracked_events'] as const

export type DayTable = (typeof dayTables)[number]

/**
 * Creates the partition of a day, which begins at `from`, unless it exists. Attaching a table does not wait for those
 * who read the others, as creating it in place would.
 */
export async function createDay(tx: Tx, table: DayTable, name: string, from: Date, until: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}::text, 0))`.execute(tx)
  const { rows } = await sql<{ known: boolean }>`select to_regclass(${name}::text) is not null as known`.execute(tx)
  if (rows[0]!.known) return
  await sql`create table ${sql.table(name)} (like ${sql.table(table)} including all)`.execute(tx)
  await sql`
    alter table ${sql.table(table)} attach partition ${sql.table(name)}
    for values from (${sql.lit(from.toISOString())}) to (${sql.lit(until.toISOString())})`.execute(tx)
}

export async function daysOf(db: Db, table: DayTable): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${table}::regclass order by relname`.execute(db)
  return rows.map(({ name }) => name)
}

/** Fails rather than making ingestion wait behind a long read. */
export async function dropDay(tx: Tx, name: string): Promise<void> {
  await sql`set local lock_timeout = '200ms'`.execute(tx)
  await sql`drop table if exists ${sql.table(name)}`.execute(tx)
}

/** Waits until the batches under way are committed or have failed. New ones wait meanwhile. */
export async function lastBatch(tx: Tx): Promise<number> {
  await sql`lock table event_ids in share mode`.execute(tx)
  const { rows } = await sql<{ last: number }>`
    select case when is_called then last_value else 0 end as last from event_batches`.execute(tx)
  return rows[0]!.last
}

/** The number of a batch that the transaction writes elsewhere: `lastBatch` waits for its end. */
export async function nextBatch(tx: Tx): Promise<number> {
  await sql`lock table event_ids in row exclusive mode`.execute(tx)
  const { rows } = await sql<{ batch: number }>`select nextval('event_batches') as batch`.execute(tx)
  return rows[0]!.batch
}

const inBatches = ({ after, through }: Batches) => sql`batch > ${after}::bigint and batch <= ${through}::bigint`

/** The last batch of a portion of about `limit` events, and how many it has. */
interface PortionEnd {
  last: number
  size: number
}

/** @param batches those of events, in order, up to a limit */
async function endOf(db: Db, batches: Rows): Promise<PortionEnd | undefined> {
  const { rows } = await sql<PortionEnd>`
    select max(batch) as last, count(*)::float8 as size from (${batches}) next having count(*) > 0`.execute(db)
  return rows[0]
}

export const endOfExposures = (
  db: Db,
  { envId, ruleId }: { envId: string; ruleId: string },
  batches: Batches,
  limit: number,
): Promise<PortionEnd | undefined> =>
  endOf(
    db,
    sql`
      select batch from exposures where env_id = ${envId} and rule_id = ${ruleId} and ${inBatches(batches)}
      order by batch limit ${limit}`,
  )

export const exposuresIn = ({ envId, ruleId }: { envId: string; ruleId: string }, batches: Batches): Rows => sql`
  select unit, kind, at, id, variation_id, dimensions from exposures
  where env_id = ${envId} and rule_id = ${ruleId} and ${inBatches(batches)}`

/** Each key is read in the order of its index. */
export const endOfTracked = (
  db: Db,
  { envId, eventKeys }: TrackedKeys,
  batches: Batches,
  limit: number,
): Promise<PortionEnd | undefined> =>
  endOf(
    db,
    sql`
      select batch from unnest(${[...eventKeys]}::text[]) key cross join lateral (
        select batch from tracked_events where env_id = ${envId} and event_key = key and ${inBatches(batches)}
        order by batch limit ${limit}) of_key
      order by batch limit ${limit}`,
  )

export const trackedIn = ({ envId, eventKeys }: TrackedKeys, batches: Batches): Rows => sql`
  select unit, event_key, at, value from tracked_events
  where env_id = ${envId} and event_key = any(${[...eventKeys]}::text[]) and kind = 0 and ${inBatches(batches)}`

/**
 * Looks each unit up in the index of units. Without statistics, as for the partition of a new day, the planner would
 * rather read all events for each unit: `offset 0` keeps it from using the other conditions for the look-up. Events of
 * earlier versions can have arrived up to 5 minutes before their time.
 */
export const trackedOf = ({ envId, eventKeys }: TrackedKeys, units: Rows, through: number): Rows => sql`
  select told.unit, event_key, at, value from (${units}) units cross join lateral (
    select unit, event_key, at, value, batch, kind from tracked_events told
    where env_id = ${envId} and told.unit = units.unit and at >= since and received_at >= since - interval '1 hour'
    offset 0) told
  where event_key = any(${[...eventKeys]}::text[]) and kind = 0 and batch <= ${through}::bigint`

/** An event is received after its time; those of earlier versions up to 5 minutes before it. */
const receivedSince = (from: Date) => sql`received_at >= ${from}::timestamptz - interval '1 hour'`

export const endOfHappened = (
  db: Db,
  { envId, eventKeys, from, through }: HappenedIn,
  after: number,
  limit: number,
): Promise<PortionEnd | undefined> =>
  endOf(
    db,
    sql`
      select batch from unnest(${[...eventKeys]}::text[]) key cross join lateral (
        select batch from tracked_events
        where env_id = ${envId} and event_key = key and ${inBatches({ after, through })} and ${receivedSince(from)}
        order by batch limit ${limit}) of_key
      order by batch limit ${limit}`,
  )

/** In an order that is the same each time. */
export async function happenedIn(
  db: Db,
  { envId, eventKeys, from, until }: HappenedIn,
  batches: Batches,
): Promise<Happening[]> {
  const { rows } = await sql<Happening>`
    select unit, event_key as "eventKey", (extract(epoch from at) * 1000)::float8 as at, product_id as "productId",
      null as "orderId"
    from tracked_events
    where env_id = ${envId} and event_key = any(${[...eventKeys]}::text[]) and kind = 0 and product_id is not null
      and at >= ${from}::timestamptz and at < ${until}::timestamptz and ${receivedSince(from)} and ${inBatches(batches)}
    order by batch, id`.execute(db)
  return rows
}

const ofUnits = ({ envIds, units }: UnitsIn) =>
  sql`env_id = any(${[...envIds]}::uuid[]) and unit = any(${[...units]}::text[])`

/** Pages of the table of a day: from one to before another. */
export interface Pages {
  from: number
  until: number
}

const inPages = ({ from, until }: Pages) => sql`ctid >= ${`(${from},0)`}::tid and ctid < ${`(${until},0)`}::tid`

/** How many pages the table of a day has. None if it was deleted meanwhile. */
export async function pagesOf(db: Db, day: string): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select coalesce(pg_relation_size(to_regclass(${day}::text)) / current_setting('block_size')::integer, 0)::float8
      as pages`.execute(db)
  return rows[0]!.pages
}

/** The rules to which units were exposed, in pages of the exposures of a day. */
export async function rulesExposedTo(db: Db, day: string, of: UnitsIn, pages: Pages): Promise<string[]> {
  const { rows } = await sql<{ ruleId: string }>`
    select distinct rule_id as "ruleId" from ${sql.table(day)} where ${inPages(pages)} and ${ofUnits(of)}`.execute(db)
  return rows.map(({ ruleId }) => ruleId)
}

export async function deleteUnitsIn(db: Db, day: string, of: UnitsIn, pages: Pages): Promise<void> {
  await sql`delete from ${sql.table(day)} where ${inPages(pages)} and ${ofUnits(of)}`.execute(db)
}

/** Tracked events have an index of units, so a day is one statement. The partition can be dropped meanwhile. */
export async function deleteTrackedOf(db: Db, of: UnitsIn, { from, until }: Omit<Day, 'name'>): Promise<void> {
  await sql`
    delete from tracked_events where ${ofUnits(of)} and received_at >= ${from} and received_at < ${until}`.execute(db)
}

/** Forgets the older ids if the newer table was begun before this moment. Returns whether it did. */
export async function turnEventIds(tx: Tx, before: Date, now: Date): Promise<boolean> {
  await sql`set local lock_timeout = '1s'`.execute(tx)
  await sql`lock table event_ids, earlier_event_ids, event_id_turns in access exclusive mode`.execute(tx)
  const { rows } = await sql<{ turnedAt: Date }>`select turned_at as "turnedAt" from event_id_turns`.execute(tx)
  const [last] = rows
  if (last && last.turnedAt >= before) return false
  await sql`delete from event_id_turns`.execute(tx)
  await sql`insert into event_id_turns (turned_at) values (${now})`.execute(tx)
  if (!last) return false
  await sql`truncate earlier_event_ids`.execute(tx)
  await sql`alter table event_ids rename to turning_event_ids`.execute(tx)
  await sql`alter table earlier_event_ids rename to event_ids`.execute(tx)
  await sql`alter table turning_event_ids rename to earlier_event_ids`.execute(tx)
  return true
}

/**
 * The rules of an environment, drafted or live, by what data files call them: short ids, and ids in files from before
 * short ids. Variations have the keys of the live version, and those that are only drafted. Tests that a roll-out has
 * replaced are there too if they ended after `since`: their last exposures can still arrive.
 */
export async function namedRules(
  db: Db,
  envId: string,
  { flagKeys, since }: { flagKeys: readonly string[] | null; since: Date },
): Promise<NamedRule[]> {
  const ofFlags = flagKeys === null ? sql`true` : sql`flags.key = any(${[...flagKeys]}::text[])`
  const { rows } = await sql<{ ruleId: string; shortId: number; flagKey: string; variations: VariationKey[] }>`
    select rule ->> 'id' as "ruleId", (rule -> 'shortId')::integer as "shortId", flags.key as "flagKey",
      (fe.draft -> 'variations') || (fe.live -> 'variations') as variations
    from flag_environments fe join flags on flags.id = fe.flag_id,
      jsonb_array_elements((fe.draft -> 'rules') || (fe.live -> 'rules')) rule
    where fe.env_id = ${envId} and (fe.draft -> 'rules' <> '[]' or fe.live -> 'rules' <> '[]') and ${ofFlags}
    union all
    select rule ->> 'id', (rule -> 'shortId')::integer, flags.key, last_live.variations
    from experiments join flags on flags.id = experiments.flag_id
      cross join lateral (
        select rule, past.live -> 'variations' as variations
        from revision_flags past, jsonb_array_elements(past.live -> 'rules') rule
        where past.env_id = experiments.env_id and past.flag_id = experiments.flag_id
          and rule ->> 'id' = experiments.rule_id::text
        order by past.revision desc, past.step desc limit 1
      ) last_live
    where experiments.env_id = ${envId} and completed_at > ${since} and ${ofFlags}
      and not exists (select from rules where rules.id = experiments.rule_id)`.execute(db)
  return rows.map(({ ruleId, shortId, flagKey, variations }) => ({
    names: [String(shortId), ruleId],
    ruleId,
    flagKey,
    variations: new Map(variations.map(({ key, id }) => [key, id])),
  }))
}

interface VariationKey {
  key: string
  id: string
}

export async function currentRevision(db: Db, envId: string): Promise<number | undefined> {
  const { rows } = await sql<{ revision: number }>`select revision from environments where id = ${envId}`.execute(db)
  return rows[0]?.revision
}

/**
 * The products of the latest tracked events of a visitor, the latest first, in the main database. Anybody can send
 * events, so of a visitor with more than `most` events, only as many are read.
 */
export async function productsSeenBy(
  db: Db,
  { envId, unit, limit, most = 2_000 }: { envId: string; unit: string; limit: number; most?: number },
): Promise<string[]> {
  const { rows } = await sql<{ productId: string }>`
    select "productId" from (
      select product_id as "productId", at, id from tracked_events where env_id = ${envId} and unit = ${unit}
      limit ${most}::integer
    ) told where "productId" is not null
    order by at desc, id limit ${limit}::integer`.execute(db)
  return rows.map(({ productId }) => productId)
}
