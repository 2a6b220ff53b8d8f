import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import { hasNoSlot, webExperimentOf } from '../experiments/index.ts'

/** A group that a rule joins. */
export interface JoinedGroup {
  id: string
  shortId: number
  key: string
  salt: string
  slotSize: number
}

/** Locks groups of the project in the order of their ids: rules join a group one after the other. */
export async function lockGroups(tx: Tx, projectId: string, ids: readonly string[]): Promise<JoinedGroup[]> {
  const wanted = ids.filter(isId)
  if (wanted.length === 0) return []
  const { rows } = await sql<JoinedGroup>`
    select id, short_id as "shortId", key, salt, slot_size as "slotSize" from exclusion_groups
    where project_id = ${projectId} and id = any(${wanted}::uuid[]) order by id for no key update`.execute(tx)
  return rows
}

/** Which of these groups were deleted. A test that is completed, or an archived draft, can still name one. */
export async function goneGroups(db: Db, projectId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from exclusion_groups where project_id = ${projectId} and id = any(${[...ids]}::uuid[])`.execute(db)
  return new Set(ids).difference(new Set(rows.map(({ id }) => id)))
}

/** A slot of a rule, in its draft or live version. A group has separate slots in each environment. */
export interface GroupSlot {
  groupId: string
  ruleId: string
  flagId: string
  /** The web experiment in the place of the flag, which is hidden; null for other flags. */
  experimentId: string | null
  envId: string
  from: number
  to: number
}

/**
 * The slots of these groups, in one environment or in all. Visitors of different environments never meet. Slots of
 * experiments that are completed, or archived before their launch, are free.
 */
export async function slotsOf(
  db: Db,
  { projectId, envId = null, groupIds }: { projectId: string; envId?: string | null; groupIds: readonly string[] },
): Promise<GroupSlot[]> {
  const { rows } = await sql<GroupSlot>`
    select distinct rule -> 'exclusion' ->> 'groupId' as "groupId", rule ->> 'id' as "ruleId",
      fe.flag_id as "flagId", ${webExperimentOf('fe.flag_id')} as "experimentId", fe.env_id as "envId", (rule -> 'exclusion' -> 'from')::integer as "from",
      (rule -> 'exclusion' -> 'to')::integer as "to"
    from flag_environments fe
      join environments on environments.id = fe.env_id and environments.project_id = ${projectId},
      jsonb_array_elements((fe.draft -> 'rules') || (fe.live -> 'rules')) rule
    where (fe.draft_references <> '[]' or fe.live_references <> '[]')
      and (${envId}::uuid is null or fe.env_id = ${envId}::uuid)
      and rule -> 'exclusion' ->> 'groupId' = any(${[...groupIds]}::text[])
      and not exists (select from experiments where rule_id = (rule ->> 'id')::uuid and ${hasNoSlot})
    order by "envId", "from"`.execute(db)
  return rows
}

/** Which of these rules have no slot, although their definitions name one. */
export async function slotless(tx: Tx, ruleIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select rule_id as id from experiments where rule_id = any(${[...ruleIds]}::uuid[]) and ${hasNoSlot}`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
