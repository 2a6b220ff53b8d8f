import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { type Attributes, mostVisitors } from './seen.ts'

/** A visitor as the sample has them. */
export interface KeptVisitor {
  unit: string
  attributes: Attributes
  seenAt: Date
}

interface NewVisitor {
  envId: string
  unit: string
  attributes: Attributes
  seenAt: number
}

/** Adds visitors of projects that sample them. In order, so that two nodes do not deadlock. */
export async function saveVisitors(tx: Tx, visitors: readonly NewVisitor[]): Promise<void> {
  await sql`
    insert into seen_visitors as known (env_id, unit, attributes, seen_at)
    select told."envId", told.unit, told.attributes, to_timestamp(told."seenAt" / 1000)
    from jsonb_to_recordset(${JSON.stringify(visitors)}::jsonb)
        as told ("envId" uuid, unit text, attributes jsonb, "seenAt" float8)
      join environments env on env.id = told."envId" join projects on projects.id = env.project_id
    where projects.samples_visitors
    order by told."envId", told.unit
    on conflict (env_id, unit) do update set attributes = excluded.attributes, seen_at = excluded.seen_at
    where known.seen_at < excluded.seen_at`.execute(tx)
}

/** Leaves the newest visitors of each of these environments. Two nodes share the others. */
export async function leaveNewest(tx: Tx, envIds: readonly string[]): Promise<void> {
  await sql`
    delete from seen_visitors where (env_id, unit) in (
      select env_id, unit from seen_visitors where (env_id, unit) in (
        select env_id, unit from (
          select env_id, unit, row_number() over (partition by env_id order by seen_at desc, unit) as place
          from seen_visitors where env_id = any(${[...envIds]}::uuid[])) numbered
        where place > ${mostVisitors}::integer)
      for update skip locked)`.execute(tx)
}

/** The sample of an environment, the oldest first. It has no one while the project samples no visitors. */
export async function visitorsIn(db: Db, envId: string): Promise<KeptVisitor[]> {
  const { rows } = await sql<KeptVisitor>`
    select unit, attributes, seen_at as "seenAt" from (
      select unit, attributes, seen_at from seen_visitors where env_id = ${envId}
      order by seen_at desc limit ${mostVisitors}) newest
    where exists (
      select from environments env join projects on projects.id = env.project_id
      where env.id = ${envId} and projects.samples_visitors)
    order by seen_at`.execute(db)
  return rows
}

/** Which visitors of the sample are in segments of the project. */
export async function membersIn(
  db: Db,
  projectId: string,
  segmentIds: readonly string[],
  units: readonly string[],
): Promise<{ segmentId: string; unit: string }[]> {
  const { rows } = await sql<{ segmentId: string; unit: string }>`
    select segments.id as "segmentId", member as unit from segments cross join unnest(members) member
    where project_id = ${projectId} and segments.id = any(${[...segmentIds]}::uuid[])
      and member = any(${[...units]}::text[])`.execute(db)
  return rows
}

/** Deletes visitors whose erasure was asked for. */
export async function forgetSeen(tx: Tx, envIds: readonly string[], units: readonly string[]): Promise<void> {
  await sql`
    delete from seen_visitors where env_id = any(${[...envIds]}::uuid[]) and unit = any(${[...units]}::text[])`.execute(
    tx,
  )
}

/**
 * Deletes some of the visitors that were seen too long ago, whose environment is deleted, or whose project samples none.
 * Returns how many.
 */
export async function deleteUnwanted(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from seen_visitors where (env_id, unit) in (
      select env_id, unit from seen_visitors
      where seen_at < ${before} or env_id not in (
        select env.id from environments env join projects on projects.id = env.project_id
        where projects.samples_visitors)
      limit ${limit} for update skip locked
    ) returning env_id`.execute(db)
  return rows.length
}
