import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import { notingHeartbeat } from '../../model/environments/index.ts'
import { type Beat, type Instance, maxInstances, silentAfterSeconds } from './propagation.ts'

const maxEarlierRevisions = 20
const forgetAfter = sql`interval '1 day'`

// The address of a page is known to everyone. A forged revision that does not exist yet would hide the true ones.
const possibleRevision = sql`case when "sdkType" = 'web' and beat.revision > environment.revision
  then environment.revision else beat.revision end`
// Browsers with an older cached script would throw the row of their host back and forth.
const newRevision = sql`case when excluded.sdk_type = 'web' then greatest(sdk_instances.revision, excluded.revision)
  else excluded.revision end`

/** A heartbeat, with the SDK keys that the instance uses. */
export interface ToldBeat extends Beat {
  sdkKeys: readonly string[]
}

/**
 * Marks the environment as connected and stores the instances. At most `maxInstances` are kept: new ones replace those
 * that have been silent longest. If none is silent, new ones are not stored. The environment is locked first, so that
 * two nodes cannot deadlock. An instance must occur only once in `beats`.
 */
export async function saveHeartbeats(db: Db, envId: string, beats: readonly ToldBeat[], now: Date): Promise<void> {
  await sql`
    with environment as (
      ${notingHeartbeat(envId, now)}
    ), beat as (
      select told.*, known.env_id is not null as known, row_number() over (partition by known.env_id is null) as place, (
        select coalesce(jsonb_object_agg(id, ${now}::timestamptz), '{}') from sdk_keys
        where sdk_keys.env_id = ${envId} and jsonb_exists(told."sdkKeys", sdk_keys.key)) as "keyTimes"
      from jsonb_to_recordset(${JSON.stringify(beats)}::jsonb)
        as told ("sdkType" text, "sdkVersion" text, "instanceId" text, revision integer, "sdkKeys" jsonb)
      left join sdk_instances known on known.env_id = ${envId} and known.sdk_type = told."sdkType"
        and known.sdk_version = told."sdkVersion" and known.instance_id = told."instanceId"
    ), other as (
      select sdk_type, sdk_version, instance_id, last_seen_at, row_number() over (order by last_seen_at) as place
      from sdk_instances old
      where env_id = ${envId} and not exists (select from beat where old.sdk_type = beat."sdkType"
        and old.sdk_version = beat."sdkVersion" and old.instance_id = beat."instanceId")
    ), places as (
      select ${maxInstances}::integer - (select count(*) from other) - (select count(*) from beat where known) as free,
        (select count(*) from beat where not known) as wanted
    ), forgotten as (
      delete from sdk_instances old using other, places
      where old.env_id = ${envId} and old.sdk_type = other.sdk_type and old.sdk_version = other.sdk_version
        and old.instance_id = other.instance_id and (
          other.last_seen_at < ${now}::timestamptz - ${forgetAfter}
          or other.place <= wanted - free
            and other.last_seen_at < ${now}::timestamptz - ${silentAfterSeconds} * interval '1 second'
        )
      returning 1
    )
    insert into sdk_instances
      (env_id, sdk_type, sdk_version, instance_id, revision, revision_at, first_seen_at, last_seen_at, sdk_keys)
    select environment.id, "sdkType", "sdkVersion", "instanceId", ${possibleRevision},
      case when beat.revision is not null then ${now}::timestamptz end, ${now}::timestamptz, ${now}::timestamptz, "keyTimes"
    from environment, beat, places
    where known or place <= free + (select count(*) from forgotten)
    on conflict (env_id, sdk_type, sdk_version, instance_id) do update set
      last_seen_at = excluded.last_seen_at,
      sdk_keys = sdk_instances.sdk_keys || excluded.sdk_keys,
      revision = ${newRevision},
      revision_at = case when sdk_instances.revision is not distinct from ${newRevision}
        then sdk_instances.revision_at else excluded.revision_at end,
      earlier = case when sdk_instances.revision is not distinct from ${newRevision} or sdk_instances.revision is null
        then sdk_instances.earlier
        else (jsonb_build_object('revision', sdk_instances.revision, 'revisionAt', sdk_instances.revision_at)
          || sdk_instances.earlier) - ${maxEarlierRevisions}::integer end`.execute(db)
}

/** Instances no longer use a key that is revoked. The environment must be locked, as for heartbeats. */
export async function forgetKey(tx: Tx, envId: string, keyId: string): Promise<void> {
  await sql`
    update sdk_instances set sdk_keys = sdk_keys - ${keyId}::text
    where env_id = ${envId} and jsonb_exists(sdk_keys, ${keyId})`.execute(tx)
}

