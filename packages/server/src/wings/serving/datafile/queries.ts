import type { Condition, FlagType } from '@svc/core'
import { type RawBuilder, sql } from 'kysely'
import type { PublishReason } from '../../../catalogue/payloads.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isSdkKey } from '../../../platform/ids.ts'
import type { Actor } from '../../../platform/outbox.ts'
import { savingRevisions } from '../../model/environments/index.ts'
import { type Owner, ownersIn } from '../../model/experiments/index.ts'
import { flagStatus, type SwitchState, savingFragments } from '../../model/flag-environments/index.ts'
import { markingServed } from '../../model/rules/index.ts'
import type { FlagKind, FlagSummary, Version } from '../../model/versions/index.ts'
import type { WebSettings } from '../../model/web/index.ts'
import type { FragmentChange } from './blocks.ts'
import type { Sections } from './file.ts'
import type { Numbered, Part, PartChange } from './parts.ts'
import type { EnvironmentKeys, IngestRule } from './store.ts'

/** A locked environment, with what publishing needs. The lock keeps its revision from changing. */
export interface PublishedEnvironment {
  id: string
  projectId: string
  /** The events of a `WEB` project are about experiments, never about flags. */
  projectType: 'FEATURE_FLAG' | 'WEB'
  name: string
  key: string
  sdkKey: string
  /** The version of what people edit, such as the name. */
  version: number
  revision: number
  etag: string
  /** Size of the current data file. */
  bytes: number
  publishedAt: Date | null
}

const published = sql`id, project_id as "projectId",
  (select type from projects where projects.id = environments.project_id) as "projectType",
  name, key, sdk_key as "sdkKey", version, revision, etag, bytes, published_at as "publishedAt"`

/**
 * Forces generic plans with indexes for the rest of a transaction, whose statements all look up keys. By default,
 * PostgreSQL plans statements with a list of ids each time, which costs more than running them. For other statements it
 * keeps plans that were best when the tables were small.
 */
export async function planByKeys(tx: Tx): Promise<void> {
  await sql`select set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('enable_seqscan', 'off', true)`.execute(tx)
}

/**
 * Locks environments. To avoid deadlocks, every transaction locks environments before flags, and in the order of their
 * ids. The lock is `no key`, so that other transactions can still write rows that refer to these environments.
 */
export async function lockEnvironments(tx: Tx, projectId: string): Promise<PublishedEnvironment[]> {
  const { rows } = await sql<PublishedEnvironment>`
    select ${published} from environments where project_id = ${projectId} order by id for no key update`.execute(tx)
  return rows
}

export async function lockEnvironment(
  tx: Tx,
  { orgId, projectId, envId }: { orgId: string; projectId: string; envId: string },
): Promise<PublishedEnvironment | undefined> {
  const { rows } = await sql<PublishedEnvironment>`
    select ${published} from environments where id = ${envId} and project_id = ${projectId}
      and exists (select from projects where projects.id = project_id and org_id = ${orgId})
    for no key update`.execute(tx)
  return rows[0]
}

export interface FlagStateRow extends FlagSummary {
  type: FlagType
  kind: FlagKind
  archived: boolean
  enabled: boolean
  live: Version
  fragment: string | null
  /** What the fragment names: ids of audiences and segments, and what it needs of groups and holdouts. */
  served: string[]
  enabledRules: string[]
  /** Short ids of the audiences and segments that the flag's versions name, by id. */
  shortIds: Record<string, number>
  /** The experiments that own its rules and are neither completed nor archived. */
  owners: Owner[]
}

/** SQL for the short ids of the audiences and segments that the versions in a row of `flag_environments` name. */
export const shortIdsOf = (row: string): RawBuilder<Record<string, number>> => {
  const named = sql`array(select jsonb_array_elements_text(
    ${sql.ref(`${row}.draft_references`)} || ${sql.ref(`${row}.live_references`)})::uuid)`
  return sql`(
    select coalesce(json_object_agg(id, short_id), '{}') from (
      select id, short_id from audiences where id = any(${named})
      union all select id, short_id from segments where id = any(${named})) named)`
}

