import { type RawBuilder, sql } from 'kysely'
import type { PublishReason } from '../../../catalogue/payloads.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { type HiddenOf, isLaunched, webExperimentOf } from '../../model/experiments/index.ts'
import { hiddenOf, isShown, isStageable } from '../../model/flag-environments/index.ts'
import type { FlagEnvironment, FlagKind, Version } from '../../model/versions/index.ts'
import type { PublishedAudience } from '../../serving/datafile/index.ts'
import type { StoredFlag } from './changes.ts'
import type { Place } from './step.ts'

type Kind = 'ADDED' | 'CHANGED' | 'REMOVED'

export interface RevisionRow {
  /** Revision and step, for cursors. */
  id: string
  revision: number
  step: number
  publishedAt: Date | null
  etag: string
  bytes: number
  publisher: { type: string; id: string | null; name: string } | null
  reason: PublishReason | null
  /** The flag of a switch in the data file; null for other reasons. */
  moved: { before: string | null; after: string | null } | null
  comment: string | null
  flagCount: number
  flags: { id: string; experimentId: string | null; key: string; name: string; change: Kind | null }[]
  /** The experiments of a `WEB` project stand in the place of its flags. */
  projectType: 'FEATURE_FLAG' | 'WEB'
  audiences: { id: string; name: string; change: Kind }[]
  segments: { id: string; name: string; change: Kind }[]
}

const changedIn = (section: 'audiences' | 'segments') => sql`
  select id, name, kind from revision_parts changed
  where revisions.step = 0 and changed.env_id = revisions.env_id and changed.revision = revisions.revision
    and section = ${sql.lit(section)}`

// Audiences that no running rule uses are in no file.
const publishedAudiences = sql`
  select (edited ->> 'id')::uuid, edited ->> 'name', 'CHANGED' from jsonb_array_elements(audiences) edited
  where not exists (select from revision_parts changed
    where revisions.step = 0 and changed.env_id = revisions.env_id and changed.revision = revisions.revision
      and changed.id = (edited ->> 'id')::uuid)`

const listOf = (parts: RawBuilder<unknown>) => sql`(
  select coalesce(json_agg(json_build_object('id', id, 'name', name, 'change', kind) order by id), '[]')
  from (${parts}) part)`

// A publish lists all its flags. Any other change lists those that changed for visitors.
const toldFlags = sql`changed.env_id = revisions.env_id and changed.revision = revisions.revision
  and changed.step = revisions.step and (kind is not null or revisions.step > 0 or reason = 'PUBLISHED')`

interface Listed {
  envId: string
  /** Only revisions that store a state of this flag. */
  flagId?: string | undefined
  /** Only those of a person or a token. A person includes their tokens. */
  by?: string | undefined
  before: Pick<RevisionRow, 'revision' | 'step'> | null
  limit: number
  /** Flags per revision. */
  maxFlags: number
}

