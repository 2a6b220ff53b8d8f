import type { DataFile, FlagType } from '@svc/core'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { webExperimentOf } from '../../model/experiments/index.ts'
import type { FlagKind, Version } from '../../model/versions/index.ts'

/** A flag in an environment, live and as drafted. */
export interface FlagNow {
  flagId: string
  key: string
  shortId: number
  type: FlagType
  kind: FlagKind
  /** The web experiment in the place of a hidden flag. */
  experimentId: string | null
  archived: boolean
  enabled: boolean
  fragment: string | null
  live: Version
  draft: Version
  enabledRules: string[]
  /** The revision of the environment in the same snapshot. */
  revision: number
}

export async function flagsNow(db: Db, envId: string): Promise<FlagNow[]> {
  const { rows } = await sql<FlagNow>`
    select flags.id as "flagId", ${webExperimentOf('flags.id')} as "experimentId", flags.key, flags.short_id as "shortId", flags.type, flags.kind, flags.archived_at is not null as archived, fe.enabled,
      fe.fragment, fe.live, fe.draft, env.revision,
      array(select rules.id::text from rules where rules.flag_id = fe.flag_id and rules.env_id = fe.env_id
        and rules.enabled) as "enabledRules"
    from flag_environments fe join flags on flags.id = fe.flag_id join environments env on env.id = fe.env_id
    where fe.env_id = ${envId}`.execute(db)
  return rows
}

type Audiences = DataFile['audiences']

/** By id, regardless of the names in the file. */
const members = (parts: RawBuilder<unknown>) => sql`(
  select coalesce(jsonb_object_agg(id, (select value from jsonb_each(('{' || part || '}')::jsonb))), '{}')
  from ${parts} parts)`

/** The live conditions. */
export async function audiencesNow(db: Db, envId: string): Promise<Audiences> {
  const parts = sql`(select id, part from data_file_parts where env_id = ${envId} and section = 'audiences')`
  const { rows } = await sql<{ audiences: Audiences }>`select ${members(parts)} as audiences`.execute(db)
  return rows[0]!.audiences
}

/** The conditions that the next publish would make live. */
export async function audiencesDrafted(db: Db, envId: string): Promise<Audiences> {
  const { rows } = await sql<{ audiences: Audiences }>`
    select coalesce(jsonb_object_agg(audiences.id, conditions), '{}') as audiences from audiences
    join environments env on env.project_id = audiences.project_id where env.id = ${envId}`.execute(db)
  return rows[0]!.audiences
}

export async function audiencesOfRevision(db: Db, envId: string, revision: number): Promise<Audiences> {
  const parts = sql`(select id, part from (
    select distinct on (id) id, part from revision_parts
    where env_id = ${envId} and section = 'audiences' and revision <= ${revision} order by id, revision desc) last
    where part is not null)`
  const { rows } = await sql<{ audiences: Audiences }>`select ${members(parts)} as audiences`.execute(db)
  return rows[0]!.audiences
}

/** The segments of the environment's project that contain the visitor now. */
export const segmentsNow = (db: Db, envId: string, visitor: string): Promise<string[]> =>
  segmentsWith(db, sql`(select project_id from environments where id = ${envId})`, visitor)

/** The segments of the project that contain the visitor now. */
export async function segmentsWith(
  db: Db,
  projectId: string | RawBuilder<unknown>,
  visitor: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from segments where project_id = ${projectId} and ${visitor} = any(members)`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * The segments that contained the visitor in this revision. The first later edit with this visitor shows whether the
 * visitor was added or removed. If there is none, the current members apply.
 */
export async function segmentsOfRevision(db: Db, envId: string, revision: number, visitor: string): Promise<string[]> {
  const hash = sql`member_hash(served.id, ${visitor})`
  const { rows } = await sql<{ id: string }>`
    select id from (
      select distinct on (id) id, kind, version from revision_parts
      where env_id = ${envId} and section = 'segments' and revision <= ${revision} order by id, revision desc) served
    where kind <> 'REMOVED' and coalesce(
      (select ${hash} = any(removed) from segment_changes change
        where segment_id = served.id and change.version > served.version
          and (${hash} = any(added) or ${hash} = any(removed))
        order by change.version limit 1),
      exists (select from segments where segments.id = served.id and ${visitor} = any(members)))`.execute(db)
  return rows.map(({ id }) => id)
}
