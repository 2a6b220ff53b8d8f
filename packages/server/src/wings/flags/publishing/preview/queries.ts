import type { Condition, FlagType } from '@svc/core'
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/index.ts'
import { webExperimentOf } from '../../../model/experiments/index.ts'
import { isStageable } from '../../../model/flag-environments/index.ts'
import type { FlagKind, Version } from '../../../model/versions/index.ts'

/** A flag that a publish can change for visitors: its draft differs, or it serves an edited audience. */
export interface PreviewedFlag {
  flagId: string
  experimentId: string | null
  key: string
  shortId: number
  type: FlagType
  kind: FlagKind
  enabled: boolean
  live: Version
  draft: Version
  enabledRules: string[]
}

export async function previewedFlags(
  db: Db,
  envId: string,
  { flagIds, audienceIds }: { flagIds: readonly string[] | null; audienceIds: readonly string[] },
): Promise<PreviewedFlag[]> {
  const chosen = flagIds && [...flagIds]
  const { rows } = await sql<PreviewedFlag>`
    select flags.id as "flagId", ${webExperimentOf('flags.id')} as "experimentId", flags.key, flags.short_id as "shortId", flags.type, flags.kind, fe.enabled,
      fe.live, fe.draft,
      array(select rules.id::text from rules where rules.flag_id = fe.flag_id and rules.env_id = fe.env_id
        and rules.enabled) as "enabledRules"
    from flag_environments fe join flags on flags.id = fe.flag_id
    where fe.env_id = ${envId} and flags.archived_at is null and (
      fe.draft is distinct from fe.live and ${isStageable} and (${chosen}::uuid[] is null or fe.flag_id = any(${chosen}::uuid[]))
      or exists (select from jsonb_array_elements_text(fe.served_references) reference
        where reference = any(${[...audienceIds]}::text[])))
    order by flags.key`.execute(db)
  return rows
}

export interface PreviewedAudience {
  id: string
  draft: Condition
  /** Null while no live version of the environment names it. */
  live: Condition | null
}

/** The audiences of the environment's project. */
export async function previewedAudiences(db: Db, envId: string): Promise<PreviewedAudience[]> {
  const { rows } = await sql<PreviewedAudience>`
    select audiences.id, conditions as draft, held.live
    from environments env join audiences on audiences.project_id = env.project_id
    left join audience_environments held on held.audience_id = audiences.id and held.env_id = env.id
    where env.id = ${envId}`.execute(db)
  return rows
}

/** Which of these visitors are members of these segments. */
export async function membersAmong(
  db: Db,
  segmentIds: readonly string[],
  visitors: readonly string[],
): Promise<{ id: string; members: string[] }[]> {
  const { rows } = await sql<{ id: string; members: string[] }>`
    select id, array(select unnest(members) intersect select unnest(${[...visitors]}::text[])) as members
    from segments where id = any(${[...segmentIds]}::uuid[])`.execute(db)
  return rows
}