/** Newest first. Each revision has the first of its changed flags, by key. */
export async function listRevisions(
  db: Db,
  { envId, flagId, by, before, limit, maxFlags }: Listed,
): Promise<RevisionRow[]> {
  const ofFlag = flagId
    ? sql`and (revision, step) in (
        select revision, step from revision_flags where env_id = ${envId} and flag_id = ${flagId}::uuid)`
    : sql``
  const ofAuthor = by
    ? sql`and (publisher ->> 'id' = ${by}
        or publisher ->> 'id' in (select tokens.id::text from tokens where tokens.user_id = ${by}::uuid))`
    : sql``
  const earlier = before
    ? sql`and (revision < ${before.revision}::bigint or revision = ${before.revision}::bigint and step < ${before.step}::bigint)`
    : sql``
  const { rows } = await sql<RevisionRow>`
    select revision || '.' || step as id, revision, step, published_at as "publishedAt", etag, bytes, publisher, reason,
      comment,
      (select type from projects join environments env on env.project_id = projects.id where env.id = env_id)
        as "projectType",
      case when reason = 'SWITCHED' and step = 0 then (
        select json_build_object('after', changed.fragment, 'before', (
          select earlier.fragment from revision_flags earlier
          where earlier.env_id = changed.env_id and earlier.flag_id = changed.flag_id
            and earlier.revision < changed.revision
          order by earlier.revision desc, earlier.step desc limit 1))
        from revision_flags changed
        where changed.env_id = revisions.env_id and changed.revision = revisions.revision and changed.step = 0
          and kind is not null limit 1)
      end as moved,
      (select count(*)::integer from revision_flags changed where ${toldFlags}) as "flagCount",
      (select coalesce(json_agg(json_build_object('id', flag_id, 'experimentId', ${webExperimentOf('first.flag_id')},
          'key', key, 'name', name, 'change', kind)
        order by kind is null, key collate "C"), '[]')
        from (select flag_id, key, name, kind from revision_flags changed where ${toldFlags}
          order by kind is null, key collate "C" limit ${maxFlags}) first) as flags,
      ${listOf(sql`${changedIn('audiences')} union all ${publishedAudiences}`)} as audiences,
      ${listOf(changedIn('segments'))} as segments
    from revisions where env_id = ${envId} ${earlier} ${ofFlag} ${ofAuthor}
    order by revision desc, step desc limit ${limit}`.execute(db)
  return rows
}

/** A flag in a revision, as it was before and after. */
export interface ChangedFlagRow extends StoredFlag {
  id: string
  name: string
  /** The web experiment in the place of a hidden flag. */
  experimentId: string | null
  /** Null if visitors saw no change. */
  change: Kind | null
  /** The flag now; null if it was deleted. */
  current: { key: string; name: string } | null
  before: StoredFlag | null
}

/** The first flags of a revision, those that visitors saw change before the others. */
export async function flagsChangedIn(
  db: Db,
  {
    envId,
    revision,
    step,
    flagId,
    maxFlags,
  }: { envId: string; revision: number; step: number; flagId?: string | undefined; maxFlags: number },
): Promise<ChangedFlagRow[]> {
  const { rows } = await sql<ChangedFlagRow>`
    select changed.flag_id as id, ${webExperimentOf('changed.flag_id')} as "experimentId", changed.key, changed.name, changed.kind as change, changed.fragment, changed.live,
      case when flags.id is not null then json_build_object('key', flags.key, 'name', flags.name) end as current,
      case when earlier.key is not null then
        json_build_object('key', earlier.key, 'fragment', earlier.fragment, 'live', earlier.live) end as before
    from revision_flags changed
    left join flags on flags.id = changed.flag_id
    left join lateral (
      select key, fragment, live from revision_flags earlier
      where earlier.env_id = changed.env_id and earlier.flag_id = changed.flag_id
        and (earlier.revision, earlier.step) < (changed.revision, changed.step)
      order by earlier.revision desc, earlier.step desc limit 1) earlier on true
    where changed.env_id = ${envId} and changed.revision = ${revision} and changed.step = ${step}
      ${flagId ? sql`and changed.flag_id = ${flagId}::uuid` : sql``}
    order by changed.kind is null, changed.key collate "C" limit ${maxFlags}`.execute(db)
  return rows
}

/** The same for the first flags of several revisions, in one trip. */
export async function flagsChangedInEach(
  db: Db,
  {
    envId,
    places,
    flagId,
    maxFlags,
  }: {
    envId: string
    places: readonly Pick<RevisionRow, 'revision' | 'step'>[]
    flagId?: string | undefined
    maxFlags: number
  },
): Promise<(StoredFlag & { id: string; revision: number; step: number; before: StoredFlag | null })[]> {
  const { rows } = await sql<StoredFlag & { id: string; revision: number; step: number; before: StoredFlag | null }>`
    select revisions.revision, revisions.step, first.flag_id as id, first.key, first.fragment, first.live,
      case when earlier.key is not null then
        json_build_object('key', earlier.key, 'fragment', earlier.fragment, 'live', earlier.live) end as before
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as place (revision bigint, step bigint)
    join revisions on revisions.env_id = ${envId} and revisions.revision = place.revision and revisions.step = place.step
    join lateral (
      select flag_id, key, fragment, live from revision_flags changed
      where ${toldFlags} ${flagId ? sql`and changed.flag_id = ${flagId}::uuid` : sql``}
      order by kind is null, key collate "C" limit ${maxFlags}) first on true
    left join lateral (
      select key, fragment, live from revision_flags earlier
      where earlier.env_id = ${envId} and earlier.flag_id = first.flag_id
        and (earlier.revision, earlier.step) < (revisions.revision, revisions.step)
      order by earlier.revision desc, earlier.step desc limit 1) earlier on true`.execute(db)
  return rows
}

