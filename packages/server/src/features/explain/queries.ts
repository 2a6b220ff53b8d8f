import type { DataFile } from '@svc/core'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import type { Version } from '../versions/index.ts'

/** A flag in an environment, as it is served and as it is drafted. */
export interface FlagNow {
  flagId: string
  key: string
  type: 'BOOLEAN' | 'STRING'
  archived: boolean
  enabled: boolean
  fragment: string | null
  live: Version
  draft: Version
  enabledRules: string[]
  /** The environment's, as of the same moment. */
  revision: number
}

export async function flagsNow(db: Db, envId: string): Promise<FlagNow[]> {
  const { rows } = await sql<FlagNow>`
    select flags.id as "flagId", flags.key, flags.type, flags.archived_at is not null as archived, fe.enabled,
      fe.fragment, fe.live, fe.draft, env.revision,
      array(select rules.id::text from rules where rules.flag_id = fe.flag_id and rules.env_id = fe.env_id
        and rules.enabled) as "enabledRules"
    from flag_environments fe join flags on flags.id = fe.flag_id join environments env on env.id = fe.env_id
    where fe.env_id = ${envId}`.execute(db)
  return rows
}

/** What flags refer to: the sections of a data file beside them. */
export type Sections = Pick<DataFile, 'audiences'> & { segments: NonNullable<DataFile['segments']> }

const members = (parts: RawBuilder<unknown>) => sql`(select ('{' || coalesce(string_agg(part, ','), '') || '}')::jsonb
  from ${parts} parts)`

const segments = (envId: string) =>
  members(sql`(select part from data_file_parts where env_id = ${envId} and section = 'segments')`)

/** As they are served. */
export async function sectionsNow(db: Db, envId: string): Promise<Sections> {
  const { rows } = await sql<Sections>`
    select ${members(sql`(select part from data_file_parts where env_id = ${envId} and section = 'audiences')`)}
      as audiences, ${segments(envId)} as segments`.execute(db)
  return rows[0]!
}

/** Audiences as a publish would take them live. */
export async function sectionsDrafted(db: Db, envId: string): Promise<Sections> {
  const { rows } = await sql<Sections>`
    select (select coalesce(jsonb_object_agg(audiences.id, conditions), '{}') from audiences
      join environments env on env.project_id = audiences.project_id where env.id = ${envId}) as audiences,
      ${segments(envId)} as segments`.execute(db)
  return rows[0]!
}

/** Audiences as a revision had them; who was in a segment is not kept, so segments are those of today. */
export async function sectionsOfRevision(db: Db, envId: string, revision: number): Promise<Sections> {
  const state = sql`(select part from (
    select distinct on (audience_id) part from revision_audiences
    where env_id = ${envId} and revision <= ${revision} order by audience_id, revision desc) last
    where part is not null)`
  const { rows } = await sql<Sections>`
    select ${members(state)} as audiences, ${segments(envId)} as segments`.execute(db)
  return rows[0]!
}
