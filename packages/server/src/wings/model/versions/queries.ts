import type { Condition } from '@svc/core'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import type { Reference } from './references.ts'
import { elseStatus, type FlagStatus, type FlagSummary, type StatusFacts, statusLadder } from './status.ts'
import type { Version } from './version.ts'

/** A flag in an environment: the row that its switch and its two versions live in. */
export interface FlagEnvironment {
  flagId: string
  envId: string
  enabled: boolean
  draft: Version
  live: Version
  /** False until the first run or publish took the draft live. */
  published: boolean
  lastPublishedRevision: number | null
}

/** Of a statement's `flag_environments`. */
export const flagEnvironmentColumns: RawBuilder<FlagEnvironment> = sql`flag_id as "flagId", env_id as "envId", enabled,
  draft, live, published, last_published_revision as "lastPublishedRevision"`

const statusFacts: StatusFacts<RawBuilder<unknown>> = {
  archived: sql`flags.archived_at is not null`,
  enabledSomewhere: sql`exists (select from flag_environments each where each.flag_id = flags.id and each.enabled)`,
  everEnabled: sql`flags.ever_enabled`,
  everArchived: sql`flags.ever_archived`,
}

/** The status of a statement's `flags`, as `statusOf` would say it. */
export const flagStatus: RawBuilder<FlagStatus> = sql`case ${sql.join(
  statusLadder.map(({ fact, status }) => sql`when ${statusFacts[fact]} then ${sql.lit(status)}`),
  sql` `,
)} else ${sql.lit(elseStatus)} end`

/** As the transaction has left them so far: what it says of a flag in its events. */
export async function flagSummaries(tx: Tx, flagIds: readonly string[]): Promise<FlagSummary[]> {
  const { rows } = await sql<FlagSummary>`
    select id, short_id as "shortId", key, name, ${flagStatus} as status from flags
    where id = any(${[...flagIds]}::uuid[]) order by id`.execute(tx)
  return rows
}

export async function flagSummary(tx: Tx, flagId: string): Promise<FlagSummary> {
  const [flag] = await flagSummaries(tx, [flagId])
  if (!flag) throw new Error(`flag ${flagId} is gone in the change that tells of it`)
  return flag
}

export type NewFlagEnvironment = Pick<FlagEnvironment, 'flagId' | 'envId' | 'draft' | 'live'>

/** A statement, or a part of the one that makes the flag itself. */
export const insertingFlagEnvironments = (rows: readonly NewFlagEnvironment[]): RawBuilder<unknown> => sql`
  insert into flag_environments (flag_id, env_id, draft, live)
  select "flagId", "envId", draft, live
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row ("flagId" uuid, "envId" uuid, draft jsonb, live jsonb)`

export async function insertFlagEnvironments(tx: Tx, rows: readonly NewFlagEnvironment[]): Promise<void> {
  await insertingFlagEnvironments(rows).execute(tx)
}

export async function findFlagEnvironments(db: Db, flagIds: readonly string[]): Promise<FlagEnvironment[]> {
  const { rows } = await sql<FlagEnvironment>`
    select ${flagEnvironmentColumns} from flag_environments where flag_id = any(${[...flagIds]}::uuid[])`.execute(db)
  return rows
}

export async function findFlagEnvironment(db: Db, flagId: string, envId: string): Promise<FlagEnvironment | undefined> {
  const { rows } = await sql<FlagEnvironment>`
    select ${flagEnvironmentColumns} from flag_environments where flag_id = ${flagId} and env_id = ${envId}`.execute(db)
  return rows[0]
}

/** A flag in an environment, with the environment's name for the events of the change that locks it. */
export type LockedFlagEnvironment = FlagEnvironment & { envName: string }

/** All environments of one flag, in the order in which every transaction locks them. */
export async function lockFlagEnvironments(tx: Tx, flagId: string): Promise<FlagEnvironment[]> {
  const { rows } = await sql<FlagEnvironment>`
    select ${flagEnvironmentColumns} from flag_environments where flag_id = ${flagId} order by env_id for no key update`.execute(
    tx,
  )
  return rows
}

/** The flags of an environment whose draft differs from what is live. */
export async function lockStaged(
  tx: Tx,
  envId: string,
  flagIds: readonly string[] | null,
): Promise<(FlagEnvironment & { key: string })[]> {
  const chosen = flagIds ? sql`and flag_id = any(${[...flagIds]}::uuid[])` : sql``
  const { rows } = await sql<FlagEnvironment & { key: string }>`
    select ${flagEnvironmentColumns}, flags.key from flag_environments join flags on flags.id = flag_id
    where env_id = ${envId} and draft is distinct from live ${chosen}
    order by flag_id for no key update of flag_environments`.execute(tx)
  return rows
}

/** Where the switch of a flag stands; its versions stay as they are. */
export type SwitchState = Pick<FlagEnvironment, 'flagId' | 'enabled' | 'published' | 'lastPublishedRevision'>

