import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'

export interface Heartbeat {
  envId: string
  sdkType: string
  sdkVersion: string
  instanceId: string
}

const maxInstancesPerEnvironment = 1000
const forgetAfter = sql`interval '1 day'`

/** Marks the environment connected and the instance seen; a flood of made-up instances stops at the limit. */
export async function saveHeartbeat(db: Db, beat: Heartbeat, now: Date): Promise<void> {
  await sql`
    with connected as (
      update environments set last_heartbeat_at = ${now} where id = ${beat.envId}
    ), forgotten as (
      delete from sdk_instances where env_id = ${beat.envId} and last_seen_at < ${now}::timestamptz - ${forgetAfter}
    )
    insert into sdk_instances (env_id, sdk_type, sdk_version, instance_id, last_seen_at)
    select ${beat.envId}::uuid, ${beat.sdkType}::text, ${beat.sdkVersion}::text, ${beat.instanceId}::text,
      ${now}::timestamptz
    where (select count(*) from sdk_instances where env_id = ${beat.envId}) < ${maxInstancesPerEnvironment}
      or exists (select from sdk_instances where env_id = ${beat.envId} and sdk_type = ${beat.sdkType}
        and sdk_version = ${beat.sdkVersion} and instance_id = ${beat.instanceId})
    on conflict (env_id, sdk_type, sdk_version, instance_id) do update set last_seen_at = excluded.last_seen_at`.execute(
    db,
  )
}
