import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { type Arrived, type ArrivedDay, mostUnnamedKeys } from './arrivals.ts'

/**
 * Adds what arrived. Of the keys of an environment and day that no metric names, only some have a row. In order, so that
 * two nodes do not deadlock.
 */
export async function addArrivals(db: Db, arrived: readonly Arrived[]): Promise<void> {
  await sql`
    with told as (
      select "envId" as env_id, "eventKey" as event_key, day, events, valued, "valueSum" as value_sum,
        to_timestamp("lastAt" / 1000) as last_at
      from jsonb_to_recordset(${JSON.stringify(arrived)}::jsonb) as each ("envId" uuid, "eventKey" text, day date,
        events bigint, valued bigint, "valueSum" float8, "lastAt" float8)
    ), judged as (
      select told.*, exists (
          select from arrived_events known
          where known.env_id = told.env_id and known.event_key = told.event_key and known.day = told.day)
        or exists (
          select from metrics join environments env on env.project_id = metrics.project_id
          where env.id = told.env_id
            and told.event_key in (metrics.event_key, metrics.denominator ->> 'eventKey')) as is_kept
      from told
    ), numbered as (
      select judged.*, row_number() over (partition by env_id, day, is_kept order by event_key) as place from judged
    )
    insert into arrived_events as known (env_id, event_key, day, events, valued, value_sum, last_at)
    select env_id, event_key, day, events, valued, value_sum, last_at from numbered
    where is_kept or place + (
      select count(*) from arrived_events known where known.env_id = numbered.env_id and known.day = numbered.day
    ) <= ${mostUnnamedKeys}::integer
    order by env_id, event_key, day
    on conflict (env_id, event_key, day) do update set events = known.events + excluded.events,
      valued = known.valued + excluded.valued, value_sum = known.value_sum + excluded.value_sum,
      last_at = greatest(known.last_at, excluded.last_at)`.execute(db)
}

/** The days of some keys, from a first one. */
export async function arrivedSince(
  db: Db,
  envId: string,
  eventKeys: readonly string[],
  from: string,
): Promise<(ArrivedDay & { eventKey: string; lastAt: Date })[]> {
  const { rows } = await sql<ArrivedDay & { eventKey: string; lastAt: Date }>`
    select event_key as "eventKey", to_char(day, 'YYYY-MM-DD') as day, events::float8 as events,
      valued::float8 as valued, value_sum as "valueSum", last_at as "lastAt"
    from arrived_events
    where env_id = ${envId} and event_key = any(${[...eventKeys]}::text[]) and day >= ${from}::date
    order by event_key, day`.execute(db)
  return rows
}

/** Deletes some of the days that nobody is shown any more. Returns how many. */
export async function deleteOldArrivals(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from arrived_events where (env_id, event_key, day) in (
      select env_id, event_key, day from arrived_events
      where day < (${before}::timestamptz at time zone 'UTC')::date limit ${limit}
      for update skip locked
    ) returning env_id`.execute(db)
  return rows.length
}
