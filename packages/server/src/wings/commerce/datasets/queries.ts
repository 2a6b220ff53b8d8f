import { type RawBuilder, sql } from 'kysely'
import { nounQueries } from '../../../nouns/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Check } from './checks.ts'
import type { DatasetContent, DatasetKind, Derivation } from './dataset.ts'

export const refreshKind = 'dataset_refresh'

export interface DatasetRow extends DatasetContent {
  id: string
  projectId: string
  /** Unique in the project, and never changes. */
  key: string
  /** The version that models read. */
  activeVersion: { id: string; number: number; rows: number } | null
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, project_id as "projectId", key, name, kind, derivation, guards, schedule,
  (select jsonb_build_object('id', dataset_versions.id, 'number', number, 'rows', rows)
    from dataset_versions where dataset_versions.id = active_version_id) as "activeVersion",
  version, created_at as "createdAt", updated_at as "updatedAt"`

export const datasetQueries = nounQueries<DatasetRow>('datasets', columns)

const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

export async function insertDataset(tx: Tx, row: DatasetRow): Promise<void> {
  await sql`
    insert into datasets (id, project_id, key, name, kind, derivation, guards, schedule, created_at, updated_at)
    values (${row.id}, ${row.projectId}, ${row.key}, ${row.name}, ${row.kind}, ${jsonOf(row.derivation)}::jsonb,
      ${JSON.stringify(row.guards)}::jsonb, ${jsonOf(row.schedule)}::jsonb, ${row.createdAt}, ${row.updatedAt})`.execute(
    tx,
  )
}

export async function saveDataset(tx: Tx, row: DatasetRow): Promise<void> {
  await sql`
    update datasets set name = ${row.name}, derivation = ${jsonOf(row.derivation)}::jsonb,
      guards = ${JSON.stringify(row.guards)}::jsonb, schedule = ${jsonOf(row.schedule)}::jsonb, version = ${row.version},
      updated_at = ${row.updatedAt}
    where id = ${row.id}`.execute(tx)
}

/** The dataset as it is. Until the end of the transaction, nobody can delete it. */
export async function keepDataset(tx: Tx, id: string): Promise<DatasetRow | undefined> {
  const { rows } = await sql<DatasetRow>`select ${columns} from datasets where id = ${id} for key share`.execute(tx)
  return rows[0]
}

/** A dataset of a project by its key. */
export async function datasetCalled(tx: Tx, projectId: string, key: string): Promise<DatasetRow | undefined> {
  const { rows } = await sql<DatasetRow>`
    select ${columns} from datasets where project_id = ${projectId} and key = ${key}`.execute(tx)
  return rows[0]
}

/** Which kind a dataset of a project is. */
export async function kindOfDataset(tx: Tx, projectId: string, id: string): Promise<DatasetKind | undefined> {
  const { rows } = await sql<{ kind: DatasetKind }>`
    select kind from datasets where project_id = ${projectId} and id = ${id}`.execute(tx)
  return rows[0]?.kind
}

/** The models that learn from a dataset. */
export async function modelsOn(tx: Tx, datasetId: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from models where dataset_id = ${datasetId} order by id`.execute(tx)
  return rows
}

export interface VersionRow {
  id: string
  datasetId: string
  number: number
  jobId: string | null
  status: 'READY' | 'HELD'
  isActive: boolean
  derivation: Derivation | null
  rows: number
  units: number | null
  products: number
  from: Date | null
  until: Date | null
  batch: number | null
  sha256: string
  checks: Check[]
  createdAt: Date
  activatedAt: Date | null
}

const versionColumns = sql`dataset_versions.id, dataset_id as "datasetId", number, job_id as "jobId", status, derivation,
  exists (select from datasets where datasets.id = dataset_id and active_version_id = dataset_versions.id) as "isActive",
  rows, units, products, from_at as "from", until_at as "until", batch, sha256, checks, created_at as "createdAt",
  activated_at as "activatedAt"`