/** The audiences that a revision changed, with their parts before and after. */
export async function audiencesChangedIn(
  db: Db,
  envId: string,
  revision: number,
): Promise<{ id: string; name: string; change: Kind; before: string | null; after: string | null }[]> {
  const { rows } = await sql<{ id: string; name: string; change: Kind; before: string | null; after: string | null }>`
    select id, name, kind as change, part as after, (
      select part from revision_parts earlier
      where earlier.env_id = changed.env_id and earlier.id = changed.id and earlier.revision < changed.revision
      order by earlier.revision desc limit 1) as before
    from revision_parts changed
    where env_id = ${envId} and revision = ${revision} and section = 'audiences' order by id`.execute(db)
  return rows
}

/** The audiences that a publish made live, as the history stores them. */
export async function audiencesPublishedIn(
  db: Db,
  { envId, revision, step }: { envId: string; revision: number; step: number },
): Promise<PublishedAudience[]> {
  const { rows } = await sql<{ audiences: PublishedAudience[] }>`
    select audiences from revisions
    where env_id = ${envId} and revision = ${revision} and step = ${step}`.execute(db)
  return rows[0]?.audiences ?? []
}

/** An audience or a segment that a revision has served, with its name in data files. */
export interface ServedName {
  section: 'audiences' | 'segments'
  shortId: number
  id: string
}

export async function servedNames(db: Db, envId: string): Promise<ServedName[]> {
  const { rows } = await sql<ServedName>`
    select distinct section, short_id as "shortId", id from revision_parts
    where env_id = ${envId} and short_id is not null`.execute(db)
  return rows
}

export async function isKept(db: Db, envId: string, { revision, step }: Place): Promise<boolean> {
  const { rows } = await sql`
    select from revisions
    where env_id = ${envId} and revision = ${revision} and step = ${step ?? 0}::bigint`.execute(db)
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
  /** That of a flag that has been deleted, too. */
  kind: FlagKind
  /** The web experiment in the place of a hidden flag. */
  experimentId: string | null
  key: string
  fragment: string | null
  live: Version
}

const stateOf = (envId: string, { revision, step }: Place) => sql`(
  select distinct on (flag_id) flag_id, key, fragment, live from revision_flags
  where env_id = ${envId} and (revision < ${revision}
    or revision = ${revision} and (${step}::bigint is null or step <= ${step}::bigint))
  order by flag_id, revision desc, step desc)`

/** The flags at the end of a revision. */
export async function flagsOfRevision(db: Db, envId: string, revision: number): Promise<FlagAtRevision[]> {
  const { rows } = await sql<FlagAtRevision>`
    select flag_id as "flagId", ${webExperimentOf('state.flag_id')} as "experimentId", key, fragment, live,
      (select case projects.type when 'WEB' then 'WEB' else 'FLAG' end
        from environments env join projects on projects.id = env.project_id where env.id = ${envId}) as kind
    from ${stateOf(envId, { revision, step: null })} state`.execute(db)
  return rows
}

/** A flag whose switch is elsewhere now than at the end of a revision. */
export interface MovedSwitch {
  flagId: string
  key: string
  /** Whether the flag runs now. */
  from: boolean
  /** Whether it ran then. */
  to: boolean
}