/** What decides the data file of an environment: the changed flags, and ids of audiences and segments. */
export interface EnvironmentState {
  envId: string
  flags: FlagStateRow[]
  /** Audiences and segments that live versions refer to. */
  named: string[]
  /** What flags in the file name. */
  served: string[]
  /** Audiences with live conditions. */
  held: string[]
  /** Audiences and segments that have a part in the file. */
  placed: string[]
}

// `offset 0` is an optimization fence. If the table has just grown, the planner would otherwise scan all flags of the
// environment for each flag.
const eachByItsFlag = sql`select * from flag_environments where flag_id = changed.id offset 0`

/** Reads these by environment id. Flags in `leaving` are about to be deleted and are ignored. */
export async function statesOf(
  tx: Tx,
  envIds: readonly string[],
  { changed, leaving }: { changed: readonly string[]; leaving: readonly string[] },
): Promise<Map<string, EnvironmentState>> {
  // Keys of an object are unique. `distinct` would build a hash table for the many rows that the planner expects.
  const namedIn = (column: 'live_references' | 'served_references', without: readonly string[]) => sql`
    array(select jsonb_object_keys((
      select jsonb_object_agg(reference, true)
      from flag_environments fe, jsonb_array_elements_text(${sql.ref(column)}) reference
      where fe.env_id = env.id and live_references <> '[]' and flag_id <> all(${[...without]}::uuid[]))))`
  // A hidden flag names itself when it is served, so its live version may name nothing.
  const servedOnPages = (without: readonly string[]) => sql`
    array(select part.id::text from data_file_parts part
      join flag_environments fe on fe.flag_id = part.id and fe.env_id = part.env_id
      where part.env_id = env.id and part.section = 'web' and part.id <> all(${[...without]}::uuid[])
        and jsonb_exists(fe.served_references, part.id::text))`
  const { rows } = await sql<EnvironmentState>`
    select env.id as "envId", (
        select coalesce(json_agg(json_build_object(
          'id', flags.id, 'shortId', flags.short_id, 'key', flags.key, 'name', flags.name, 'status', ${flagStatus},
          'type', flags.type, 'kind', flags.kind, 'archived', flags.archived_at is not null, 'enabled', fe.enabled, 'live', fe.live,
          'fragment', fe.fragment, 'served', fe.served_references, 'shortIds', ${shortIdsOf('fe')},
          'enabledRules', array(
            select rules.id from rules where rules.flag_id = fe.flag_id and rules.env_id = fe.env_id and rules.enabled),
          'owners', ${ownersIn('fe')}
        )), '[]')
        from unnest(${[...changed]}::uuid[]) changed (id), lateral (${eachByItsFlag}) fe
          join flags on flags.id = fe.flag_id
        where fe.env_id = env.id) as flags,
      ${namedIn('live_references', leaving)} as named,
      ${namedIn('served_references', changed)} || ${servedOnPages(changed)} as served,
      array(select audience_id::text from audience_environments where env_id = env.id) as held,
      array(select id::text from data_file_parts where env_id = env.id) as placed
    from unnest(${[...envIds]}::uuid[]) env (id)`.execute(tx)
  return new Map(rows.map((row) => [row.envId, row]))
}

