import type { FlagType } from '@svc/core'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { isShown } from '../../model/flag-environments/index.ts'
import type { Version } from '../../model/versions/index.ts'
import { type StaleBounds, staleRows } from '../flags/index.ts'

export interface IndexedFlag {
  id: string
  shortId: number
  key: string
  name: string
  type: FlagType
  tags: string[]
  permanent: boolean
  updatedAt: Date
  updatedBy: string | null
  ownerId: string | null
  archivedAt: Date | null
  everEnabled: boolean
  everArchived: boolean
  /**
   * For each environment, by id: whether the flag runs, the last evaluation in epoch milliseconds, whether it was ever
   * published, whether an A/B test is live, and what a running flag serves.
   */
  environments: [
    envId: string,
    enabled: boolean,
    lastEvaluatedAt: number | null,
    published: boolean,
    abTest: boolean,
    serves: Served | null,
  ][]
}

/**
 * The rules of a flag in the data file: how many there are, and of the first one its type, its share, its variation and
 * whether it is for everyone. Without rules, the default variation.
 */
export type Served = [
  rules: number,
  type: 'TARGETED_DELIVERY' | 'AB_TEST' | null,
  share: number | null,
  variationKey: string | null,
  everyone: boolean,
]

// A fragment is stored as the member of an object: `"key":{…}`.
const served = sql`case when fe.enabled and flags.archived_at is null then (
  select json_build_array(jsonb_array_length(rules), rules #>> '{0,type}', rules #> '{0,traffic}',
    case jsonb_array_length(rules) when 0 then default_key else rules #>> '{0,variation}' end,
    rules #> '{0,when}' is null)
  from (select coalesce(file -> 'rules', '[]') as rules, file ->> 'defaultVariation' as default_key
    from (select value as file from jsonb_each(('{' || fe.fragment || '}')::jsonb)) fragment) flag) end`

/**
 * Every flag of a project, newest first. Read as one value, because the embedded database takes three times as long for
 * thousands of rows.
 */
export async function indexedFlags(db: Db, projectId: string): Promise<IndexedFlag[]> {
  const { rows } = await sql<{ flags: Stored<IndexedFlag>[] }>`
    with state as (
      select fe.flag_id, json_agg(json_build_array(fe.env_id, fe.enabled,
        extract(epoch from last_evaluated_at)::bigint * 1000, fe.published,
        fe.live @> '{"rules":[{"type":"AB_TEST"}]}', ${served})) as environments
      from flags join flag_environments fe on fe.flag_id = flags.id
        left join flag_evaluations seen on seen.flag_id = fe.flag_id and seen.env_id = fe.env_id
      where project_id = ${projectId} and ${isShown} group by fe.flag_id
    )
    select coalesce(json_agg(flag), '[]') as flags from (
      select id, short_id as "shortId", key, name, type, tags, permanent, updated_at as "updatedAt",
        updated_by as "updatedBy", owner_id as "ownerId", archived_at as "archivedAt", ever_enabled as "everEnabled",
        ever_archived as "everArchived", environments
      from flags join state on flag_id = id where project_id = ${projectId} order by id desc
    ) flag`.execute(db)
  return rows[0]!.flags.map((flag) => ({
    ...flag,
    updatedAt: new Date(flag.updatedAt),
    archivedAt: flag.archivedAt === null ? null : new Date(flag.archivedAt),
  }))
}

export interface IndexedOwner {
  id: string
  name: string
  left: boolean
}

const ownersOf = (projectId: string) => sql`
  select users.id, users.name, not exists (select from memberships join projects on projects.org_id = memberships.org_id
    where projects.id = ${projectId} and memberships.user_id = users.id) as "left"
  from users where users.id in (select owner_id from flags where project_id = ${projectId})`

/** The people who own flags of a project, by name. */
export async function indexedOwners(db: Db, projectId: string): Promise<IndexedOwner[]> {
  const { rows } = await sql<IndexedOwner>`${ownersOf(projectId)} order by name, id`.execute(db)
  return rows
}

/** With times as text. */
type Stored<Row> = {
  [Field in keyof Row]: Row[Field] extends Date | null ? Exclude<Row[Field], Date> | string : Row[Field]
}

export interface IndexVersion {
  /** The number of the project's last event, and its id, because a restored backup counts on from an earlier number. */
  lastSeq: number
  lastEvent: string | null
  revisions: string | null
  /** This text changes with each new evaluation, because times of evaluations only increase. */
  evaluations: string | null
  stale: number
  /** People change their names and leave without an event of the project. */
  owners: string | null
}