/** The SDKs that used a key, by the key's id. */
export interface KeyClient {
  keyId: string
  type: string
  version: string
  instances: number
  lastSeenAt: Date
}

const maxKeyClients = 100

/** The SDKs that used each key of an environment since then, those seen last first. */
export async function keyClients(db: Db, envId: string, since: Date): Promise<KeyClient[]> {
  const { rows } = await sql<KeyClient>`
    select key_id as "keyId", sdk_type as type, sdk_version as version, count(*)::integer as instances,
      max(at::timestamptz) as "lastSeenAt"
    from sdk_instances, jsonb_each_text(sdk_keys) used (key_id, at)
    where env_id = ${envId} and at::timestamptz >= ${since}
    group by key_id, sdk_type, sdk_version
    order by max(at::timestamptz) desc, key_id, sdk_type, sdk_version limit ${maxKeyClients}`.execute(db)
  return rows
}

export async function findEnvironmentId(
  db: Db,
  orgId: string,
  { projectId, envId }: { projectId: string; envId: string },
): Promise<{ envId: string } | undefined> {
  if (!isId(projectId) || !isId(envId)) return undefined
  const { rows } = await sql<{ envId: string }>`
    select env.id as "envId" from environments env join projects on projects.id = env.project_id
    where env.id = ${envId} and env.project_id = ${projectId} and projects.org_id = ${orgId}`.execute(db)
  return rows[0]
}

/** When a revision was published; null for the first file of the environment, or if the revision is not kept. */
export async function findPublishedAt(db: Db, envId: string, revision: number): Promise<Date | null> {
  const { rows } = await sql<{ publishedAt: Date | null }>`
    select published_at as "publishedAt" from revisions
    where env_id = ${envId} and revision = ${revision} and step = 0`.execute(db)
  return rows[0]?.publishedAt ?? null
}

type OneOrNoInstance = Instance | { [Field in keyof Instance]: null }

/** The environment and its instances, from one snapshot. */
export async function findInstances(
  db: Db,
  envId: string,
): Promise<{ currentRevision: number; instances: Instance[] } | undefined> {
  const { rows } = await sql<{ currentRevision: number } & OneOrNoInstance>`
    select env.revision as "currentRevision", seen.sdk_type as "sdkType", seen.sdk_version as "sdkVersion",
      seen.instance_id as "instanceId", seen.revision, seen.revision_at as "revisionAt", seen.earlier,
      seen.first_seen_at as "firstSeenAt", seen.last_seen_at as "lastSeenAt"
    from environments env left join sdk_instances seen on seen.env_id = env.id
    where env.id = ${envId}
    order by seen.last_seen_at, seen.instance_id`.execute(db)
  const [first] = rows
  return (
    first && {
      currentRevision: first.currentRevision,
      instances: rows.filter((row): row is typeof row & Instance => row.sdkType !== null),
    }
  )
}

/** The hosts whose pages loaded the script of an environment since then. */
export async function scriptHosts(db: Db, envId: string, since: Date): Promise<string[]> {
  const { rows } = await sql<{ host: string }>`
    select distinct substring(instance_id from 5) as host from sdk_instances
    where env_id = ${envId} and sdk_type = 'web' and instance_id like 'web:%' and last_seen_at >= ${since}`.execute(db)
  return rows.map(({ host }) => host)
}

export interface FlagEvaluation {
  envId: string
  flagKey: string
  at: Date
}

/** Stores evaluations to the hour, so that a flag costs at most one write per hour. Sorted, to avoid deadlocks. */
export async function saveEvaluations(db: Db, evaluations: readonly FlagEvaluation[]): Promise<void> {
  await sql`
    insert into flag_evaluations (env_id, flag_id, last_evaluated_at)
    select environments.id, flags.id, max(seen.at)
    from jsonb_to_recordset(${JSON.stringify(evaluations)}::jsonb) as seen ("envId" uuid, "flagKey" text, at timestamptz)
      join environments on environments.id = seen."envId"
      join flags on flags.project_id = environments.project_id and flags.key = seen."flagKey"
      join flag_environments fe on fe.flag_id = flags.id and fe.env_id = environments.id
    group by environments.id, flags.id order by flags.id, environments.id
    on conflict (flag_id, env_id) do update set last_evaluated_at = excluded.last_evaluated_at
    where excluded.last_evaluated_at >= flag_evaluations.last_evaluated_at + interval '1 hour'`.execute(db)
}