const isWhole = sql`status <> 'ARRIVING'`

async function onlyVersion(db: Db, condition: RawBuilder<unknown>): Promise<VersionRow | undefined> {
  const { rows } = await sql<VersionRow>`
    select ${versionColumns} from dataset_versions where ${isWhole} and ${condition} limit 1`.execute(db)
  return rows[0]
}

export const findVersion = (db: Db, datasetId: string, id: string): Promise<VersionRow | undefined> =>
  onlyVersion(db, sql`dataset_id = ${datasetId} and id = ${id}`)

export const versionOfJob = (db: Db, jobId: string): Promise<VersionRow | undefined> =>
  onlyVersion(db, sql`job_id = ${jobId}`)

export const activeVersionOf = (db: Db, datasetId: string): Promise<VersionRow | undefined> =>
  onlyVersion(db, sql`id = (select active_version_id from datasets where datasets.id = ${datasetId})`)

/** The environment whose events a dataset is derived from; undefined if there is none. */
export async function environmentOf(db: Db, datasetId: string): Promise<string | undefined> {
  const { rows } = await sql<{ envId: string | null }>`
    select derivation ->> 'envId' as "envId" from datasets where id = ${datasetId}`.execute(db)
  return rows[0]?.envId ?? undefined
}

/** The version that was active before the one that is. */
export const activeBefore = (db: Db, datasetId: string): Promise<VersionRow | undefined> =>
  onlyVersion(
    db,
    sql`dataset_id = ${datasetId} and activated_at is not null
      and id <> (select active_version_id from datasets where datasets.id = ${datasetId})
      order by activated_at desc, number desc`,
  )

/** Newest first. */
export async function listVersions(
  db: Db,
  datasetId: string,
  after: string | null,
  limit: number,
): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select ${versionColumns} from dataset_versions
    where ${isWhole} and dataset_id = ${datasetId}
      and (${after}::uuid is null or number < (select number from dataset_versions where id = ${after}::uuid))
    order by number desc limit ${limit}`.execute(db)
  return rows
}

export interface NewVersion extends Omit<VersionRow, 'number' | 'isActive' | 'activatedAt' | 'createdAt' | 'jobId'> {
  jobId: string
  now: Date
}

/** Writes a version under its next number. The caller has locked the dataset. */
export async function insertVersion(tx: Tx, version: NewVersion): Promise<void> {
  const { id, datasetId, jobId, status, derivation, rows, units, products, from, until, batch, sha256, checks } =
    version
  await sql`
    with numbered as (update datasets set versions = versions + 1 where id = ${datasetId} returning versions)
    insert into dataset_versions (id, dataset_id, number, job_id, status, derivation, rows, units, products, from_at,
      until_at, batch, sha256, checks, created_at)
    select ${id}::uuid, ${datasetId}::uuid, versions, ${jobId}::uuid, ${status}, ${jsonOf(derivation)}::jsonb,
      ${rows}::integer, ${units}::integer, ${products}::integer, ${from}::timestamptz, ${until}::timestamptz,
      ${batch}::bigint, ${sha256}, ${JSON.stringify(checks)}::jsonb, ${version.now}::timestamptz
    from numbered`.execute(tx)
}

/** Begins a version whose rows arrive. It has no number yet, and nobody sees it. */
export async function insertArriving(
  db: Db,
  { id, datasetId, now }: { id: string; datasetId: string; now: Date },
): Promise<void> {
  await sql`
    insert into dataset_versions (id, dataset_id, status, created_at)
    values (${id}, ${datasetId}, 'ARRIVING', ${now})`.execute(db)
}

export async function insertChunk(
  db: Db,
  { versionId, number, rows, bytes }: { versionId: string; number: number; rows: number; bytes: Buffer },
): Promise<void> {
  await sql`
    insert into dataset_chunks (version_id, number, rows, bytes)
    values (${versionId}, ${number}, ${rows}, ${bytes})`.execute(db)
}

/** A chunk after another one; undefined after the last one. */
export async function nextChunk(db: Db, versionId: string, after: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select bytes from dataset_chunks where version_id = ${versionId} and number = ${after + 1}::integer`.execute(db)
  return rows[0]?.bytes
}

