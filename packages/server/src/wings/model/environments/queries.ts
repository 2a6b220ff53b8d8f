import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../platform/db/index.ts'

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

export async function insertEnvironment(tx: Tx, row: NewEnvironment, now: Date): Promise<void> {
  await sql`
    insert into environments (id, project_id, name, key, color, built_in, protected, position, sdk_key, etag, created_at,
      updated_at)
    values (${row.id}, ${row.projectId}, ${row.name}, ${row.key}, ${row.color}, ${row.builtIn}, ${row.protected},
      ${row.position}, ${row.sdkKey}, '', ${now}, ${now})`.execute(tx)
}

interface EnvironmentEdit {
  id: string
  name: string
  color: string
  protected: boolean
  version: number
  updatedAt: Date
}

/** Saves an edit without the position, which `orderEnvironments` sets. */
export async function saveEnvironment(tx: Tx, edited: EnvironmentEdit): Promise<void> {
  await sql`
    update environments set name = ${edited.name}, color = ${edited.color}, protected = ${edited.protected},
      version = ${edited.version}, updated_at = ${edited.updatedAt}
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
  update environments set last_heartbeat_at = ${now} where id = ${envId} returning id`

/** Its data file has the present form. */
export async function noteRenewed(tx: Tx, envId: string): Promise<void> {
  await sql`update environments set outdated = false where id = ${envId}`.execute(tx)
}
