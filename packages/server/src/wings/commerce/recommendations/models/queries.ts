import { type RawBuilder, sql } from 'kysely'
import type { RunMetrics } from '../../../../catalogue/payloads.ts'
import { nounQueries } from '../../../../nouns/index.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import type { ModelName, ModelStrategy } from './live.ts'
import type { ModelContent } from './model.ts'

export interface ModelRow extends ModelContent {
  id: string
  projectId: string
  /** Unique in the project, and never changes. */
  key: string
  /** The run that serves. */
  activeRun: { id: string; number: number; activatedAt: string } | null
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, project_id as "projectId", key, name, strategy, dataset_id as "datasetId", settings, schedule,
  (select jsonb_build_object('id', model_runs.id, 'number', number, 'activatedAt', to_char(
      models.activated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from model_runs where model_runs.id = active_run_id) as "activeRun",
  version, created_at as "createdAt", updated_at as "updatedAt"`

export const modelQueries = nounQueries<ModelRow>('models', columns)

export async function insertModel(tx: Tx, row: ModelRow): Promise<void> {
  await sql`
    insert into models (id, project_id, key, name, strategy, dataset_id, settings, schedule, created_at, updated_at)
    values (${row.id}, ${row.projectId}, ${row.key}, ${row.name}, ${row.strategy}, ${row.datasetId},
      ${JSON.stringify(row.settings)}::jsonb, ${jsonOf(row.schedule)}::jsonb, ${row.createdAt}, ${row.updatedAt})`.execute(
    tx,
  )
}

export async function saveModel(tx: Tx, row: ModelRow): Promise<void> {
  await sql`
    update models set name = ${row.name}, dataset_id = ${row.datasetId}, settings = ${JSON.stringify(row.settings)}::jsonb,
      schedule = ${jsonOf(row.schedule)}::jsonb, version = ${row.version}, updated_at = ${row.updatedAt}
    where id = ${row.id}`.execute(tx)
}

const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

export async function findModel(db: Db, id: string): Promise<ModelRow | undefined> {
  const { rows } = await sql<ModelRow>`select ${columns} from models where id = ${id}`.execute(db)
  return rows[0]
}

/** The model as it is. Until the end of the transaction, nobody can delete it. */
export async function keepModel(tx: Tx, id: string): Promise<ModelRow | undefined> {
  const { rows } = await sql<ModelRow>`select ${columns} from models where id = ${id} for key share`.execute(tx)
  return rows[0]
}

/** The newest model of a strategy. */
export async function newestOf(tx: Tx, projectId: string, strategy: ModelStrategy): Promise<ModelName | undefined> {
  const { rows } = await sql<ModelName>`
    select id, key from models where project_id = ${projectId} and strategy = ${strategy} order by id desc limit 1`.execute(
    tx,
  )
  return rows[0]
}

/** What builds a model. */
export async function keysOf(db: Db, projectId: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`select key from models where project_id = ${projectId}`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

export interface RunRow {
  id: string
  number: number
  jobId: string
  status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED'
  startedAt: Date
  endedAt: Date | null
  metrics: RunMetrics
  products: number | null
  bytes: number | null
  activated: boolean
  activatedAt: Date | null
  reason: string | null
}

/** A run whose job waits for its next attempt, or was cancelled meanwhile, has the status of that job. */
const runColumns = sql`model_runs.id, number, job_id as "jobId", started_at as "startedAt", ended_at as "endedAt",
  case when status = 'RUNNING' then coalesce((select jobs.status from jobs where jobs.id = job_id), 'CANCELLED')
    else status end as status,
  metrics, products, bytes, activated_at as "activatedAt", reason,
  exists (select from models where active_run_id = model_runs.id and models.id = model_id) as activated`

async function onlyRun(db: Db, condition: RawBuilder<unknown>): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`select ${runColumns} from model_runs where ${condition}`.execute(db)
  return rows[0]
}

export const findRun = (db: Db, modelId: string, runId: string): Promise<RunRow | undefined> =>
  onlyRun(db, sql`model_id = ${modelId} and id = ${runId}`)

export const runOfJob = (db: Db, jobId: string): Promise<RunRow | undefined> => onlyRun(db, sql`job_id = ${jobId}`)

export const activeRunOf = (db: Db, modelId: string): Promise<RunRow | undefined> =>
  onlyRun(db, sql`id = (select active_run_id from models where models.id = ${modelId})`)

/** Newest first. */
export async function listRuns(db: Db, modelId: string, after: string | null, limit: number): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select ${runColumns} from model_runs
    where model_id = ${modelId} and (${after}::uuid is null or id < ${after}::uuid)
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/** Begins a run under its next number. The caller has locked the model. */
export async function insertRun(
  tx: Tx,
  { id, modelId, jobId, now }: { id: string; modelId: string; jobId: string; now: Date },
): Promise<void> {
  await sql`
    with numbered as (update models set runs = runs + 1 where id = ${modelId} returning runs)
    insert into model_runs (id, model_id, number, job_id, status, started_at)
    select ${id}::uuid, ${modelId}::uuid, runs, ${jobId}::uuid, 'RUNNING', ${now}::timestamptz from numbered`.execute(
    tx,
  )
}

/** What an attempt has stored that did not end is of no use to the next one. */
export async function deleteParts(tx: Tx, runId: string): Promise<void> {
  await sql`delete from model_parts where run_id = ${runId}`.execute(tx)
}

export interface Part {
  model: number
  part: number
  sha256: Buffer
  bytes: Uint8Array
}

export async function insertPart(tx: Tx, runId: string, { model, part, sha256, bytes }: Part): Promise<void> {
  await sql`
    insert into model_parts (run_id, model, part, sha256, bytes)
    values (${runId}, ${model}, ${part}, ${sha256}, ${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)})`.execute(
    tx,
  )
}

/** A part after another one; undefined after the last one. One at a time, because each is a message of 1 MiB. */
export async function nextPart(db: Db, runId: string, after: [model: number, part: number]): Promise<Part | undefined> {
  const { rows } = await sql<Part>`
    select model, part, sha256, bytes from model_parts
    where run_id = ${runId} and (model, part) > (${after[0]}::smallint, ${after[1]}::integer)
    order by model, part limit 1`.execute(db)
  return rows[0]
}

export interface EndOfRun {
  metrics: RunMetrics
  products: number
  bytes: number
  /** Why it does not go live; null if it does. */
  reason: string | null
}

export async function saveBuiltRun(tx: Tx, runId: string, end: EndOfRun, now: Date): Promise<void> {
  const { metrics, products, bytes, reason } = end
  await sql`
    update model_runs set status = 'SUCCEEDED', ended_at = ${now}, metrics = ${jsonOf(metrics)}::jsonb,
      products = ${products}, bytes = ${bytes}, reason = ${reason} where id = ${runId}`.execute(tx)
}

/** Writes that the job of a run has ended without a model. */
export async function saveFailedRun(
  tx: Tx,
  jobId: string,
  { status, reason, now }: { status: 'FAILED' | 'CANCELLED'; reason: string | null; now: Date },
): Promise<void> {
  await sql`
    update model_runs set status = ${status}, reason = ${reason}, ended_at = ${now}
    where job_id = ${jobId} and status = 'RUNNING'`.execute(tx)
}

export const changedChannel = 'svc_models'

/** Makes a run the one that serves. Every node hears of it. The caller has locked the model. */
export async function activateRun(
  tx: Tx,
  { projectId, modelId, runId, now }: { projectId: string; modelId: string; runId: string; now: Date },
): Promise<void> {
  await sql`update model_runs set activated_at = ${now} where id = ${runId}`.execute(tx)
  await sql`update models set active_run_id = ${runId}, activated_at = ${now} where id = ${modelId}`.execute(tx)
  await notifyChanged(tx, projectId)
}

export async function notifyChanged(tx: Tx, projectId: string): Promise<void> {
  await sql`select pg_notify(${changedChannel}, ${projectId})`.execute(tx)
}

/** A run that serves. */
export interface ActiveRun extends ModelName {
  strategy: ModelStrategy
  runId: string
  runNumber: number
}

/** Those of a project, activated last first. */
export async function activeRuns(db: Db, projectId: string): Promise<ActiveRun[]> {
  const { rows } = await sql<ActiveRun>`
    select models.id, models.key, strategy, model_runs.id as "runId", number as "runNumber"
    from models join model_runs on model_runs.id = active_run_id
      join projects on projects.id = models.project_id and org_id is not null
    where models.project_id = ${projectId} order by models.activated_at desc, models.id desc`.execute(db)
  return rows
}

/**
 * Deletes runs that are neither the one that serves nor among the last ones of their model. A run that was activated after
 * `before` stays, because it can be the one that serves in a moment.
 */
export async function sweepRuns(db: Db, before: Date, keptOfModel: number, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from model_runs where id in (
      select id from model_runs
      where status <> 'RUNNING' and coalesce(greatest(activated_at, ended_at), started_at) < ${before}
        and not exists (select from models where active_run_id = model_runs.id)
        and number <= (select runs from models where models.id = model_id) - ${keptOfModel}::integer
      limit ${Math.min(limit, runsAtOnce)} for update skip locked)
    returning 1`.execute(db)
  return rows.length
}

/** Each takes its parts along. */
const runsAtOnce = 5

/** A product as `SIMILAR` compares it: what its first item says. */
export interface ProductText {
  id: string
  title: string
  brand: string | null
  categories: string[]
  attributes: Record<string, string>
}

/** The products that the catalog shows, by id. */
export async function productTexts(db: Db, projectId: string, after: string, limit: number): Promise<ProductText[]> {
  const { rows } = await sql<ProductText>`
    select distinct on (product_id) product_id as id, doc ->> 'title' as title, doc ->> 'brand' as brand,
      doc -> 'categories' as categories, doc -> 'attributes' as attributes
    from catalog_items join catalogs on catalogs.project_id = catalog_items.project_id
    where catalog_items.project_id = ${projectId} and product_id > ${after}
      and from_rev <= revision and (to_rev is null or to_rev > revision)
    order by product_id, item_id limit ${limit}`.execute(db)
  return rows
}