/** All rows of a version have arrived. */
export async function saveArrived(
  db: Db,
  id: string,
  { rows, sha256 }: { rows: number; sha256: string },
): Promise<void> {
  await sql`update dataset_versions set rows = ${rows}, sha256 = ${sha256} where id = ${id}`.execute(db)
}

export async function findArrived(
  db: Db,
  datasetId: string,
  id: string,
): Promise<Pick<VersionRow, 'id' | 'rows' | 'sha256'> | undefined> {
  const { rows } = await sql<Pick<VersionRow, 'id' | 'rows' | 'sha256'>>`
    select id, rows, sha256 from dataset_versions
    where dataset_id = ${datasetId} and id = ${id} and status = 'ARRIVING' and sha256 is not null`.execute(db)
  return rows[0]
}

/** Makes a version of rows that have arrived, under the next number. The caller has locked the dataset. */
export async function numberVersion(
  tx: Tx,
  {
    id,
    datasetId,
    jobId,
    status,
    products,
    checks,
  }: Pick<NewVersion, 'id' | 'datasetId' | 'jobId' | 'status' | 'products' | 'checks'>,
): Promise<void> {
  await sql`
    with numbered as (update datasets set versions = versions + 1 where id = ${datasetId} returning versions)
    update dataset_versions set number = versions, job_id = ${jobId}, status = ${status}, products = ${products},
      checks = ${JSON.stringify(checks)}::jsonb
    from numbered where dataset_versions.id = ${id}`.execute(tx)
}

/** Deletes what arrived and is no version. */
export async function deleteVersion(db: Db, id: string): Promise<void> {
  await sql`delete from dataset_versions where id = ${id} and status = 'ARRIVING'`.execute(db)
}

/** Makes a version the one that models read. The caller has locked the dataset. */
export async function activateVersion(
  tx: Tx,
  { datasetId, versionId, now }: { datasetId: string; versionId: string; now: Date },
): Promise<void> {
  await sql`update dataset_versions set status = 'READY', activated_at = ${now} where id = ${versionId}`.execute(tx)
  await sql`update datasets set active_version_id = ${versionId} where id = ${datasetId}`.execute(tx)
}

/**
 * Deletes versions that are neither active nor among the last ones of their dataset, and what arrived and never became a
 * version. One that was activated after `before` stays, because it can be the active one in a moment.
 */
export async function sweepVersions(db: Db, before: Date, keptOfDataset: number, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from dataset_versions where id in (
      select id from dataset_versions
      where greatest(created_at, activated_at) < ${before}
        and not exists (select from datasets where active_version_id = dataset_versions.id)
        and (status = 'ARRIVING' or number <= (select versions from datasets where datasets.id = dataset_id)
          - ${keptOfDataset}::integer)
      limit ${Math.min(limit, versionsAtOnce)} for update skip locked)
    returning 1`.execute(db)
  return rows.length
}

/** Each takes its rows along. */
const versionsAtOnce = 2

/** Those of the products that the catalog shows. */
export async function knownProducts(db: Db, projectId: string, productIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select asked.id from unnest(${[...productIds]}::text[]) asked (id)
    where exists (
      select from catalog_items join catalogs on catalogs.project_id = catalog_items.project_id
      where catalog_items.project_id = ${projectId} and product_id = asked.id
        and from_rev <= revision and (to_rev is null or to_rev > revision))`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many products the catalog of a project shows. */
export async function countProducts(db: Db, projectId: string): Promise<number> {
  const { rows } = await sql<{ products: number }>`
    select products from catalogs where project_id = ${projectId}`.execute(db)
  return rows[0]?.products ?? 0
}

export async function projectName(db: Db, projectId: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from projects where id = ${projectId}`.execute(db)
  return rows[0]!.name
}
