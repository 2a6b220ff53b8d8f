import { type RawBuilder, sql } from 'kysely'
import { containsText, type Db } from '../../../platform/db/index.ts'
import type { Head, Link } from './chain.ts'
import { type SearchWord, searchWords } from './search.ts'

export interface AuditEntry {
  id: string
  seq: number
  at: Date
  actor: { type: string; id: string | null; name: string }
  action: string
  object: { type: string; id: string; name: string }
  projectId: string | null
  before: unknown
  after: unknown
  requestId: string | null
  ip: string | null
  userAgent: string | null
  /** In hexadecimal. */
  hash: string
}

export interface EntryFilter {
  orgId: string
  /** The projects whose entries the reader can see; null for all. */
  projects: readonly string[] | null
  from?: Date | undefined
  to?: Date | undefined
  /** The id of a user or token, or `system`. A user includes their personal tokens. */
  actor?: string | undefined
  actorType?: string | undefined
  /** One action, or a prefix with a dot at its end. */
  action?: string | undefined
  objectType?: string | undefined
  objectId?: string | undefined
  projectId?: string | undefined
  /** Words that the entry must contain. */
  q?: string | undefined
}

/** The number of the newest entry; 0 if there is none. */
export async function lastSeqOf(db: Db, orgId: string): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select coalesce(max(seq), 0) as seq from audit_entries where org_id = ${orgId}`.execute(db)
  return rows[0]!.seq
}

/** Newest first, with numbers from `from` and below `below`. */
export async function listEntries(
  db: Db,
  filter: EntryFilter,
  numbers: { from: number; below: number },
  limit: number,
): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    select id, seq, at, jsonb_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) as actor, action,
      jsonb_build_object('type', object_type, 'id', object_id, 'name', object_name) as object,
      project_id as "projectId", before, after, request_id as "requestId", ip, user_agent as "userAgent",
      encode(hash, 'hex') as hash
    from audit_entries
    where ${sql.join(conditions(filter), sql` and `)} and seq >= ${numbers.from} and seq < ${numbers.below}
    order by seq desc limit ${limit}`.execute(db)
  return rows
}

/** Only given filters become part of the statement, so that it can use their index. */
function conditions(filter: EntryFilter): RawBuilder<unknown>[] {
  const { orgId, projects, from, to, actor, actorType, action, objectType, objectId, projectId, q = '' } = filter
  const given: (RawBuilder<unknown> | false | undefined | '')[] = [
    sql`org_id = ${orgId}`,
    projects !== null && sql`(project_id is null or project_id = any(${[...projects]}::uuid[]))`,
    from && sql`at >= ${from}`,
    to && sql`at < ${to}`,
    actor === 'system' && sql`actor_type = 'system'`,
    actor &&
      actor !== 'system' &&
      sql`(actor_id = ${actor}::uuid or actor_id in (select id from tokens where user_id = ${actor}::uuid))`,
    actorType && sql`actor_type = ${actorType}`,
    action && (action.endsWith('.') ? sql`starts_with(action, ${action})` : sql`action = ${action}`),
    objectType && sql`object_type = ${objectType}`,
    objectId && sql`object_id = ${objectId}::uuid`,
    projectId && sql`project_id = ${projectId}::uuid`,
    ...searchWords(q).map(containsWord),
  ]
  return given.filter((condition) => !!condition) as RawBuilder<unknown>[]
}

/** Only the entry of a publish has a comment. Of other entries, the values are not even read. */
const searchedText = sql`concat_ws(' ', actor_name, object_name,
  case when action = 'environment.publish' then after ->> 'comment' end)`

function containsWord({ text, actions, isId }: SearchWord): RawBuilder<unknown> {
  if (isId) return sql`(${text}::uuid in (id, object_id, actor_id, project_id) or request_id = lower(${text}::text))`
  return sql`(action = any(${actions}::text[]) or ${containsText(searchedText, text)})`
}

export interface Chain {
  organization: { id: string; shortId: number; name: string }
  head: Head | null
  /** The number of the last entry according to the head; null if the head is missing. */
  lastSeq: number | null
}

/** Every organization's chain, or one of them, at one moment. Later entries do not disturb the verification. */
export async function listChains(db: Db, orgId: string | null): Promise<Chain[]> {
  const { rows } = await sql<{
    organization: Chain['organization']
    headSeq: number | null
    head: Buffer | null
    lastSeq: number | null
  }>`
    select jsonb_build_object('id', org.id, 'shortId', org.short_id, 'name', org.name) as organization,
      chain.last_seq as "headSeq", chain.head,
      (select max(seq) from audit_entries where org_id = org.id) as "lastSeq"
    from organizations org left join audit_chains chain on chain.org_id = org.id
    where ${orgId}::uuid is null or org.id = ${orgId}::uuid
    order by org.short_id`.execute(db)
  return rows.map(({ organization, headSeq, head, lastSeq }) => ({
    organization,
    head: headSeq === null || head === null ? null : { lastSeq: headSeq, hash: head },
    lastSeq,
  }))
}

/** The next entries of a chain, each with the hash that follows from its content and the entry before it. */
export async function nextLinks(
  db: Db,
  { orgId, after, upTo, limit }: { orgId: string; after: Link | null; upTo: number; limit: number },
): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select seq, id, hash,
      audit_entry_hash(lag(hash, 1, ${after?.hash ?? Buffer.alloc(0)}::bytea) over (order by seq, id), audit_entries)
        as expected
    from audit_entries
    where org_id = ${orgId} and seq <= ${upTo}
      and (${after?.seq ?? null}::bigint is null or (seq, id) > (${after?.seq ?? null}::bigint, ${after?.id ?? null}::uuid))
    order by seq, id limit ${limit}`.execute(db)
  return rows
}

/** Whether an entry with this number and hash exists, in any organization or in one. */
export async function hasEntry(
  db: Db,
  orgId: string | null,
  { seq, hash }: { seq: number; hash: Buffer },
): Promise<boolean> {
  const { rows } = await sql`
    select from organizations org join audit_entries entry on entry.org_id = org.id and entry.seq = ${seq}
    where entry.hash = ${hash} and (${orgId}::uuid is null or org.id = ${orgId}::uuid)`.execute(db)
  return rows.length > 0
}

/** False if the migration that creates the chains has not run on this database. */
export async function hasChains(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('audit_chains') is not null as found`.execute(db)
  return rows[0]!.found
}

export async function findOrganization(db: Db, idOrShortId: string): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from organizations where id::text = lower(${idOrShortId}::text) or short_id::text = ${idOrShortId}`.execute(
    db,
  )
  return rows[0]
}
