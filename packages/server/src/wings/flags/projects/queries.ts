import { type RawBuilder, sql } from 'kysely'
import { nouns, plainNouns } from '../../../catalogue/nouns.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import { isShown } from '../../model/flag-environments/index.ts'
import { defaultWebSettings, type WebSettings } from '../../model/web/index.ts'
import type { ProjectType } from './project-type.ts'

export interface Project {
  id: string
  shortId: number
  orgId: string
  key: string
  name: string
  type: ProjectType
  /** Whether some of its visitors are kept with their attributes, for suggestions and estimates. */
  samplesVisitors: boolean
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, short_id as "shortId", org_id as "orgId", key, name, type,
  samples_visitors as "samplesVisitors", version, created_at as "createdAt", updated_at as "updatedAt"`

export async function findProject(db: Db, orgId: string, projectId: string): Promise<Project | undefined> {
  if (!isId(projectId)) return undefined
  const { rows } = await sql<Project>`
    select ${columns} from projects where id = ${projectId} and org_id = ${orgId}`.execute(db)
  return rows[0]
}

export async function findProjectByName(db: Db, orgId: string, name: string): Promise<Project | undefined> {
  const { rows } = await sql<Project>`
    select ${columns} from projects where org_id = ${orgId} and name = ${name} order by id limit 1`.execute(db)
  return rows[0]
}

/** The first lock of every transaction that adds or removes a project's environments or flags. */
export async function lockProject(tx: Tx, orgId: string, projectId: string): Promise<Project | undefined> {
  const { rows } = await sql<Project>`
    select ${columns} from projects where id = ${projectId} and org_id = ${orgId} for no key update`.execute(tx)
  return rows[0]
}

/** The next short id for a flag in the locked project. Short ids are never reused. */
export async function nextFlagShortId(tx: Tx, projectId: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select next_flag_short_id as next from projects where id = ${projectId}`.execute(tx)
  return rows[0]?.next ?? 1
}

/** Takes this number of short ids, as part of the statement that inserts the flags. */
export const givingShortIds = (projectId: string, count: number): RawBuilder<unknown> => sql`
  update projects set next_flag_short_id = next_flag_short_id + ${count}::integer where id = ${projectId}::uuid`

/** Shared lock for a change of a flag in all environments: none can be added or deleted meanwhile. */
export async function shareProject(tx: Tx, projectId: string): Promise<void> {
  await sql`select from projects where id = ${projectId} for share`.execute(tx)
}

/** The projects that the member can see. */
export async function listProjects(
  db: Db,
  { organization, projects }: { organization: { id: string }; projects: ReadonlySet<string> | null },
  after: string | null,
  limit: number,
): Promise<Project[]> {
  const visible = projects && [...projects]
  const { rows } = await sql<Project>`
    select ${columns} from projects
    where org_id = ${organization.id} and (${visible}::uuid[] is null or id = any(${visible}::uuid[])) and (${after}::uuid is null or id < ${after}::uuid)
    order by id desc limit ${limit}`.execute(db)
  return rows
}

export async function projectKeys(tx: Tx, orgId: string): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`select key from projects where org_id = ${orgId}`.execute(tx)
  return new Set(rows.map(({ key }) => key))
}

export async function findProjectType(db: Db, projectId: string): Promise<ProjectType | undefined> {
  const { rows } = await sql<{ type: ProjectType }>`select type from projects where id = ${projectId}`.execute(db)
  return rows[0]?.type
}

/** The settings of a web project. */
export async function findWebSettings(db: Db, projectId: string): Promise<WebSettings> {
  const { rows } = await sql<{ web: WebSettings | null }>`select web from projects where id = ${projectId}`.execute(db)
  return rows[0]?.web ?? defaultWebSettings
}

export async function saveWebSettings(tx: Tx, projectId: string, settings: WebSettings): Promise<void> {
  await sql`update projects set web = ${JSON.stringify(settings)}::jsonb where id = ${projectId}`.execute(tx)
}

export async function insertProject(tx: Tx, row: Project): Promise<void> {
  await sql`
    insert into projects (id, org_id, short_id, key, name, type, samples_visitors, created_at, updated_at)
    values (${row.id}, ${row.orgId}, ${row.shortId}, ${row.key}, ${row.name}, ${row.type}, ${row.samplesVisitors},
      ${row.createdAt}, ${row.updatedAt})`.execute(tx)
}

export interface RunningFlag {
  id: string
  key: string
  envId: string
}

