import type { FlagType } from '@svc/core'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { flagStatus } from '../../model/flag-environments/index.ts'
import type { FlagStatus, Version } from '../../model/versions/index.ts'

export interface IndexedFlag {
  id: string
  shortId: number
  key: string
  name: string
  type: FlagType
  status: FlagStatus
  tags: string[]
  permanent: boolean
  updatedAt: Date
  archivedAt: Date | null
  /** For each environment, by id: whether the flag runs, and the last evaluation in epoch milliseconds. */
  environments: [envId: string, enabled: boolean, lastEvaluatedAt: number | null][]
}

/** Every flag of a project, newest first. */
export async function indexedFlags(db: Db, projectId: string): Promise<IndexedFlag[]> {
  const { rows } = await sql<IndexedFlag>`
    select flags.id, short_id as "shortId", key, name, type, ${flagStatus} as status, tags, permanent,
      updated_at as "updatedAt", archived_at as "archivedAt",
      (select json_agg(json_build_array(fe.env_id, fe.enabled, extract(epoch from last_evaluated_at) * 1000))
        from flag_environments fe left join flag_evaluations seen using (flag_id, env_id)
        where fe.flag_id = flags.id) as environments
    from flags where project_id = ${projectId} order by flags.id desc`.execute(db)
  return rows
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
    where project_id = ${projectId} and draft is distinct from live`.execute(db)
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
    where project_id = ${projectId} and schedules.status = 'PENDING' and rule_id is null`.execute(db)
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
  shortId: number
  name: string
}

/** Audiences or segments, by name. */
export async function indexedNames(db: Db, table: 'audiences' | 'segments', projectId: string): Promise<Indexed[]> {
  const { rows } = await sql<Indexed>`
    select id, short_id as "shortId", name from ${sql.table(table)}
    where project_id = ${projectId} order by name, id`.execute(db)
  return rows
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
