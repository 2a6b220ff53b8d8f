import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { isId } from '../../../../platform/ids.ts'

export interface Environment {
  id: string
  projectId: string
  name: string
  key: string
  color: string
  builtIn: boolean
  sdkKey: string
  version: number
  revision: number
  etag: string
  publishedAt: Date | null
  lastHeartbeatAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const columns = sql`env.id, env.project_id as "projectId", env.name, env.key, env.color, env.built_in as "builtIn",
  env.sdk_key as "sdkKey", env.version, env.revision, env.etag, env.published_at as "publishedAt",
  env.last_heartbeat_at as "lastHeartbeatAt", env.created_at as "createdAt", env.updated_at as "updatedAt"`

export async function findEnvironment(
  db: Db,
  orgId: string,
  projectId: string,
  envId: string,
): Promise<Environment | undefined> {
  if (!isId(projectId) || !isId(envId)) return undefined
  const { rows } = await sql<Environment>`
    select ${columns} from environments env join projects on projects.id = env.project_id
    where env.id = ${envId} and env.project_id = ${projectId} and projects.org_id = ${orgId}`.execute(db)
  return rows[0]
}

export async function lockEnvironmentRow(tx: Tx, envId: string): Promise<Environment | undefined> {
  const { rows } =
    await sql<Environment>`select ${columns} from environments env where id = ${envId} for no key update`.execute(tx)
  return rows[0]
}

export async function listEnvironments(
  db: Db,
  projectId: string,
  after: string | null,
  limit: number,
): Promise<Environment[]> {
  const { rows } = await sql<Environment>`
    select ${columns} from environments env
    where env.project_id = ${projectId} and (${after}::uuid is null or env.id < ${after}::uuid)
    order by env.id desc limit ${limit}`.execute(db)
  return rows
}

export async function environmentNames(tx: Tx, projectId: string): Promise<{ name: string; key: string }[]> {
  const { rows } = await sql<{ name: string; key: string }>`
    select name, key from environments where project_id = ${projectId}`.execute(tx)
  return rows
}

type NewEnvironment = Pick<Environment, 'id' | 'projectId' | 'name' | 'key' | 'color' | 'builtIn' | 'sdkKey'>

export async function insertEnvironment(tx: Tx, row: NewEnvironment, now: Date): Promise<void> {
  await sql`
    insert into environments (id, project_id, name, key, color, built_in, sdk_key, etag, created_at, updated_at)
    values (${row.id}, ${row.projectId}, ${row.name}, ${row.key}, ${row.color}, ${row.builtIn}, ${row.sdkKey}, '',
      ${now}, ${now})`.execute(tx)
}

export async function updateEnvironmentRow(
  tx: Tx,
  envId: string,
  { name, color }: { name: string; color: string },
  now: Date,
): Promise<void> {
  await sql`
    update environments set name = ${name}, color = ${color}, version = version + 1, updated_at = ${now}
    where id = ${envId}`.execute(tx)
}

export async function deleteEnvironmentRow(tx: Tx, envId: string): Promise<void> {
  await sql`delete from environments where id = ${envId}`.execute(tx)
}

export interface FlagOfProject {
  id: string
  variations: { id: string; key: string; value: string }[]
  defaultVariationId: string
}

export async function flagsOfProject(tx: Tx, projectId: string): Promise<FlagOfProject[]> {
  const { rows } = await sql<FlagOfProject>`
    select id, variations, default_variation_id as "defaultVariationId" from flags
    where project_id = ${projectId}`.execute(tx)
  return rows
}

/** Which of these ids name no flag of the project. */
export async function unknownFlags(tx: Tx, projectId: string, flagIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from flags where project_id = ${projectId} and id = any(${flagIds.filter(isId)}::uuid[])`.execute(tx)
  const known = new Set(rows.map(({ id }) => id))
  return flagIds.filter((id) => !known.has(id.toLowerCase()))
}

export interface SdkSeen {
  envId: string
  type: string
  version: string
  lastSeenAt: Date
  instances: number
}

export async function sdksSeen(db: Db, envIds: readonly string[], since: Date): Promise<SdkSeen[]> {
  const { rows } = await sql<SdkSeen>`
    select env_id as "envId", sdk_type as type, sdk_version as version, max(last_seen_at) as "lastSeenAt",
      count(*)::integer as instances
    from sdk_instances
    where env_id = any(${[...envIds]}::uuid[]) and last_seen_at >= ${since}
    group by env_id, sdk_type, sdk_version
    order by env_id, sdk_type, sdk_version`.execute(db)
  return rows
}