/** The first running flags, each with the environments in which it runs. */
export async function runningFlags(tx: Tx, projectId: string, limit: number): Promise<RunningFlag[]> {
  const { rows } = await sql<RunningFlag>`
    select flags.id, flags.key, fe.env_id as "envId"
    from flags join flag_environments fe on fe.flag_id = flags.id
    where flags.project_id = ${projectId} and ${isShown} and fe.enabled
    order by flags.id, fe.env_id limit ${limit}`.execute(tx)
  return rows
}

/** The first web experiments that visitors get, running or rolled out. */
export async function servedExperiments(
  tx: Tx,
  projectId: string,
  limit: number,
): Promise<{ id: string; envId: string }[]> {
  const { rows } = await sql<{ id: string; envId: string }>`
    select experiments.id, experiments.env_id as "envId"
    from experiments join flag_environments fe on fe.flag_id = experiments.flag_id and fe.env_id = experiments.env_id
    where experiments.project_id = ${projectId} and experiments.type = 'WEB' and fe.fragment is not null
    order by experiments.id limit ${limit}`.execute(tx)
  return rows
}

/** Nodes hear of each deleted project: its id. */
export const deletedProjectChannel = 'svc_deleted_projects'

/**
 * After the commit, nothing finds the project or its contents, because every look-up filters by organization. Nodes
 * forget what they keep of it in memory.
 */
export async function detachProject(tx: Tx, projectId: string): Promise<void> {
  await sql`update projects set org_id = null where id = ${projectId}
    returning pg_notify(${deletedProjectChannel}, id::text)`.execute(tx)
}

const ofEnvironments = sql`env_id in (select id from environments where project_id = (select id from project))`
const ofAllEnvironments = sql`env_id in (
  select id from environments where project_id = (select id from project)
  union all select env_id from deleted_environments where project_id = (select id from project))`
const ofFlags = sql`flag_id in (select id from flags where project_id = (select id from project))`
const ofErrors = sql`error_id in (select id from code_errors where project_id = (select id from project))`
const ofExperiments = sql`experiment_id in (select id from experiments where project_id = (select id from project))`
const ofDestinations = sql`destination_id in (select id from destinations where project_id = (select id from project))`
const ofProject = sql`project_id = (select id from project)`
const ofMeasuredRules = sql`rule_id in (select rule_id from measured_rules where project_id = (select id from project))`
const largeRowsAtOnce = 10

interface ProjectTable {
  table: string
  rows: RawBuilder<unknown>
  atOnce?: number
  isPartitioned?: true
}

/** A noun that refers to another one has its row in the catalogue after it. */
const nounTables: readonly ProjectTable[] = plainNouns.toReversed().map((noun) => {
  const { table } = nouns[noun].address
  return { table, rows: ofProject, ...(table === 'segments' && { atOnce: largeRowsAtOnce }) }
})

