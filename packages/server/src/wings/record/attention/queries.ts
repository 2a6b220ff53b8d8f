import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { isServedCode } from '../../measuring/code-errors/index.ts'
import { erasureKind } from '../../measuring/erasure/index.ts'
import type { Stopped } from '../../measuring/events/index.ts'
import { experimentStatus } from '../../model/experiments/index.ts'
import { silentAfterSeconds } from '../../serving/heartbeat/index.ts'
import { failuresUntilDisabled } from '../../telling/destinations/index.ts'
import { isSeen, type Place, place } from '../names/index.ts'
import type { Moments, ProblemKind } from './problem.ts'

export interface Problem {
  kind: ProblemKind
  since: Date
  object: {
    kind:
      | 'webhook'
      | 'destination'
      | 'flag'
      | 'rule'
      | 'experiment'
      | 'environment'
      | 'job'
      | 'source'
      | 'service_token'
      | 'personal_token'
      | 'member'
    id: string
    name: string
  }
  project: Place | null
  environment: Omit<Place, 'shortId'> | null
  flag: Place | null
  details: Record<string, string | number>
}

interface Reader {
  orgId: string
  userId: string
  /** Null means all. */
  projects: readonly string[] | null
  isAdministrator: boolean
}

/** The open problems that the person can see, the latest first. */
export async function listProblems(
  db: Db,
  reader: Reader,
  moments: Moments,
  stopped: readonly Stopped[],
  limit: number,
): Promise<Problem[]> {
  const { orgId, userId, projects, isAdministrator } = reader
  const sources = [
    failing('webhooks', 'webhook', orgId),
    failing('integrations', 'destination', orgId),
    schedules(orgId, moments),
    alarms(orgId, moments),
    clients(orgId, moments),
    failingResults(orgId),
    failingCode(orgId),
    eventsStopped(orgId, stopped),
    failedJobs(orgId, isAdministrator),
    missedSchedules(orgId),
    expiringTokens(sql`kind = 'PERSONAL' and user_id = ${userId}`, moments),
    ...(isAdministrator
      ? [expiringTokens(sql`org_id = ${orgId}`, moments), initialToken(orgId, moments), withoutSecondFactor(orgId)]
      : []),
  ]
  const { rows } = await sql<Problem>`
    select problem.kind, problem.since,
      json_build_object('kind', object_kind, 'id', object_id, 'name', coalesce(object_name, flags.name)) as object,
      ${place('projects')} as project,
      case when env.id is not null then json_build_object('id', env.id, 'key', env.key, 'name', env.name) end
        as environment,
      ${place('flags')} as flag, jsonb_strip_nulls(details) as details
    from (${sql.join(sources, sql` union all `)})
        problem (kind, since, object_kind, object_id, object_name, project_id, env_id, flag_id, details)
      left join projects on projects.id = problem.project_id and projects.org_id = ${orgId}
      left join environments env on env.id = problem.env_id
      left join flags on flags.id = problem.flag_id
    where problem.project_id is null or (projects.id is not null and ${isSeen(sql`projects.id`, projects)})
    order by problem.since desc, problem.kind, object_id limit ${limit}`.execute(db)
  return rows
}

/** As JSON prints times. */
const isoTime = (column: string): RawBuilder<unknown> =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const none = sql`null::uuid`

/** A webhook or destination fails since the first of the failed deliveries in a row. */
const failing = (view: 'webhooks' | 'integrations', noun: 'webhook' | 'destination', orgId: string) => sql`
  select ${sql.lit(noun.toUpperCase())} || case when enabled then '_FAILING' else '_DISABLED' end,
    coalesce(disabled_at, failed.since, updated_at), ${sql.lit(noun)}, sender.id, name, project_id, ${none}, ${none},
    jsonb_build_object('reason', disable_reason, 'failures', consecutive_failures,
      'failuresUntilDisabled', ${failuresUntilDisabled}::integer)
  from ${sql.table(view)} sender left join lateral (
    select min(last_attempt_at) as since from (
      select last_attempt_at from deliveries
      where destination_id = sender.id and not is_test and status in ('FAILED', 'PERMANENTLY_FAILED')
      order by id desc limit consecutive_failures
    ) failed
  ) failed on enabled
  where org_id = ${orgId} and (enabled and consecutive_failures > 0 or not enabled and disable_reason is not null)`

/**
 * A failed schedule is no longer a problem if a later one replaced it. The schedule of a rule that an experiment owns
 * is the schedule of the experiment.
 */
