import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId, newId } from '../../../platform/ids.ts'
import type { Actor, Author } from '../../../platform/outbox.ts'

interface NewEnvironment {
  id: string
  projectId: string
  name: string
  key: string
  color: string
  builtIn: boolean
  protected: boolean
  position: number
  sdkKey: string
}

/** Inserts an environment with its first SDK key. */
export async function insertEnvironment(tx: Tx, row: NewEnvironment, { actor, now }: Author): Promise<void> {
  await sql`
    with environment as (
      insert into environments (id, project_id, name, key, color, built_in, protected, position, sdk_key, etag,
        created_at, updated_at)
      values (${row.id}, ${row.projectId}, ${row.name}, ${row.key}, ${row.color}, ${row.builtIn}, ${row.protected},
        ${row.position}, ${row.sdkKey}, '', ${now}, ${now})
    )
    insert into sdk_keys (id, env_id, key, created_at, created_by)
    values (${newId()}, ${row.id}, ${row.sdkKey}, ${now}, ${JSON.stringify(makerOf(actor))}::jsonb)`.execute(tx)
}

type Maker = Pick<Actor, 'type' | 'id' | 'name'>
const makerOf = ({ type, id, name }: Actor): Maker => ({ type, id, name })

/** What requests with an SDK key ask for or bring. */
export const keyUses = ['DATA_FILE', 'STREAM', 'EVALUATION', 'EVENTS', 'HEARTBEAT'] as const

export type KeyUse = (typeof keyUses)[number]

export interface SdkKey {
  id: string
  key: string
  createdAt: Date
  /** Null if that is not known. */
  createdBy: Maker | null
  /** When it was last used for each purpose, in ISO 8601. */
  uses: Partial<Record<KeyUse, string>>
}

/**
 * The SDK keys of an environment, newest first: the one that the environment shows, whatever the clocks of the nodes
 * said. Lock the environment to change them.
 */
export async function sdkKeysOf(db: Db, envId: string): Promise<SdkKey[]> {
  const { rows } = await sql<SdkKey>`
    select keys.id, keys.key, keys.created_at as "createdAt", keys.created_by as "createdBy", keys.uses
    from sdk_keys keys join environments on environments.id = keys.env_id
    where keys.env_id = ${envId} order by keys.key = environments.sdk_key desc, keys.id desc`.execute(db)
  return rows
}

/** The new key is the newest one, which the environment shows. The environment must be locked. */
export async function insertSdkKey(
  tx: Tx,
  { envId, version }: { envId: string; version: number },
  { id, key }: { id: string; key: string },
  { actor, now }: Author,
): Promise<void> {
  await sql`
    with environment as (
      update environments set sdk_key = ${key}, version = ${version}, updated_at = ${now} where id = ${envId}
    )
    insert into sdk_keys (id, env_id, key, created_at, created_by)
    values (${id}, ${envId}, ${key}, ${now}, ${JSON.stringify(makerOf(actor))}::jsonb)`.execute(tx)
}

/** The environment, which must be locked, shows the key that is left. */
export async function deleteSdkKey(
  tx: Tx,
  { envId, version, left }: { envId: string; version: number; left: string },
  keyId: string,
  { now }: Author,
): Promise<void> {
  await sql`
    with environment as (
      update environments set sdk_key = ${left}, version = ${version}, updated_at = ${now} where id = ${envId}
    )
    delete from sdk_keys where id = ${keyId}`.execute(tx)
}

/** Stores the last uses of SDK keys. Rows are locked in one order, so that two nodes cannot deadlock. */
export async function saveKeyUses(db: Db, uses: readonly { sdkKey: string; use: KeyUse; at: Date }[]): Promise<void> {
  await sql`
    with used as (
      select "sdkKey", jsonb_object_agg(use, at) as uses
      from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) as used ("sdkKey" text, use text, at text)
      group by "sdkKey"
    ), held as (
      select id, used.uses from sdk_keys join used on used."sdkKey" = sdk_keys.key order by id for no key update of sdk_keys
    )
    update sdk_keys set uses = sdk_keys.uses || held.uses from held where sdk_keys.id = held.id`.execute(db)
}

/** Which events of an environment count only if their request has an ingest key. */
export const ingestKeyRequirements = ['NONE', 'TRACKED_EVENTS', 'ALL'] as const

export type IngestKeyRequirement = (typeof ingestKeyRequirements)[number]

/** A secret key with which servers send events. Only its hash is stored. */
export interface IngestKey {
  id: string
  lastCharacters: string
  createdAt: Date
  createdBy: Maker
  lastUsedAt: Date | null
  lastUsedIp: string | null
  lastUsedUserAgent: string | null
}

/** The ingest keys of an environment, newest first. Lock the environment to change them. */
export async function ingestKeysOf(db: Db, envId: string): Promise<IngestKey[]> {
  const { rows } = await sql<IngestKey>`
    select id, last_characters as "lastCharacters", created_at as "createdAt", created_by as "createdBy",
      last_used_at as "lastUsedAt", last_used_ip as "lastUsedIp", last_used_user_agent as "lastUsedUserAgent"
    from ingest_keys where env_id = ${envId} order by created_at desc, id desc`.execute(db)
  return rows
}