/**
 * A value that changes whenever the index does. Every change of a project has an event, except for evaluations and the
 * passing of time.
 */
export async function indexVersion(db: Db, projectId: string, bounds: StaleBounds): Promise<IndexVersion | undefined> {
  const { rows } = await sql<IndexVersion>`
    with seen as (
      select flag_id, max(last_evaluated_at) as at, count(*) as count, sum(extract(epoch from last_evaluated_at)) as sum
      from flags join flag_evaluations on flag_id = flags.id where project_id = ${projectId} group by flag_id
    )
    select coalesce(last_seq, 0) as "lastSeq", events.id as "lastEvent",
      (select string_agg(revision::text, ' ' order by id) from environments where project_id = projects.id) as revisions,
      (select concat_ws(' ', sum(count), sum(sum)) from seen) as evaluations,
      (select count(*) from flags left join seen on flag_id = flags.id
        where project_id = projects.id and ${isShown} and ${staleRows(bounds, sql`seen.at`)}) as stale,
      (select string_agg(concat_ws(' ', owner.id, owner.name, owner.left), ' ' order by owner.id)
        from (${ownersOf(projectId)}) owner) as owners
    from projects left join event_counters counter on counter.project_id = projects.id
      left join events on events.project_id = projects.id and events.seq = last_seq
    where projects.id = ${projectId}`.execute(db)
  return rows[0]
}

export interface StagedVersions {
  flagId: string
  envId: string
  live: Version
  draft: Version
}

export async function stagedVersions(db: Db, projectId: string): Promise<StagedVersions[]> {
  const { rows } = await sql<StagedVersions>`
    select flag_id as "flagId", env_id as "envId", live, draft
    from flag_environments join flags on flags.id = flag_id
    where project_id = ${projectId} and ${isShown} and draft is distinct from live`.execute(db)
  return rows
}

export interface PendingSwitch {
  flagId: string
  envId: string
  action: 'RUN' | 'PAUSE'
  runAt: Date
}

/** The pending schedules of flags in environments, without those of single rules. */
export async function pendingSwitches(db: Db, projectId: string): Promise<PendingSwitch[]> {
  const { rows } = await sql<PendingSwitch>`
    select flag_id as "flagId", env_id as "envId", action, run_at as "runAt"
    from schedules join flags on flags.id = flag_id
    where project_id = ${projectId} and ${isShown} and schedules.status = 'PENDING' and rule_id is null`.execute(db)
  return rows
}

export interface IndexedEnvironment {
  id: string
  key: string
  name: string
  color: string
  protected: boolean
  revision: number
}

/** In their order. */
export async function indexedEnvironments(db: Db, projectId: string): Promise<IndexedEnvironment[]> {
  const { rows } = await sql<IndexedEnvironment>`
    select id, key, name, color, protected, revision from environments
    where project_id = ${projectId} order by position`.execute(db)
  return rows
}

export interface Indexed {
  id: string
  name: string
  key?: string
  shortId?: number
  archived?: true
}

/** The rows of a noun, by name. */
export async function indexedRows(
  db: Db,
  { table, calledBy, archived }: { table: string; calledBy: 'key' | 'number' | 'both'; archived?: true },
  projectId: string,
): Promise<Indexed[]> {
  const columns = [
    sql`id, name`,
    ...(calledBy === 'number' ? [] : [sql`key`]),
    ...(calledBy === 'key' ? [] : [sql`short_id as "shortId"`]),
    ...(archived ? [sql`archived`] : []),
  ]
  const { rows } = await sql<Omit<Indexed, 'archived'> & { archived?: boolean }>`
    select ${sql.join(columns)} from ${sql.table(table)} where project_id = ${projectId} order by name, id`.execute(db)
  return rows.map(({ archived: isArchived, ...row }) => ({ ...row, ...(isArchived && { archived: true }) }))
}

/** The attributes that drafted rules and audiences read, without those of the service such as `$now`. */
export async function attributesInUse(db: Db, projectId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ attribute: string }>`
    select distinct attribute #>> '{}' as attribute from (
      select jsonb_path_query(draft, 'strict $.rules[*].conditions.**.attribute', silent => true) as attribute
      from flag_environments join flags on flags.id = flag_id where project_id = ${projectId}
      union
      select jsonb_path_query(conditions, 'strict $.**.attribute', silent => true)
      from audiences where project_id = ${projectId}) found
    where attribute #>> '{}' not like '$%' order by 1 limit ${limit}`.execute(db)
  return rows.map(({ attribute }) => attribute)
}