/** Environments whose data files were made by an older version of the service and have an outdated format. */
export async function outdatedEnvironments(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from environments where outdated order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Undefined if a different node has already renewed the data file. */
export async function lockOutdated(tx: Tx, envId: string): Promise<PublishedEnvironment | undefined> {
  const { rows } = await sql<PublishedEnvironment>`
    select ${published} from environments where id = ${envId} and outdated for no key update`.execute(tx)
  return rows[0]
}

/**
 * Null in projects that are not for the web, and until somebody has changed the settings. Read after the lock of the
 * environment: the statement that waits for the lock sees the settings from before the wait.
 */
export async function servedSettings(
  tx: Tx,
  { projectId, projectType }: Pick<PublishedEnvironment, 'projectId' | 'projectType'>,
): Promise<WebSettings | null> {
  if (projectType !== 'WEB') return null
  const { rows } = await sql<{ web: WebSettings | null }>`select web from projects where id = ${projectId}`.execute(tx)
  return rows[0]?.web ?? null
}

export async function flagsOf(tx: Tx, envId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select flag_id as id from flag_environments where env_id = ${envId}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** A flag in a revision. `kind` is null if its fragment did not change. */
export interface FlagRevision extends FragmentChange {
  flagId: string
  key: string
  name: string
  kind: 'ADDED' | 'CHANGED' | 'REMOVED' | null
  served: readonly string[]
}

/** A revision of the file of an environment, with its flags. */
export interface NewRevision {
  file: { envId: string; revision: number; etag: string; size: number }
  flags: readonly FlagRevision[]
  publishedAt: Date | null
  publisher: Pick<Actor, 'type' | 'id' | 'name'> | null
  reason: PublishReason | null
  comment: string | null
  audiences: readonly PublishedAudience[]
}

/** An edit of an audience that a publish makes live. */
export interface PublishedAudience {
  id: string
  name: string
  from: unknown
  to: unknown
}

/** A change of an environment that leaves its data file as it is: it belongs to the revision that is served. */
export interface QuietChange extends Omit<NewRevision, 'flags'> {
  flagIds: readonly string[]
}

/** What a statement that saves revisions of one environment writes besides. */
export interface Alongside {
  /** Switches of flags whose fragment changes: a row that is written twice costs twice. */
  switches: readonly SwitchState[]
  /** Something that the feature writes into its own tables. */
  part: RawBuilder<unknown>
}

/**
 * Writes the fragments, the revisions, their history and the rules that they serve in one statement. If an environment
 * has several revisions, its file is the last one, and other nodes are notified of that one when the transaction
 * commits. A flag is in only one of them.
 */
export async function saveRevisions(
  tx: Tx,
  revisions: readonly NewRevision[],
  served: readonly { ruleId: string; at: Date }[],
  alongside?: Alongside,
): Promise<void> {
  const files = revisions.map(({ file: { envId, revision, etag, size }, flags: _flags, ...told }) => ({
    ...{ envId, revision, etag, size, ...told },
    isLast: !revisions.some(({ file }) => file.envId === envId && file.revision > revision),
  }))
  const switchOf = new Map(alongside?.switches.map((each) => [each.flagId, each]))
  const flags = revisions.flatMap(({ file: { envId, revision }, flags }) =>
    flags.map((flag) => ({ ...flag, ...switchOf.get(flag.flagId), envId, revision })),
  )
  // Repeats the condition: without statistics, the planner would not know that these are few rows.
  const envIds = [...new Set(files.map(({ envId }) => envId))]
  const flagIds = [...new Set(flags.map(({ flagId }) => flagId))]
  const same = sql`fe.flag_id = any(${flagIds}::uuid[]) and fe.flag_id = flag."flagId" and fe.env_id = flag."envId"`
  await sql`
    with file as (
      select * from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as file ("envId" uuid, revision integer,
        etag text, size integer, "publishedAt" timestamptz, publisher jsonb, reason text, comment text,
        audiences jsonb, "isLast" boolean)
    ), flag as (
      select * from jsonb_to_recordset(${JSON.stringify(flags)}::jsonb) as flag ("envId" uuid, revision integer,
        "flagId" uuid, key text, name text, kind text, "leftKey" text, fragment text, served jsonb, enabled boolean,
        published boolean, "lastPublishedRevision" integer)
    ), pieces as (
      ${savingFragments(same)} and flag.kind is not null
    ), history as (
      insert into revision_flags (env_id, revision, flag_id, key, name, kind, left_key, fragment, live)
      select fe.env_id, flag.revision, fe.flag_id, flag.key, flag.name, flag.kind, flag."leftKey", flag.fragment, fe.live
      from flag join flag_environments fe on ${same}
    ), revision as (
      insert into revisions (env_id, revision, published_at, etag, bytes, publisher, reason, comment, audiences)
      select "envId", revision, "publishedAt", etag, size, publisher, reason, comment, audiences from file
    ), environment as (
      ${savingRevisions(envIds)}
    ), rule as (
      ${markingServed(served)}
    )${alongside ? sql`, alongside as (${alongside.part})` : sql``}
    select pg_notify(${changedChannel}::text, "envId" || ' ' || revision) from file where "isLast"`.execute(tx)
}

/**
 * Stores what went live without changing the file, as the next steps of the revision that is served. A publish always
 * gets a step. Any other change gets one only if it has changed a live version. A flag is in only one of the changes.
 */
export async function noteVersions(tx: Tx, changes: readonly QuietChange[]): Promise<void> {
  const quiet = changes.map(({ file, ...told }, nth) => ({ ...file, ...told, nth }))
  await sql`
    with quiet as (
      select * from jsonb_to_recordset(${JSON.stringify(quiet)}::jsonb) as quiet (nth integer, "envId" uuid,
        revision integer, etag text, size integer, "publishedAt" timestamptz, publisher jsonb, reason text, comment text,
        audiences jsonb, "flagIds" jsonb)
    ), version as (
      select nth, fe.flag_id, flags.key, flags.name, fe.fragment, fe.live
      from quiet cross join lateral jsonb_array_elements_text(quiet."flagIds") listed ("flagId")
        join flag_environments fe on fe.flag_id = listed."flagId"::uuid and fe.env_id = quiet."envId"
        join flags on flags.id = fe.flag_id
      where fe.flag_id = any(${changes.flatMap(({ flagIds }) => flagIds)}::uuid[])
        and fe.live is distinct from (
          select live from revision_flags noted where noted.env_id = fe.env_id and noted.flag_id = fe.flag_id
          order by noted.revision desc, noted.step desc limit 1)
    ), told as (
      select *, row_number() over (partition by "envId", revision order by nth) + (
          select coalesce(max(step), 0) from revisions past where past.env_id = "envId" and past.revision = quiet.revision) as step
      from quiet where reason = 'PUBLISHED' or nth in (select nth from version)
    ), revision as (
      insert into revisions (env_id, revision, step, published_at, etag, bytes, publisher, reason, comment, audiences)
      select "envId", revision, step, "publishedAt", etag, size, publisher, reason, comment, audiences from told
    )
    insert into revision_flags (env_id, revision, step, flag_id, key, name, fragment, live)
    select "envId", revision, step, flag_id, key, name, fragment, live from told join version using (nth)`.execute(tx)
}

/** Notifies other nodes when the transaction commits. */
export async function notifyChanged(tx: Tx, envId: string): Promise<void> {
  await sql`select pg_notify(${changedChannel}, ${envId})`.execute(tx)
}

/** Notices on this channel have the id of an environment and, if there is one, the new revision of its file. */
export const changedChannel = 'svc_datafile'

/** SDK keys stop working when the project is deleted. */
const isServed = sql`exists (
  select from projects where projects.id = env.project_id and projects.org_id is not null)`

export async function environmentIds(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from environments env where ${isServed}`.execute(db)
  return rows.map(({ id }) => id)
}

/** An environment with the pieces of its data file, from one snapshot. */
export interface WholeDataFile {
  id: string
  key: string
  /** Grows with every change of the keys. */
  version: number
  sdkKeys: string[]
  ingest: IngestRule
  projectType: PublishedEnvironment['projectType']
  revision: number
  publishedAt: Date | null
  fragments: string[]
  sections: Sections
}

const keys = sql`array(select key from sdk_keys where sdk_keys.env_id = env.id) as "sdkKeys",
  (select type from projects where projects.id = env.project_id) as "projectType",
  json_build_object('requiredFor', env.ingest_key_required_for, 'keys', (
    select coalesce(json_agg(json_build_object('id', id, 'hash', encode(secret_hash, 'hex'))), '[]')
    from ingest_keys where ingest_keys.env_id = env.id)) as ingest`

const head = sql`env.id, env.key, env.version, env.revision, env.published_at as "publishedAt", ${keys}`

export async function findKeys(db: Db, envId: string): Promise<EnvironmentKeys | undefined> {
  const { rows } = await sql<EnvironmentKeys>`
    select env.id as "envId", env.version, ${keys} from environments env
    where env.id = ${envId} and ${isServed}`.execute(db)
  return rows[0]
}

const membersOf = (section: Part['section']) => sql`(
  select coalesce(string_agg(part, ',' order by part collate "C"), '') from data_file_parts
  where env_id = env.id and section = ${sql.lit(section)})`

const sections = sql`json_build_object('audiences', ${membersOf('audiences')}, 'segments', ${membersOf('segments')},
  'exclusionGroups', ${membersOf('exclusionGroups')}, 'holdouts', ${membersOf('holdouts')}, 'web', ${membersOf('web')})`

const whole = sql`${head}, (
  select coalesce(json_agg(fe.fragment), '[]') from flag_environments fe
  where fe.env_id = env.id and fe.fragment is not null) as fragments, ${sections} as sections`

export async function servedEnvironments(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from environments env where ${isServed} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function notedTag(db: Db, envId: string): Promise<string> {
  const { rows } = await sql<{ etag: string }>`select etag from environments where id = ${envId}`.execute(db)
  return rows[0]!.etag
}

export async function findWhole(db: Db, envId: string): Promise<WholeDataFile | undefined> {
  const { rows } = await sql<WholeDataFile>`
    select ${whole} from environments env where env.id = ${envId} and ${isServed}`.execute(db)
  return rows[0]
}

export async function findWholeByKey(db: Db, sdkKey: string): Promise<WholeDataFile | undefined> {
  if (!isSdkKey(sdkKey)) return undefined
  const { rows } = await sql<WholeDataFile>`
    select ${whole} from environments env
    where env.id = (select env_id from sdk_keys where sdk_keys.key = ${sdkKey}) and ${isServed}`.execute(db)
  return rows[0]
}

/** An environment with the changes of its data file after a revision, in order, from one snapshot. */
export interface ChangedDataFile extends Omit<WholeDataFile, 'fragments' | 'sections'> {
  etag: string
  changes: FragmentChange[]
  /** Whether what pages need besides the data file has changed. */
  webChanged: boolean
}

export async function findChanged(db: Db, envId: string, behind: number): Promise<ChangedDataFile | undefined> {
  const { rows } = await sql<ChangedDataFile>`
    select ${head}, env.etag, (
      select coalesce(json_agg(json_build_object('leftKey', left_key, 'fragment', fragment) order by revision), '[]')
      from revision_flags where env_id = env.id and revision > ${behind} and kind is not null) as changes, exists (
      select from revision_parts where env_id = env.id and revision > ${behind} and section = 'web') as "webChanged"
    from environments env where env.id = ${envId} and ${isServed}`.execute(db)
  return rows[0]
}

export async function findSections(tx: Tx, envId: string): Promise<Sections> {
  const { rows } = await sql<{ sections: Sections }>`
    select ${sections} as sections from environments env where env.id = ${envId}`.execute(tx)
  return rows[0]!.sections
}

export interface LiveAudience extends Numbered {
  live: Condition
}

export async function liveAudiences(tx: Tx, envId: string, ids: readonly string[]): Promise<LiveAudience[]> {
  const { rows } = await sql<LiveAudience>`
    select audience_id as id, short_id as "shortId", live
    from audience_environments join audiences on audiences.id = audience_id
    where env_id = ${envId} and audience_id = any(${[...ids]}::uuid[])`.execute(tx)
  return rows
}

/** For segments, only whether the part is empty: an empty part must be built again. */
export async function findParts(tx: Tx, envId: string): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select section, id, case section when 'segments' then left(part, 1) else part end as part from data_file_parts
    where env_id = ${envId}`.execute(tx)
  return rows
}

/** Which of these ids belong to segments. */
export async function segmentsAmong(tx: Tx, ids: readonly string[]): Promise<Numbered[]> {
  const { rows } = await sql<Numbered>`
    select id, short_id as "shortId" from segments where id = any(${[...ids]}::uuid[]) order by id for share`.execute(
    tx,
  )
  return rows
}

export async function segmentMembers(tx: Tx, segmentId: string): Promise<string[]> {
  const { rows } = await sql<{ members: string[] }>`select members from segments where id = ${segmentId}`.execute(tx)
  return rows[0]!.members
}

/**
 * Writes parts, with the history of those that can change by themselves: the conditions of an audience, the version of
 * a segment, the content of a web experiment. Groups and holdouts follow from the versions of flags.
 */
export async function saveParts(
  tx: Tx,
  envId: string,
  revision: number,
  changes: readonly PartChange[],
): Promise<void> {
  await sql`
    with change as (
      select * from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as change (section text, id uuid, before text, part text)
    ), gone as (
      delete from data_file_parts parts using change
      where parts.env_id = ${envId}::uuid and parts.section = change.section and parts.id = change.id
        and change.part is null
    ), history as (
      insert into revision_parts (env_id, revision, section, id, short_id, name, kind, part, version)
      select ${envId}::uuid, ${revision}::integer, section, change.id,
        coalesce(audiences.short_id, segments.short_id),
        coalesce(audiences.name, segments.name, experiments.name, projects.name),
        case when change.part is null then 'REMOVED' when before is null then 'ADDED' else 'CHANGED' end,
        case when section in ('audiences', 'web') then change.part end, segments.version
      from change
      left join audiences on audiences.id = change.id
      left join segments on segments.id = change.id
      left join experiments on section = 'web' and experiments.flag_id = change.id
      left join projects on section = 'web' and projects.id = change.id
      where section in ('audiences', 'segments', 'web')
    )
    insert into data_file_parts (env_id, section, id, part)
    select ${envId}::uuid, section, id, part from change where part is not null
    on conflict (env_id, section, id) do update set part = excluded.part`.execute(tx)
}

/** The flags of the file that use these audiences or segments, except those that changed themselves. */
export async function flagsServing(
  tx: Tx,
  envId: string,
  ids: readonly string[],
  changed: readonly string[],
): Promise<(FlagSummary & { fragment: string })[]> {
  const { rows } = await sql<FlagSummary & { fragment: string }>`
    select flags.id, flags.short_id as "shortId", flags.key, flags.name, ${flagStatus} as status, fe.fragment
    from flag_environments fe join flags on flags.id = fe.flag_id
    where fe.env_id = ${envId} and fe.live_references <> '[]' and fe.flag_id <> all(${[...changed]}::uuid[])
      and exists (
        select from jsonb_array_elements_text(fe.served_references) reference
        where reference = any(${[...ids]}::text[]) or reference in (
          select audience_id::text from audience_environments, jsonb_array_elements_text(segments) segment
          where env_id = ${envId} and segment = any(${[...ids]}::text[])))
    order by flags.id`.execute(tx)
  return rows
}

/** Marks the part of a segment for rebuilding in every environment that serves it. Returns these environments. */
export async function outdateSegmentParts(tx: Tx, segmentId: string): Promise<string[]> {
  const { rows } = await sql<{ envId: string }>`
    update data_file_parts set part = '' where section = 'segments' and id = ${segmentId}
    returning env_id as "envId"`.execute(tx)
  return rows.map(({ envId }) => envId)
}