/** Several flags of one environment, as a part of the statement that notes it of the flags. */
export const savingSwitches = (envId: string, states: readonly SwitchState[]): RawBuilder<unknown> => sql`
  update flag_environments fe set enabled = state.enabled, published = state.published,
    last_published_revision = state."lastPublishedRevision"
  from jsonb_to_recordset(${JSON.stringify(states)}::jsonb)
    as state ("flagId" uuid, enabled boolean, published boolean, "lastPublishedRevision" integer)
  where fe.flag_id = any(${states.map(({ flagId }) => flagId)}::uuid[]) and fe.flag_id = state."flagId"
    and fe.env_id = ${envId}::uuid`

/** Apart from the switches: what follows from a version, its references, is worked out anew wherever it is written. */
export async function saveVersions(
  tx: Tx,
  envId: string,
  versions: readonly Pick<FlagEnvironment, 'flagId' | 'draft' | 'live'>[],
): Promise<void> {
  await sql`
    update flag_environments fe set draft = version.draft, live = version.live
    from jsonb_to_recordset(${JSON.stringify(versions)}::jsonb) as version ("flagId" uuid, draft jsonb, live jsonb)
    where fe.flag_id = any(${versions.map(({ flagId }) => flagId)}::uuid[]) and fe.flag_id = version."flagId"
      and fe.env_id = ${envId}::uuid`.execute(tx)
}

/** A part of a statement that has the fragments as `flag`; `same` says which row is which. */
export const savingFragments = (same: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  update flag_environments fe set fragment = flag.fragment from flag where ${same}`

/** Drafts of several flags in one environment, as a part of the statement that notes the edits of the flags. */
export const savingDrafts = (
  envId: string,
  drafts: readonly { flagId: string; draft: Version }[],
): RawBuilder<unknown> => sql`
  update flag_environments fe set draft = staged.draft
  from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb) as staged ("flagId" uuid, draft jsonb)
  where fe.flag_id = any(${drafts.map(({ flagId }) => flagId)}::uuid[]) and fe.flag_id = staged."flagId"
    and fe.env_id = ${envId}::uuid`

export async function saveDraft(tx: Tx, row: Pick<FlagEnvironment, 'flagId' | 'envId'>, draft: Version): Promise<void> {
  await sql`
    update flag_environments set draft = ${JSON.stringify(draft)}::jsonb
    where flag_id = ${row.flagId} and env_id = ${row.envId}`.execute(tx)
}

export async function takeDraftsLive(tx: Tx, envId: string, flagIds: readonly string[]): Promise<void> {
  await sql`
    update flag_environments set live = draft, published = true
    where env_id = ${envId} and flag_id = any(${[...flagIds]}::uuid[])`.execute(tx)
}

/** Notes the revision that a publish or a run led to. */
export async function markPublished(
  tx: Tx,
  envId: string,
  flagIds: readonly string[],
  revision: number,
): Promise<void> {
  await sql`
    update flag_environments set last_published_revision = ${revision}
    where env_id = ${envId} and flag_id = any(${[...flagIds]}::uuid[])`.execute(tx)
}

export async function environmentsWithStagedChanges(db: Db, envIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ envId: string }>`
    select env_id as "envId" from flag_environments
    where env_id = any(${[...envIds]}::uuid[]) and draft is distinct from live
    union
    select env_id from audience_environments join audiences on audiences.id = audience_id
    where env_id = any(${[...envIds]}::uuid[]) and live is distinct from conditions`.execute(db)
  return new Set(rows.map(({ envId }) => envId))
}

/** An audience whose definition is no longer the one that is live in an environment. */
export interface StagedAudience {
  id: string
  name: string
  live: Condition
  draft: Condition
}

export async function stagedAudiences(tx: Tx, envId: string): Promise<StagedAudience[]> {
  const { rows } = await sql<StagedAudience>`
    select audiences.id, audiences.name, live, conditions as draft
    from audience_environments join audiences on audiences.id = audience_id
    where env_id = ${envId} and live is distinct from conditions
    order by audiences.id for share of audiences`.execute(tx)
  return rows
}

export async function takeAudiencesLive(tx: Tx, envId: string, audienceIds: readonly string[]): Promise<void> {
  await sql`
    update audience_environments set live = conditions from audiences
    where env_id = ${envId} and audience_id = any(${[...audienceIds]}::uuid[]) and audiences.id = audience_id`.execute(
    tx,
  )
}

/** Which of the things that conditions name the project has: none of them can be deleted before the transaction ends. */
export async function lockReferenced(
  tx: Tx,
  projectId: string,
  references: readonly Pick<Reference, 'id' | 'kind'>[],
): Promise<Set<string>> {
  const idsOf = (wanted: Reference['kind']) =>
    references.filter(({ kind, id }) => kind === wanted && isId(id)).map(({ id }) => id)
  const known = new Set<string>()
  for (const [table, ids] of [
    ['audiences', idsOf('audience')],
    ['segments', idsOf('segment')],
  ] as const) {
    if (ids.length === 0) continue
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)} where project_id = ${projectId} and id = any(${ids}::uuid[])
      order by id for key share`.execute(tx)
    for (const { id } of rows) known.add(id)
  }
  return known
}

