import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/index.ts'
import { type Owner, ownersIn } from '../../model/experiments/index.ts'
import { shortIdsOf } from '../../serving/datafile/index.ts'
import { hasOpenSchedule } from './schedules/queries.ts'

/** What a switch of a flag depends on besides the locked rows. */
export interface SwitchFacts {
  flagId: string
  /** The fragment of the flag in the data file. */
  fragment: string | null
  /** Ids of the audiences and segments that the fragment names. */
  served: string[]
  /** Short ids of the audiences and segments that the flag's versions name, by id. */
  shortIds: Record<string, number>
  /** The experiments that own its rules and are neither completed nor archived. */
  owners: Owner[]
  /** Whether the flag runs in a different environment. */
  enabledElsewhere: boolean
  rules: { id: string; enabled: boolean; version: number; experimentId: string | null }[]
  /** Whether its switch or the switch of one of its rules has an open schedule. */
  scheduled: boolean
}

/** Must be a separate statement after the locks: one that waited for a lock sees old versions of other rows. */
export async function findSwitchFacts(tx: Tx, flagIds: readonly string[], envId: string): Promise<SwitchFacts[]> {
  const { rows } = await sql<SwitchFacts>`
    select fe.flag_id as "flagId", fe.fragment, fe.served_references as served, ${shortIdsOf('fe')} as "shortIds",
      ${ownersIn('fe')} as owners,
      exists (select from flag_environments other
        where other.flag_id = fe.flag_id and other.env_id <> fe.env_id and other.enabled) as "enabledElsewhere",
      coalesce((select json_agg(json_build_object('id', rules.id, 'enabled', rules.enabled, 'version', rules.version,
          'experimentId', experiments.id))
        from rules left join experiments on experiments.rule_id = rules.id
        where rules.flag_id = fe.flag_id and rules.env_id = fe.env_id), '[]') as rules,
      ${hasOpenSchedule} as scheduled
    from flag_environments fe
    where fe.flag_id = any(${[...flagIds]}::uuid[]) and fe.env_id = ${envId}`.execute(tx)
  return rows
}
