import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { FlagEnvironment, Version } from '../../model/versions/index.ts'

type Kind = 'ADDED' | 'CHANGED' | 'REMOVED'

export interface RevisionRow {
  /** The revision as a string, for cursors. */
  id: string
  revision: number
  publishedAt: Date | null
  etag: string
  bytes: number
  publisher: { type: string; id: string | null; name: string } | null
  flagCount: number
  flags: { id: string; key: string; name: string; change: Kind }[]
  audiences: { id: string; name: string; change: Kind }[]
  segments: { id: string; name: string; change: Kind }[]
}

const changedIn = (section: 'audiences' | 'segments') => sql`(
  select coalesce(json_agg(json_build_object('id', id, 'name', name, 'change', kind) order by id), '[]')
  from revision_parts changed
  where changed.env_id = revisions.env_id and changed.revision = revisions.revision
    and section = ${sql.lit(section)})`

/** Newest first. Each revision has the first of its changed flags, by key. */
export async function listRevisions(
  db: Db,
  envId: string,
  before: number | null,
  limit: number,
  maxFlags: number,
): Promise<RevisionRow[]> {
  const { rows } = await sql<RevisionRow>`
    select revision::text as id, revision, published_at as "publishedAt", etag, bytes, publisher,
      (select count(*)::integer from revision_flags changed
        where changed.env_id = revisions.env_id and changed.revision = revisions.revision and kind is not null)
        as "flagCount",
      (select coalesce(json_agg(json_build_object('id', flag_id, 'key', key, 'name', name, 'change', kind)
        order by key collate "C"), '[]')
        from (select flag_id, key, name, kind from revision_flags changed
          where changed.env_id = revisions.env_id and changed.revision = revisions.revision and kind is not null
          order by key collate "C" limit ${maxFlags}) first) as flags,
      ${changedIn('audiences')} as audiences, ${changedIn('segments')} as segments
    from revisions where env_id = ${envId} and (${before}::integer is null or revision < ${before}::integer)
    order by revision desc limit ${limit}`.execute(db)
  return rows
}

export async function isKept(db: Db, envId: string, revision: number): Promise<boolean> {
  const { rows } = await sql`
    select from revisions where env_id = ${envId} and revision = ${revision}`.execute(db)
  return rows.length > 0
}

/** The newest revision at a time; undefined before the first stored one. */
export async function revisionAt(db: Db, envId: string, at: Date): Promise<number | undefined> {
  const { rows } = await sql<{ revision: number }>`
    select revisions.revision from revisions join environments env on env.id = env_id
    where env_id = ${envId} and coalesce(revisions.published_at, env.created_at) <= ${at}
    order by revisions.revision desc limit 1`.execute(db)
  return rows[0]?.revision
}

/** A flag in a revision: its fragment and its whole version, including what the data file omits. */
export interface FlagAtRevision {
  flagId: string
  key: string
  fragment: string | null
  live: Version
}

const stateOf = (envId: string, revision: number) => sql`(
  select distinct on (flag_id) flag_id, key, fragment, live from revision_flags
  where env_id = ${envId} and revision <= ${revision} order by flag_id, revision desc)`

export async function flagsOfRevision(db: Db, envId: string, revision: number): Promise<FlagAtRevision[]> {
  const { rows } = await sql<FlagAtRevision>`
    select flag_id as "flagId", key, fragment, live from ${stateOf(envId, revision)} state`.execute(db)
  return rows
}

const differs = sql`(fe.draft -> 'defaultVariationId' is distinct from state.live -> 'defaultVariationId'
  or fe.draft -> 'overrides' is distinct from state.live -> 'overrides'
  or fe.draft -> 'rules' is distinct from state.live -> 'rules')`

/** Locks the flags, or those of the chosen ones, whose draft differs from the revision. Returns their ids. */
export async function lockFlagsUnlike(
  tx: Tx,
  envId: string,
  revision: number,
  flagIds: readonly string[] | null,
): Promise<string[]> {
  const chosen = flagIds ? sql`and flags.id = any(${[...flagIds]}::uuid[])` : sql``
  const { rows } = await sql<{ id: string }>`
    select flags.id from flags
    join flag_environments fe on fe.flag_id = flags.id and fe.env_id = ${envId}
    join ${stateOf(envId, revision)} state on state.flag_id = flags.id
    where ${differs} ${chosen} order by flags.id for no key update of flags`.execute(tx)
  return rows.map(({ id }) => id)
}

export type RestorableRow = Pick<FlagEnvironment, 'flagId' | 'draft' | 'live' | 'stagedBy'> & {
  key: string
  past: Pick<FlagAtRevision, 'fragment' | 'live'>
  /** Ids of the rules that have a switch here. */
  ruleIds: string[]
}

export async function lockRestorable(
  tx: Tx,
  envId: string,
  revision: number,
  flagIds: readonly string[],
): Promise<RestorableRow[]> {
  const { rows } = await sql<RestorableRow>`
    select fe.flag_id as "flagId", fe.draft, fe.live, fe.staged_by as "stagedBy", flags.key,
      json_build_object('fragment', state.fragment, 'live', state.live) as past,
      array(select id::text from rules where rules.flag_id = fe.flag_id and rules.env_id = fe.env_id) as "ruleIds"
    from flag_environments fe
    join flags on flags.id = fe.flag_id
    join ${stateOf(envId, revision)} state on state.flag_id = fe.flag_id
    where fe.env_id = ${envId} and fe.flag_id = any(${[...flagIds]}::uuid[]) and ${differs}
    order by fe.flag_id for no key update of fe`.execute(tx)
  return rows
}