/** All tables with rows of a project. A table comes before the tables that it refers to. */
export const projectTables: readonly ProjectTable[] = [
  { table: 'exposures', rows: ofAllEnvironments, isPartitioned: true },
  { table: 'tracked_events', rows: ofAllEnvironments, isPartitioned: true },
  { table: 'order_changes', rows: ofAllEnvironments },
  {
    table: 'order_items',
    rows: sql`order_id in (select id from orders where project_id = (select id from project))`,
  },
  { table: 'orders', rows: ofProject },
  { table: 'order_recounts', rows: ofProject },
  { table: 'rule_units', rows: ofMeasuredRules },
  { table: 'changed_units', rows: ofMeasuredRules },
  { table: 'unit_hours', rows: ofMeasuredRules },
  { table: 'unit_totals', rows: ofMeasuredRules },
  { table: 'unit_cohorts', rows: ofMeasuredRules },
  { table: 'metric_cohorts', rows: ofMeasuredRules },
  { table: 'rule_dimensions', rows: ofMeasuredRules },
  { table: 'dimension_units', rows: ofMeasuredRules },
  { table: 'dimension_cohorts', rows: ofMeasuredRules },
  { table: 'rule_measures', rows: ofMeasuredRules },
  { table: 'kept_figures', rows: ofMeasuredRules },
  { table: 'snapshots', rows: ofMeasuredRules, atOnce: largeRowsAtOnce },
  { table: 'snapshot_dimensions', rows: ofMeasuredRules, atOnce: largeRowsAtOnce },
  { table: 'watched_rules', rows: ofMeasuredRules },
  { table: 'rule_addresses', rows: ofMeasuredRules },
  { table: 'measured_rules', rows: ofProject },
  { table: 'job_errors', rows: sql`job_id in (select id from jobs where project_id = (select id from project))` },
  { table: 'jobs', rows: ofProject },
  { table: 'job_schedules', rows: ofProject },
  { table: 'catalog_items', rows: ofProject },
  { table: 'catalog_values', rows: ofProject },
  { table: 'catalog_revisions', rows: ofProject },
  { table: 'catalogs', rows: ofProject },
  { table: 'order_confirmations', rows: ofEnvironments },
  { table: 'event_usage', rows: ofEnvironments },
  { table: 'arrived_events', rows: ofEnvironments },
  { table: 'seen_visitors', rows: ofEnvironments },
  { table: 'sdk_instances', rows: ofEnvironments },
  { table: 'sdk_keys', rows: ofEnvironments },
  { table: 'ingest_keys', rows: ofEnvironments },
  { table: 'revision_flags', rows: ofEnvironments },
  { table: 'revision_parts', rows: ofEnvironments },
  { table: 'revisions', rows: ofEnvironments },
  { table: 'data_file_parts', rows: ofEnvironments, atOnce: largeRowsAtOnce },
  { table: 'audience_environments', rows: ofEnvironments },
  { table: 'flag_evaluations', rows: ofFlags },
  { table: 'web_links', rows: ofExperiments },
  { table: 'code_error_visitors', rows: ofErrors },
  { table: 'code_error_events', rows: ofErrors },
  { table: 'code_errors', rows: ofProject },
  { table: 'experiments', rows: ofProject },
  { table: 'schedules', rows: ofFlags },
  { table: 'rules', rows: ofFlags },
  { table: 'flag_environments', rows: ofFlags },
  { table: 'flags', rows: ofProject },
  {
    table: 'model_parts',
    rows: sql`run_id in (select id from model_runs where model_id in (
      select id from models where project_id = (select id from project)))`,
    atOnce: largeRowsAtOnce,
  },
  {
    table: 'model_runs',
    rows: sql`model_id in (select id from models where project_id = (select id from project))`,
  },
  {
    table: 'dataset_chunks',
    rows: sql`version_id in (select id from dataset_versions where dataset_id in (
      select id from datasets where project_id = (select id from project)))`,
    atOnce: largeRowsAtOnce,
  },
  {
    table: 'dataset_versions',
    rows: sql`dataset_id in (select id from datasets where project_id = (select id from project))`,
  },
  { table: 'segment_changes', rows: ofProject, atOnce: largeRowsAtOnce },
  ...nounTables,
  { table: 'deliveries', rows: ofDestinations },
  { table: 'destination_refs', rows: ofDestinations },
  { table: 'destination_secrets', rows: ofDestinations },
  { table: 'destinations', rows: ofProject },
  { table: 'deleted_environments', rows: ofProject },
  { table: 'environments', rows: ofProject },
  { table: 'events', rows: ofProject },
  { table: 'projects', rows: sql`id = (select id from project)` },
]

/** A deleted project that no different node is sweeping. */
export async function lockDeletedProject(tx: Tx): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from projects where org_id is null order by id limit 1 for no key update skip locked`.execute(tx)
  return rows[0]?.id
}

/** Deletes some rows of the first table that has any. Returns how many. */
export async function deleteProjectRows(tx: Tx, projectId: string, limit: number): Promise<number> {
  const project = sql`with project as (select ${projectId}::uuid as id)`
  for (const { table: whole, rows: which, atOnce = limit, isPartitioned } of projectTables) {
    const table = isPartitioned ? await partitionWith(tx, whole, sql`${project} select tableoid`, which) : whole
    if (table === undefined) continue
    const { rows } = await sql`
      ${project}
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${which} limit ${Math.min(limit, atOnce)}::integer
      )) returning 1`.execute(tx)
    if (rows.length > 0) return rows.length
  }
  return 0
}

/** A partition that has such rows. Rows of different partitions can have the same `ctid`. */
async function partitionWith(
  tx: Tx,
  table: string,
  select: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
): Promise<string | undefined> {
  const { rows } = await sql<{ partition: string }>`
    select relname as partition from pg_class
    where oid = (${select} from ${sql.table(table)} where ${which} limit 1)`.execute(tx)
  return rows[0]?.partition
}

export async function hasFlags(tx: Tx, projectId: string): Promise<boolean> {
  const { rows } = await sql`select from flags where project_id = ${projectId} limit 1`.execute(tx)
  return rows.length > 0
}

export async function saveProject(tx: Tx, project: Project): Promise<void> {
  const { id, key, name, samplesVisitors, version, updatedAt } = project
  await sql`
    update projects set key = ${key}, name = ${name}, samples_visitors = ${samplesVisitors}, version = ${version},
      updated_at = ${updatedAt}
    where id = ${id}`.execute(tx)
}