/** A rule's own switch and its history, beside the definition that the versions hold. */
export interface RuleRow {
  id: string
  flagId: string
  envId: string
  enabled: boolean
  firstServedAt: Date | null
  version: number
  /** The run or pause that is set for it, or was until a pause by hand suspended it. */
  schedule: { id: string; action: 'RUN' | 'PAUSE'; runAt: string; status: 'PENDING' | 'SUSPENDED' } | null
  createdAt: Date
  updatedAt: Date
}

const ruleColumns = sql`id, flag_id as "flagId", env_id as "envId", enabled, first_served_at as "firstServedAt",
  version, created_at as "createdAt", updated_at as "updatedAt",
  (select jsonb_build_object('id', open.id, 'action', open.action, 'status', open.status,
      'runAt', to_char(open.run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from schedules open where open.rule_id = rules.id and open.status in ('PENDING', 'SUSPENDED')) as schedule`

type FlagEnvironmentKey = Pick<FlagEnvironment, 'flagId' | 'envId'>

export async function findRuleRows(db: Db, { flagId, envId }: FlagEnvironmentKey): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`
    select ${ruleColumns} from rules where flag_id = ${flagId} and env_id = ${envId}`.execute(db)
  return rows
}

export async function insertRuleRows(
  tx: Tx,
  rows: readonly { id: string; flagId: string; envId: string; enabled: boolean }[],
  now: Date,
): Promise<void> {
  await sql`
    insert into rules (id, flag_id, env_id, enabled, created_at, updated_at)
    select id, "flagId", "envId", enabled, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (id uuid, "flagId" uuid, "envId" uuid, enabled boolean)`.execute(tx)
}

export async function touchRuleRow(tx: Tx, ruleId: string, now: Date): Promise<void> {
  await sql`update rules set version = version + 1, updated_at = ${now} where id = ${ruleId}`.execute(tx)
}

export async function saveRuleSwitches(
  tx: Tx,
  switches: readonly { id: string; enabled: boolean; at: Date }[],
): Promise<void> {
  await sql`
    update rules set enabled = state.enabled, updated_at = state.at
    from jsonb_to_recordset(${JSON.stringify(switches)}::jsonb) as state (id uuid, enabled boolean, at timestamptz)
    where rules.id = any(${switches.map(({ id }) => id)}::uuid[]) and rules.id = state.id`.execute(tx)
}

/** A rule's row goes when neither version holds the rule any more. */
export async function deleteRuleRows(tx: Tx, ruleIds: readonly string[]): Promise<void> {
  await sql`delete from rules where id = any(${[...ruleIds]}::uuid[])`.execute(tx)
}

/** A rule that names an audience or a segment, as drafted or as live. */
export interface RuleUse {
  type: 'rule'
  id: string
  flagId: string
  envId: string
}

/** The first rules of the project that name these audiences or segments, drafted or live: so many of each. */
export async function rulesNaming(
  db: Db,
  projectId: string,
  ids: readonly string[],
  limit: number,
): Promise<(RuleUse & { named: string })[]> {
  const { rows } = await sql<RuleUse & { named: string }>`
    select named, 'rule' as type, id, "flagId", "envId" from (
      select *, row_number() over (partition by named order by "flagId", "envId", id) as place from (
        select distinct reference as named, rule ->> 'id' as id, fe.flag_id as "flagId", fe.env_id as "envId"
        from flag_environments fe
          join environments on environments.id = fe.env_id and environments.project_id = ${projectId},
          jsonb_array_elements((fe.draft -> 'rules') || (fe.live -> 'rules')) rule,
          jsonb_array_elements_text(rule_references(jsonb_build_array(rule))) reference
        where (fe.draft_references <> '[]' or fe.live_references <> '[]')
          and reference = any(${[...ids]}::text[])
      ) rules
    ) numbered
    where place <= ${limit} order by place`.execute(db)
  return rows
}

/** The first time that a data file serves a rule. */
export async function markServed(tx: Tx, rules: readonly { ruleId: string; at: Date }[]): Promise<void> {
  await sql`
    update rules set first_served_at = served.at
    from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb) as served ("ruleId" uuid, at timestamptz)
    where rules.id = any(${rules.map(({ ruleId }) => ruleId)}::uuid[]) and rules.id = served."ruleId"
      and first_served_at is null`.execute(tx)
}

/** An audience is live where a live version names it, as it was defined when the first one did or at the last publish. */
export async function holdAudiences(tx: Tx, envId: string, named: readonly string[]): Promise<void> {
  await sql`
    with dropped as (
      delete from audience_environments where env_id = ${envId}::uuid and audience_id <> all(${[...named]}::uuid[])
    ), present as (
      select id, conditions from audiences where id = any(${[...named]}::uuid[]) order by id for share
    )
    insert into audience_environments (env_id, audience_id, live)
    select ${envId}::uuid, id, conditions from present on conflict do nothing`.execute(tx)
}
