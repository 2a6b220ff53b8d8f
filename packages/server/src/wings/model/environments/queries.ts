import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../platform/db/index.ts'

interface NewEnvironment {
  id: string
  projectId: string
  name: string
  key: string
  color: string
  builtIn: boolean
  sdkKey: string
}

export async function insertEnvironment(tx: Tx, row: NewEnvironment, now: Date): Promise<void> {
  await sql`
    insert into environments (id, project_id, name, key, color, built_in, sdk_key, etag, created_at, updated_at)
    values (${row.id}, ${row.projectId}, ${row.name}, ${row.key}, ${row.color}, ${row.builtIn}, ${row.sdkKey}, '',
      ${now}, ${now})`.execute(tx)
}

interface EnvironmentEdit {
  id: string
  name: string
  color: string
  version: number
  updatedAt: Date
}

export async function saveEnvironment(tx: Tx, { id, name, color, version, updatedAt }: EnvironmentEdit): Promise<void> {
  await sql`
    update environments set name = ${name}, color = ${color}, version = ${version}, updated_at = ${updatedAt}
    where id = ${id}`.execute(tx)
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
