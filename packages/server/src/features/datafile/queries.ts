import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/index.ts'
import { isSdkKey } from '../../platform/ids.ts'
import { type FlagSummary, flagStatus, type Version } from '../versions/index.ts'

/** An environment as far as publishing goes: locked, its revision cannot move under the holder. */
export interface PublishedEnvironment {
  id: string
  projectId: string
  name: string
  key: string
  sdkKey: string
  revision: number
  etag: string
  /** Size of the data file as it is. */
  bytes: number
  publishedAt: Date | null
}

export interface StoredDataFile {
  envId: string
  sdkKey: string
  revision: number
  etag: string
  bytes: Buffer
}

const published = sql`id, project_id as "projectId", name, key, sdk_key as "sdkKey", revision, etag,
  octet_length(data_file) as bytes, published_at as "publishedAt"`

/** Environments are always locked before flags, and among themselves by id: no two transactions wait in a ring. */
export async function lockEnvironments(tx: Tx, projectId: string): Promise<PublishedEnvironment[]> {
  const { rows } = await sql<PublishedEnvironment>`
    select ${published} from environments where project_id = ${projectId} order by id for update`.execute(tx)
  return rows
}

export async function lockEnvironment(
  tx: Tx,
  projectId: string,
  envId: string,
): Promise<PublishedEnvironment | undefined> {
  const { rows } = await sql<PublishedEnvironment>`
    select ${published} from environments where id = ${envId} and project_id = ${projectId} for update`.execute(tx)
  return rows[0]
}

export interface FlagStateRow extends FlagSummary {
  type: 'BOOLEAN' | 'STRING'
  archived: boolean
  enabled: boolean
  live: Version
  fragment: string | null
  enabledRules: string[]
}

export async function flagStates(tx: Tx, envId: string, flagIds: readonly string[]): Promise<FlagStateRow[]> {
  const { rows } = await sql<FlagStateRow>`
    select flags.id, flags.short_id as "shortId", flags.key, flags.name, ${flagStatus} as status,
      flags.type, flags.archived_at is not null as archived, fe.enabled, fe.live, fe.fragment,
      array(select rules.id::text from rules where rules.flag_id = fe.flag_id and rules.env_id = fe.env_id
        and rules.enabled) as "enabledRules"
    from flag_environments fe join flags on flags.id = fe.flag_id
    where fe.env_id = ${envId} and fe.flag_id = any(${[...flagIds]}::uuid[])`.execute(tx)
  return rows
}

export async function saveFragments(
  tx: Tx,
  envId: string,
  fragments: readonly { flagId: string; fragment: string | null }[],
): Promise<void> {
  await sql`
    update flag_environments fe set fragment = row.fragment
    from jsonb_to_recordset(${JSON.stringify(fragments)}::jsonb) as row ("flagId" uuid, fragment text)
    where fe.env_id = ${envId} and fe.flag_id = row."flagId"`.execute(tx)
}

export async function fragmentsOf(tx: Tx, envId: string): Promise<{ key: string; fragment: string }[]> {
  const { rows } = await sql<{ key: string; fragment: string }>`
    select flags.key, fe.fragment from flag_environments fe join flags on flags.id = fe.flag_id
    where fe.env_id = ${envId} and fe.fragment is not null`.execute(tx)
  return rows
}

export async function saveDataFile(
  tx: Tx,
  envId: string,
  file: { revision: number; bytes: Buffer; etag: string; publishedAt: Date | null },
): Promise<void> {
  await sql`
    update environments set revision = ${file.revision}, data_file = ${file.bytes}, etag = ${file.etag},
      published_at = ${file.publishedAt}
    where id = ${envId}`.execute(tx)
}

export async function markServed(tx: Tx, ruleIds: readonly string[], now: Date): Promise<void> {
  await sql`
    update rules set first_served_at = ${now}
    where id = any(${[...ruleIds]}::uuid[]) and first_served_at is null`.execute(tx)
}

/** Other nodes hear of it when the transaction commits, and not before. */
export async function notifyChanged(tx: Tx, envId: string): Promise<void> {
  await sql`select pg_notify(${changedChannel}, ${envId})`.execute(tx)
}

export const changedChannel = 'svc_datafile'

const stored = sql`id as "envId", sdk_key as "sdkKey", revision, etag, data_file as bytes`

export async function findDataFile(db: Db, envId: string): Promise<StoredDataFile | undefined> {
  const { rows } = await sql<StoredDataFile>`select ${stored} from environments where id = ${envId}`.execute(db)
  return rows[0]
}

export async function findDataFileByKey(db: Db, sdkKey: string): Promise<StoredDataFile | undefined> {
  if (!isSdkKey(sdkKey)) return undefined
  const { rows } = await sql<StoredDataFile>`select ${stored} from environments where sdk_key = ${sdkKey}`.execute(db)
  return rows[0]
}

export async function allDataFiles(db: Db): Promise<StoredDataFile[]> {
  const { rows } = await sql<StoredDataFile>`select ${stored} from environments`.execute(db)
  return rows
}
