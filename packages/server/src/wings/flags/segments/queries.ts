import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import type { AudienceUse } from './segment.ts'

export interface Segment {
  id: string
  projectId: string
  name: string
  description: string | null
  /** Of its members, who are never read back. */
  count: number
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = sql`segments.id, segments.project_id as "projectId", segments.name, segments.description,
  segments.count, segments.version, segments.created_at as "createdAt", segments.updated_at as "updatedAt"`

export async function findSegment(
  db: Db,
  orgId: string,
  { projectId, segmentId }: { projectId: string; segmentId: string },
): Promise<Segment | undefined> {
  if (!isId(projectId) || !isId(segmentId)) return undefined
  const { rows } = await sql<Segment>`
    select ${columns} from segments join projects on projects.id = segments.project_id
    where segments.id = ${segmentId} and projects.id = ${projectId} and projects.org_id = ${orgId}`.execute(db)
  return rows[0]
}

export async function listSegments(db: Db, projectId: string, after: string | null, limit: number): Promise<Segment[]> {
  const { rows } = await sql<Segment>`
    select ${columns} from segments
    where project_id = ${projectId} and (${after}::uuid is null or id < ${after}::uuid)
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/** For an edit; conditions that name the segment can still be made meanwhile. */
export async function lockSegment(tx: Tx, segmentId: string): Promise<Segment | undefined> {
  const { rows } = await sql<Segment>`
    select ${columns} from segments where id = ${segmentId} for no key update`.execute(tx)
  return rows[0]
}

/** For a deletion: waits for conditions that are being made with it. */
export async function lockLeavingSegment(tx: Tx, segmentId: string): Promise<Segment | undefined> {
  const { rows } = await sql<Segment>`select ${columns} from segments where id = ${segmentId} for update`.execute(tx)
  return rows[0]
}

export async function countSegments(tx: Tx, projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from segments where project_id = ${projectId}`.execute(tx)
  return rows[0]!.count
}

export async function insertSegment(
  tx: Tx,
  row: Pick<Segment, 'id' | 'projectId' | 'name' | 'description'>,
  now: Date,
): Promise<void> {
  await sql`
    insert into segments (id, project_id, name, description, created_at, updated_at)
    values (${row.id}, ${row.projectId}, ${row.name}, ${row.description}, ${now}, ${now})`.execute(tx)
}

export async function saveSegment(
  tx: Tx,
  segmentId: string,
  { name, description }: Pick<Segment, 'name' | 'description'>,
  now: Date,
): Promise<void> {
  await sql`
    update segments set name = ${name}, description = ${description}, version = version + 1, updated_at = ${now}
    where id = ${segmentId}`.execute(tx)
}

/** False where the segment holds just these members already. */
export async function saveMembers(tx: Tx, segmentId: string, members: readonly string[], now: Date): Promise<boolean> {
  const { rows } = await sql`
    with given as materialized (
      select array(select jsonb_array_elements_text(${JSON.stringify(members)}::jsonb)) as members
    ), before as materialized (
      select members from segments where id = ${segmentId}::uuid
    ), saved as (
      update segments set members = given.members, version = version + 1, updated_at = ${now}::timestamptz
      from given where id = ${segmentId}::uuid and segments.members <> given.members
      returning id, project_id, version
    ), noted as (
      insert into segment_changes (segment_id, version, project_id, added, removed)
      select saved.id, saved.version, saved.project_id,
        ${hashesOf(sql`given.members`, sql`before.members`)}, ${hashesOf(sql`before.members`, sql`given.members`)}
      from saved, before, given where ${everServed}
    )
    select from saved`.execute(tx)
  return rows.length > 0
}

/** The past keeps who was in it. */
export async function deleteSegmentRow(tx: Tx, segmentId: string): Promise<void> {
  await sql`
    with saved as (
      delete from segments where id = ${segmentId} returning id, project_id, version + 1 as version, members
    )
    insert into segment_changes (segment_id, version, project_id, added, removed)
    select saved.id, saved.version, saved.project_id, '{}', ${hashesOf(sql`saved.members`, sql`'{}'::text[]`)}
    from saved where ${everServed}`.execute(tx)
}

/** By hash, so that their order tells nothing about the ids. */
const hashesOf = (members: RawBuilder<unknown>, without: RawBuilder<unknown>) => sql`array(
  select member_hash(saved.id, member) from (select unnest(${members}) except select unnest(${without})) rest (member)
  order by 1)`

/** No question about the past meets a segment that no revision has served. */
const everServed = sql`exists (
  select from revision_parts parts join environments env on env.id = parts.env_id
  where env.project_id = saved.project_id and parts.id = saved.id)`

/** The first audiences that name the segment, as edited or as live in some environment. */
export async function audiencesNaming(db: Db, segment: Segment, limit: number): Promise<AudienceUse[]> {
  const names = JSON.stringify([segment.id])
  const { rows } = await sql<AudienceUse>`
    select 'audience' as type, id from audiences
    where project_id = ${segment.projectId} and (segments @> ${names}::jsonb or exists (
      select from audience_environments where audience_id = audiences.id and segments @> ${names}::jsonb))
    order by id limit ${limit}`.execute(db)
  return rows
}
