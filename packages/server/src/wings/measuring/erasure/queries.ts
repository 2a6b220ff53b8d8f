import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { hiddenOf, isShown } from '../../model/flag-environments/index.ts'
import type { MeasuredPlace } from '../counting/index.ts'

/** Those of a project, and deleted ones: their events stay until their retention ends. */
export async function environmentsOf(db: Db, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from environments where project_id = ${projectId}
    union select env_id from deleted_environments where project_id = ${projectId}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Where rules are. Deleted rules without results are not among them. */
export async function placesOf(db: Db, projectId: string, ruleIds: readonly string[]): Promise<MeasuredPlace[]> {
  const { rows } = await sql<MeasuredPlace>`
    select rule_id as "ruleId", project_id as "projectId", flag_id as "flagId", env_id as "envId" from (
      select rule_id, project_id, flag_id, env_id from measured_rules
      union
      select rules.id, environments.project_id, rules.flag_id, rules.env_id
      from rules join environments on environments.id = rules.env_id where rules.first_served_at is not null
    ) known where project_id = ${projectId} and rule_id = any(${[...ruleIds]}::uuid[]) order by rule_id`.execute(db)
  return rows
}

/** What people have configured for these units: segments and allowlists that name one of them. */
export interface NamedBy {
  segments: { id: string; name: string }[]
  /** Of a flag, or of a web experiment. */
  allowlists: {
    flagId: string | null
    flagKey: string | null
    experiment: { id: string; shortId: number; name: string } | null
    envId: string
    envName: string
  }[]
}

export async function namingUnits(db: Db, projectId: string, units: readonly string[]): Promise<NamedBy> {
  const named = [...units]
  const { rows: segments } = await sql<NamedBy['segments'][number]>`
    select id, name from segments where project_id = ${projectId} and members && ${named}::text[] order by name`.execute(
    db,
  )
  const { rows: allowlists } = await sql<NamedBy['allowlists'][number]>`
    select case when ${isShown} then flags.id end as "flagId", case when ${isShown} then flags.key end as "flagKey",
      ${hiddenOf} as experiment, env.id as "envId", env.name as "envName"
    from flag_environments fe join flags on flags.id = fe.flag_id join environments env on env.id = fe.env_id
    where flags.project_id = ${projectId} and exists (
      select from (values (fe.draft), (fe.live)) version (version)
        cross join lateral jsonb_path_query(version.version -> 'overrides', '$.**.userIds[*]') listed
      where listed #>> '{}' = any(${named}::text[]))
    order by flags.key, env.name`.execute(db)
  return {
    segments,
    allowlists: allowlists.map(({ experiment, ...each }) => ({
      ...each,
      experiment: experiment && { id: experiment.id, shortId: experiment.shortId, name: experiment.name },
    })),
  }
}