const schedules = (orgId: string, { forgotten }: Moments) => sql`
  select 'SCHEDULE_' || schedules.status, schedules.updated_at,
    case when experiments.id is not null then 'experiment' when schedules.rule_id is null then 'flag' else 'rule' end,
    coalesce(experiments.id, schedules.rule_id, schedules.flag_id), coalesce(experiments.name, ${ruleName('schedules')}), flags.project_id, schedules.env_id, schedules.flag_id,
    jsonb_build_object('reason', failure_reason, 'action', action, 'runAt', ${isoTime('run_at')})
  from schedules join flags on flags.id = schedules.flag_id join projects on projects.id = flags.project_id
    left join experiments on experiments.rule_id = schedules.rule_id
  where projects.org_id = ${orgId} and (schedules.status = 'SUSPENDED' or schedules.status = 'FAILED' and schedules.updated_at > ${forgotten}
    and not exists (
      select from schedules later where later.flag_id = schedules.flag_id and later.env_id = schedules.env_id
        and later.rule_id is not distinct from schedules.rule_id and later.id > schedules.id
    ))`

/** The name of a rule, which is in its definition. */
const ruleName = (rule: string) => sql`(
  select rule ->> 'name'
  from flag_environments fe, jsonb_array_elements((fe.draft -> 'rules') || (fe.live -> 'rules')) rule
  where fe.flag_id = ${sql.ref(`${rule}.flag_id`)} and fe.env_id = ${sql.ref(`${rule}.env_id`)}
    and rule ->> 'id' = ${sql.ref(`${rule}.rule_id`)}::text
  limit 1)`

/**
 * Reported failures of tests that still exist: guardrail metrics that got worse, and everything else that makes results
 * wrong. They end after a while if the test does not run, and at once if it is completed.
 */
const alarms = (orgId: string, { forgotten }: Moments) => sql`
  select case when told.is_guardrail then 'GUARDRAIL_BREACHED' else 'TEST_UNHEALTHY' end, told.since,
    case when experiments.id is not null then 'experiment' else 'rule' end,
    coalesce(experiments.id, measured.rule_id), coalesce(experiments.name, ${ruleName('measured')}),
    measured.project_id, measured.env_id, measured.flag_id, '{}'::jsonb
  from watched_rules watched join measured_rules measured using (rule_id)
    join projects on projects.id = measured.project_id join rules on rules.id = measured.rule_id
    left join experiments on experiments.rule_id = measured.rule_id
    cross join lateral (
      select starts_with(key, 'GUARDRAIL_METRIC ') as is_guardrail, min(value::timestamptz) as since
      from jsonb_each_text(watched.told_at) where key <> 'TRAFFIC_CAP' group by 1
    ) told
  where projects.org_id = ${orgId} and experiments.completed_at is null and experiments.archived_at is null
    and (rules.enabled or told.since > ${forgotten})`

/**
 * Clients are behind if they send heartbeats and serve an older revision than one that was published a while ago.
 * Single silent clients have been stopped, as at each deployment; all of them silent is a problem.
 */
const clients = (orgId: string, { now, forgotten, behind }: Moments) => sql`
  select case when heard > 0 then 'CLIENTS_BEHIND' else 'CLIENTS_SILENT' end,
    case when heard > 0 then env.published_at else seen.last_seen_at end,
    'environment', env.id, env.name, env.project_id, env.id, ${none},
    jsonb_build_object('clients', case when heard > 0 then late else known end, 'of', known)
  from environments env join projects on projects.id = env.project_id cross join lateral (
    select count(*) as known, max(last_seen_at) as last_seen_at, count(*) filter (where is_heard) as heard,
      count(*) filter (where is_heard and revision < env.revision) as late
    from (
      select last_seen_at, case when instance_id <> '' then revision end as revision,
        last_seen_at >= ${now}::timestamptz - ${silentAfterSeconds} * interval '1 second' as is_heard
      from sdk_instances where env_id = env.id
    ) instance
  ) seen
  where projects.org_id = ${orgId} and known > 0 and (
    late > 0 and env.published_at < ${behind} or heard = 0 and seen.last_seen_at > ${forgotten})`

/** Results that cannot be computed, or not all of them. */
const failingResults = (orgId: string) => sql`
  select 'RESULTS_FAILING', failing_since, case when experiments.id is not null then 'experiment' else 'rule' end,
    coalesce(experiments.id, measured.rule_id), coalesce(experiments.name, (
      select rule ->> 'name' from flag_environments fe, jsonb_array_elements((fe.draft -> 'rules') || (fe.live -> 'rules')) rule
      where fe.flag_id = measured.flag_id and fe.env_id = measured.env_id and rule ->> 'id' = measured.rule_id::text
      limit 1
    )), measured.project_id, measured.env_id, measured.flag_id, jsonb_build_object('reason', measured.failure)
  from measured_rules measured join projects on projects.id = measured.project_id
    left join experiments on experiments.rule_id = measured.rule_id
  where projects.org_id = ${orgId} and measured.failure is not null`

