import { type RawBuilder, sql } from 'kysely'
import { nounQueries } from '../../../nouns/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { AudienceUse, LastEdit, MembersEdit } from './segment.ts'

export interface Segment {
  id: string
  shortId: number
  projectId: string
  key: string
  name: string
  description: string | null
  /** Number of members. */
  count: number
  lastEdit: LastEdit | null
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, short_id as "shortId", project_id as "projectId", key, name, description, count, last_edit as "lastEdit", version, created_at as "createdAt",
  updated_at as "updatedAt"`

export const segmentQueries = nounQueries<Segment>('segments', columns)

export async function insertSegment(tx: Tx, row: Segment): Promise<void> {
  await sql`
    insert into segments (id, short_id, project_id, key, name, description, created_at, updated_at)
    values (${row.id}, ${row.shortId}, ${row.projectId}, ${row.key}, ${row.name}, ${row.description},
      ${row.createdAt}, ${row.updatedAt})`.execute(tx)
}

export async function saveSegment(tx: Tx, { id, name, description, version, updatedAt }: Segment): Promise<void> {
  await sql`
    update segments set name = ${name}, description = ${description}, version = ${version}, updated_at = ${updatedAt}
    where id = ${id}`.execute(tx)
}

/** An order that is independent of the locale, for pages of members. */
const inOrder = sql`order by member collate "C"`

/** Returns the new number of members; undefined if the edit changes nothing. Requires the lock of the segment. */
export async function saveMembers(
  tx: Tx,
  segmentId: string,
  edit: MembersEdit,
  ids: readonly string[],
  lastEdit: Omit<LastEdit, 'after'>,
): Promise<number | undefined> {
  const operators = { replace: sql`where false union`, add: sql`union`, remove: sql`except` }
  const { rows } = await sql<{ count: number }>`
    with before as materialized (
      select members from segments where id = ${segmentId}::uuid
    ), given as materialized (
      select array(
        select member from (
          select unnest(before.members) from before ${operators[edit]}
          select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)
        ) edited (member) ${inOrder}
      ) as members
    ), saved as (
      update segments set members = given.members, version = version + 1, updated_at = ${lastEdit.at}::timestamptz,
        last_edit = ${JSON.stringify(lastEdit)}::jsonb || jsonb_build_object('after', cardinality(given.members))
      from given where id = ${segmentId}::uuid and segments.members <> given.members
      returning id, project_id, version, count
    ), noted as (
      insert into segment_changes (segment_id, version, project_id, added, removed)
      select saved.id, saved.version, saved.project_id,
        ${hashesOf(sql`given.members`, sql`before.members`)}, ${hashesOf(sql`before.members`, sql`given.members`)}
      from saved, before, given where ${everServed}
    )
    select count from saved`.execute(tx)
  return rows[0]?.count
}

/** Members in order, after the given one; only those that begin with a text. */
export async function listMembers(
  db: Db,
  segmentId: string,
  after: string | null,
  limit: number,
  startsWith = '',
): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select member as id from (select unnest(members) from segments where id = ${segmentId}) members (member)
    where starts_with(member, ${startsWith}) and (${after}::text is null or member collate "C" > ${after}::text)
    ${inOrder} limit ${limit}`.execute(db)
  return rows
}

/** The history keeps the former members, as hashes. */
export async function deleteSegmentRow(tx: Tx, segmentId: string): Promise<void> {
  await sql`
    with saved as (
      delete from segments where id = ${segmentId} returning id, project_id, version + 1 as version, members
    )
    insert into segment_changes (segment_id, version, project_id, added, removed)
    select saved.id, saved.version, saved.project_id, '{}', ${hashesOf(sql`saved.members`, sql`'{}'::text[]`)}
    from saved where ${everServed}`.execute(tx)
}

/** Sorted by hash, so that the order reveals nothing about the ids. */
const hashesOf = (members: RawBuilder<unknown>, without: RawBuilder<unknown>) => sql`array(
  select member_hash(saved.id, member) from (select unnest(${members}) except select unnest(${without})) rest (member)
  order by 1)`

/** A segment that no revision has served needs no history. */
const everServed = sql`exists (
  select from revision_parts parts join environments env on env.id = parts.env_id
  where env.project_id = saved.project_id and parts.id = saved.id)`

/** The first `limit` audiences that use each of these segments, as edited or live in any environment. */
export async function audiencesNaming(
  db: Db,
  projectId: string,
  ids: readonly string[],
  limit: number,
): Promise<(AudienceUse & { named: string })[]> {
  const { rows } = await sql<AudienceUse & { named: string }>`
    select named, 'audience' as type, id from (
      select *, row_number() over (partition by named order by id) as place from (
        select distinct named, audiences.id
        from audiences left join audience_environments served on served.audience_id = audiences.id,
          jsonb_array_elements_text(audiences.segments || coalesce(served.segments, '[]')) named
        where project_id = ${projectId} and named = any(${[...ids]}::text[])
      ) uses
    ) numbered
    where place <= ${limit} order by place`.execute(db)
  return rows
}
