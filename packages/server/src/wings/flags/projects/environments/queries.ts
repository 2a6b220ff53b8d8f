import { sql } from 'kysely'
import { nounQueries } from '../../../../nouns/index.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { isId } from '../../../../platform/ids.ts'
import type { IngestKeyRequirement } from '../../../model/environments/index.ts'
import { isShown } from '../../../model/flag-environments/index.ts'
import type { ProjectType } from '../project-type.ts'
import { findProject } from '../queries.ts'

export interface Environment {
  id: string
  projectId: string
  name: string
  key: string
  color: string
  builtIn: boolean
  /** Whether people confirm each switch. The dashboard asks; the API does not. */
  protected: boolean
  /** Which events count only if their request has an ingest key. */
  ingestKeyRequiredFor: IngestKeyRequirement
  /** When an event was last rejected because it had none. */
  ingestKeyMissedAt: Date | null
  /** The place in the order of the project's environments, from 0, without gaps. */
  position: number
  sdkKey: string
  version: number
  revision: number
  etag: string
  publishedAt: Date | null
  lastHeartbeatAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, project_id as "projectId", name, key, color, built_in as "builtIn", protected,
  ingest_key_required_for as "ingestKeyRequiredFor", ingest_key_missed_at as "ingestKeyMissedAt", position,
  sdk_key as "sdkKey", version, revision, etag, published_at as "publishedAt", last_heartbeat_at as "lastHeartbeatAt",
  created_at as "createdAt", updated_at as "updatedAt"`

export const environmentQueries = nounQueries<Environment>('environments', columns)

export type TypedEnvironment = Environment & { projectType: ProjectType }

/** An environment with the type of its project. */
export async function findTypedEnvironment(
  db: Db,
  orgId: string,
  projectId: string,
  envId: string,
): Promise<TypedEnvironment | undefined> {
  const project = await findProject(db, orgId, projectId)
  const environment = project && (await environmentQueries.find(db, orgId, projectId, envId))
  return environment && { ...environment, projectType: project.type }
}

/** What writes that change drafts of an environment need: in a `WEB` project, the drafts are those of experiments. */
export const experimentsToo = {
  scope: 'experiments:write',
  for: 'a project of the type WEB',
  isNeededFor: ({ projectType }: TypedEnvironment) => projectType === 'WEB',
} as const

/** Notes a deleted environment, whose events are still there. */
export async function noteDeleted(tx: Tx, { id, projectId }: Pick<Environment, 'id' | 'projectId'>, now: Date) {
  await sql`
    insert into deleted_environments (env_id, project_id, deleted_at) values (${id}, ${projectId}, ${now})`.execute(tx)
}

/** Forgets some of those that were deleted before a moment. Returns how many. */
export async function forgetDeleted(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from deleted_environments where env_id in (
      select env_id from deleted_environments where deleted_at < ${before} limit ${limit} for update skip locked
    ) returning env_id`.execute(db)
  return rows.length
}

/** All environments of a project, in their order. */
export async function environmentsInOrder(db: Db, projectId: string): Promise<Environment[]> {
  const { rows } = await sql<Environment>`
    select ${columns} from environments where project_id = ${projectId} order by position`.execute(db)
  return rows
}

export interface FlagOfProject {
  id: string
  variations: { id: string; key: string; value: string }[]
  defaultVariationId: string
}

/** The flags of which every environment has a row. A hidden flag is in the environment of its experiment alone. */
export async function flagsOfProject(tx: Tx, projectId: string): Promise<FlagOfProject[]> {
  const { rows } = await sql<FlagOfProject>`
    select id, variations, default_variation_id as "defaultVariationId" from flags
    where project_id = ${projectId} and ${isShown}`.execute(tx)
  return rows
}

/** Which of these ids belong to no flag of the project. */
export async function unknownFlags(tx: Db, projectId: string, flagIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from flags where project_id = ${projectId} and ${isShown} and id = any(${flagIds.filter(isId)}::uuid[])`.execute(
    tx,
  )
  const known = new Set(rows.map(({ id }) => id))
  return flagIds.filter((id) => !known.has(id))
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