/**
 * Errors of the code of a web experiment that were reported. They end once visitors get other code, or the experiment no
 * longer runs.
 */
const failingCode = (orgId: string) => sql`
  select 'CODE_FAILING', min(error.reported_at), 'experiment', experiments.id, experiments.name,
    experiments.project_id, experiments.env_id, ${none},
    jsonb_build_object('reason', (array_agg(error.message order by error.visitors desc, error.id))[1],
      'variation', (array_agg(error.variation_key order by error.visitors desc, error.id))[1])
  from code_errors error join experiments on experiments.id = error.experiment_id
    join projects on projects.id = experiments.project_id
  where projects.org_id = ${orgId} and error.reported_at is not null and ${experimentStatus} = 'RUNNING' and ${isServedCode}
  group by experiments.id`

/** This node takes no events of the environment, because of a quota of the day or of the disk. */
const eventsStopped = (orgId: string, stopped: readonly Stopped[]) => sql`
  select 'EVENTS_STOPPED', of.since, 'environment', env.id, env.name, env.project_id, env.id, ${none},
    jsonb_build_object('reason', of.reason)
  from json_to_recordset(${JSON.stringify(stopped)}::json) of ("envId" uuid, reason text, since timestamptz)
    join environments env on env.id = of."envId" join projects on projects.id = env.project_id
  where projects.org_id = ${orgId}`

/**
 * A job that failed or makes no progress. A job of a source is no longer a problem after a later success. Jobs that
 * wait for each other each do something different, so a person must try a failed one again.
 */
const failedJobs = (orgId: string, isAdministrator: boolean) => sql`
  select 'JOB_FAILED', coalesce(incident_at, ended_at), 'job', jobs.id, source_name, project_id, ${none}, ${none},
    jsonb_build_object('reason', coalesce(incident, reason), 'job', kind)
  from jobs join projects on projects.id = jobs.project_id
  where projects.org_id = ${orgId} and (${isAdministrator} or kind <> ${erasureKind})
    and (incident is not null and ended_at is null or status in ('FAILED', 'HELD'))
    and not exists (select from jobs later where later.retries_job_id = jobs.id)
    and (queues or not exists (
      select from jobs later where later.source_id = jobs.source_id and later.kind = jobs.kind
        and later.status = 'SUCCEEDED' and later.id > jobs.id))`

/** Until the next success. Schedules are seen by everybody who sees the project: erasures have none. */
const missedSchedules = (orgId: string) => sql`
  select 'JOB_FAILED', incident_at, 'source', source_id, source_name, project_id, ${none}, ${none},
    jsonb_build_object('reason', incident, 'job', kind)
  from job_schedules join projects on projects.id = job_schedules.project_id
  where projects.org_id = ${orgId} and incident is not null`

const expiringTokens = (whose: RawBuilder<unknown>, { now, expiring, expiringForMs }: Moments) => sql`
  select 'TOKEN_EXPIRING', expires_at - ${expiringForMs}::float8 * interval '1 millisecond',
    lower(kind) || '_token', id, name, ${none}, ${none}, ${none}, jsonb_build_object('expiresAt', ${isoTime('expires_at')})
  from tokens
  where ${whose} and revoked_at is null and replaced_by is null and expires_at > ${now} and expires_at <= ${expiring}`

/** The token of the first start, which is in a file and has all scopes. */
const initialToken = (orgId: string, { now }: Moments) => sql`
  select 'INITIAL_TOKEN', created_at, 'service_token', id, name, ${none}, ${none}, ${none}, '{}'::jsonb
  from tokens
  where org_id = ${orgId} and initial and revoked_at is null
    and replaced_by is null and (expires_at is null or expires_at > ${now})`

/** Owners and administrators with a password: providers ask for a second factor themselves. */
const withoutSecondFactor = (orgId: string) => sql`
  select 'NO_SECOND_FACTOR', memberships.created_at, 'member', users.id, users.name, ${none}, ${none}, ${none}, '{}'::jsonb
  from memberships join roles on roles.id = role_id join users on users.id = user_id
  where memberships.org_id = ${orgId} and roles.built_in and roles.name in ('OWNER', 'ADMIN')
    and totp_confirmed_at is null and password_hash is not null`