/** The flags, or those of the chosen ones, that ran then and are paused now, or the other way round. */
export async function switchesUnlike(
  db: Db,
  envId: string,
  place: Place,
  { flagIds, limit }: { flagIds: readonly string[] | null; limit: number },
): Promise<MovedSwitch[]> {
  const chosen = flagIds ? sql`and flags.id = any(${[...flagIds]}::uuid[])` : sql``
  const { rows } = await sql<MovedSwitch>`
    select flags.id as "flagId", flags.key, fe.enabled as "from", not fe.enabled as "to"
    from flags join flag_environments fe on fe.flag_id = flags.id and fe.env_id = ${envId}
    join ${stateOf(envId, place)} state on state.flag_id = flags.id
    where ${isShown} and flags.archived_at is null ${chosen} and fe.enabled is distinct from (
      select (value ->> 'enabled')::boolean from jsonb_each(('{' || state.fragment || '}')::jsonb))
      and state.fragment is not null
    order by flags.key collate "C" limit ${limit}`.execute(db)
  return rows
}

const differs = sql`(fe.draft -> 'defaultVariationId' is distinct from state.live -> 'defaultVariationId'
  or fe.draft -> 'overrides' is distinct from state.live -> 'overrides'
  or fe.draft -> 'rules' is distinct from state.live -> 'rules'
  or fe.draft -> 'web' is distinct from state.live -> 'web')`

/** Locks the flags, or those of the chosen ones, whose draft differs from the revision. Returns their ids. */
export async function lockFlagsUnlike(
  tx: Tx,
  envId: string,
  place: Place,
  flagIds: readonly string[] | null,
): Promise<string[]> {
  const chosen = flagIds ? sql`and flags.id = any(${[...flagIds]}::uuid[])` : sql``
  const { rows } = await sql<{ id: string }>`
    select flags.id from flags
    join flag_environments fe on fe.flag_id = flags.id and fe.env_id = ${envId}
    join ${stateOf(envId, place)} state on state.flag_id = flags.id
    where ${differs} and ${isStageable} ${chosen} order by flags.id for no key update of flags`.execute(tx)
  return rows.map(({ id }) => id)
}

export type RestorableRow = Pick<FlagEnvironment, 'flagId' | 'draft' | 'live' | 'stagedBy'> & {
  key: string
  /** In the place of a hidden flag. */
  experiment: HiddenOf | null
  past: Pick<FlagAtRevision, 'fragment' | 'live'>
  /** Ids of the rules that have a switch here. */
  ruleIds: string[]
  /** Ids of the rules here that experiments own or owned. */
  ownedIds: string[]
  /** Of these, the rules of experiments that were never launched. */
  unlaunchedIds: string[]
}

export async function lockRestorable(
  tx: Tx,
  envId: string,
  place: Place,
  flagIds: readonly string[],
): Promise<RestorableRow[]> {
  const { rows } = await sql<RestorableRow>`
    select fe.flag_id as "flagId", fe.draft, fe.live, fe.staged_by as "stagedBy", flags.key, ${hiddenOf} as experiment,
      json_build_object('fragment', state.fragment, 'live', state.live) as past,
      array(select id::text from rules where rules.flag_id = fe.flag_id and rules.env_id = fe.env_id) as "ruleIds",
      array(select rule_id::text from experiments
        where experiments.flag_id = fe.flag_id and experiments.env_id = fe.env_id) as "ownedIds",
      array(select rule_id::text from experiments
        where experiments.flag_id = fe.flag_id and experiments.env_id = fe.env_id and not ${isLaunched})
        as "unlaunchedIds"
    from flag_environments fe
    join flags on flags.id = fe.flag_id
    join ${stateOf(envId, place)} state on state.flag_id = fe.flag_id
    where fe.env_id = ${envId} and fe.flag_id = any(${[...flagIds]}::uuid[]) and ${differs}
    order by fe.flag_id for no key update of fe`.execute(tx)
  return rows
}