/** The environment must be locked. */
export async function insertIngestKey(
  tx: Tx,
  { envId, version }: { envId: string; version: number },
  { id, secretHash, lastCharacters }: Pick<IngestKey, 'id' | 'lastCharacters'> & { secretHash: Buffer },
  { actor, now }: Author,
): Promise<void> {
  await sql`
    with environment as (
      update environments set version = ${version}, updated_at = ${now} where id = ${envId}
    )
    insert into ingest_keys (id, env_id, secret_hash, last_characters, created_at, created_by)
    values (${id}, ${envId}, ${secretHash}, ${lastCharacters}, ${now}, ${JSON.stringify(makerOf(actor))}::jsonb)`.execute(
    tx,
  )
}

/** The environment must be locked. */
export async function deleteIngestKey(
  tx: Tx,
  { envId, version }: { envId: string; version: number },
  keyId: string,
  { now }: Author,
): Promise<void> {
  await sql`
    with environment as (
      update environments set version = ${version}, updated_at = ${now} where id = ${envId}
    )
    delete from ingest_keys where id = ${keyId}`.execute(tx)
}

export interface IngestKeyUse {
  keyId: string
  at: Date
  ip: string
  userAgent: string | null
}

/** Stores the last uses of ingest keys. Rows are locked in one order, so that two nodes cannot deadlock. */
export async function saveIngestKeyUses(db: Db, uses: readonly IngestKeyUse[]): Promise<void> {
  await sql`
    with held as (
      select id, used.at, used.ip, used."userAgent" from ingest_keys
        join jsonb_to_recordset(${JSON.stringify(uses)}::jsonb)
          as used ("keyId" uuid, at timestamptz, ip text, "userAgent" text) on used."keyId" = ingest_keys.id
      where last_used_at is null or last_used_at < used.at
      order by id for no key update of ingest_keys
    )
    update ingest_keys set last_used_at = held.at, last_used_ip = held.ip, last_used_user_agent = held."userAgent"
    from held where ingest_keys.id = held.id`.execute(db)
}

/**
 * Notes when events of environments were rejected because they had no ingest key. The environments are locked in the
 * order of their ids, as by every transaction.
 */
export async function saveIngestKeyMisses(db: Db, misses: readonly { envId: string; at: Date }[]): Promise<void> {
  await sql`
    with held as (
      select id, missed.at from environments
        join jsonb_to_recordset(${JSON.stringify(misses)}::jsonb) as missed ("envId" uuid, at timestamptz)
          on missed."envId" = environments.id
      order by id for no key update of environments
    )
    update environments set ingest_key_missed_at = greatest(ingest_key_missed_at, held.at)
    from held where environments.id = held.id`.execute(db)
}

interface EnvironmentEdit {
  id: string
  name: string
  color: string
  protected: boolean
  ingestKeyRequiredFor: IngestKeyRequirement
  version: number
  updatedAt: Date
}

/** Saves an edit without the position, which `orderEnvironments` sets. */
export async function saveEnvironment(tx: Tx, edited: EnvironmentEdit): Promise<void> {
  await sql`
    update environments set name = ${edited.name}, color = ${edited.color}, protected = ${edited.protected},
      ingest_key_required_for = ${edited.ingestKeyRequiredFor}, version = ${edited.version}, updated_at = ${edited.updatedAt}
    where id = ${edited.id}`.execute(tx)
}

/**
 * Puts all environments of a project in this order. They must be locked. Their versions stay: the place of one
 * environment follows from the edit of another, so an editor's ETag stays valid.
 */
export async function orderEnvironments(tx: Tx, envIds: readonly string[]): Promise<void> {
  await sql`
    update environments set position = place - 1
    from unnest(${[...envIds]}::uuid[]) with ordinality as wanted (env_id, place)
    where id = env_id and position <> place - 1`.execute(tx)
}

/** A part of a statement that has the last revision of each environment as `file`. */
export const savingRevisions = (envIds: readonly string[]): RawBuilder<unknown> => sql`
  update environments set revision = file.revision, etag = file.etag, bytes = file.size,
    published_at = file."publishedAt"
  from file where id = any(${[...envIds]}::uuid[]) and id = "envId" and "isLast"`

/** A part of the statement that saves heartbeats: locks the environment and returns its id, if it exists. */
export const notingHeartbeat = (envId: string, now: Date): RawBuilder<unknown> => sql`
  update environments set last_heartbeat_at = ${now} where id = ${envId} returning id, revision`

/** Its data file has the present form. */
export async function noteRenewed(tx: Tx, envId: string): Promise<void> {
  await sql`update environments set outdated = false where id = ${envId}`.execute(tx)
}

/** The environment of the project in which what is about one environment is, unless another is named. */
export async function findProduction(db: Db, projectId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from environments where project_id = ${projectId} and built_in and key = 'production'`.execute(db)
  return rows[0]?.id
}

/** Whether the environment is one of the project. */
export async function isEnvironmentOf(db: Db, projectId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false
  const { rows } = await sql`select from environments where id = ${id} and project_id = ${projectId}`.execute(db)
  return rows.length > 0
}
