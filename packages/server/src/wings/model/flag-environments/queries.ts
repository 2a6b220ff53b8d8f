import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { type HiddenOf, isLaunched } from '../experiments/index.ts'
import {
  elseStatus,
  type FlagEnvironment,
  type FlagStatus,
  type FlagSummary,
  type StatusFacts,
  statusLadder,
} from '../versions/index.ts'

/** The columns of a {@link FlagEnvironment}, for statements that read `flag_environments`. */
export const flagEnvironmentColumns: RawBuilder<FlagEnvironment> = sql`flag_id as "flagId", env_id as "envId", enabled,
  draft, live, published, last_published_revision as "lastPublishedRevision", staged_by as "stagedBy"`

const statusFacts: StatusFacts<RawBuilder<unknown>> = {
  archived: sql`flags.archived_at is not null`,
  enabledSomewhere: sql`exists (select from flag_environments each where each.flag_id = flags.id and each.enabled)`,
  everEnabled: sql`flags.ever_enabled`,
  everArchived: sql`flags.ever_archived`,
}

/** `statusOf` in SQL, for statements that read `flags`. */
export const flagStatus: RawBuilder<FlagStatus> = sql`case ${sql.join(
  statusLadder.map(({ fact, status }) => sql`when ${statusFacts[fact]} then ${sql.lit(status)}`),
  sql` `,
)} else ${sql.lit(elseStatus)} end`

/**
 * Whether people see a flag, for statements that read `flags`. Only this decides it: whatever lists flags or finds them
 * by name leaves out the others, and shows the experiment in their place.
 */
export const isShown: RawBuilder<boolean> = sql`flags.kind = 'FLAG'`

/** The flags as the transaction has left them so far, for its events. */
export async function flagSummaries(tx: Tx, flagIds: readonly string[]): Promise<FlagSummary[]> {
  const { rows } = await sql<FlagSummary>`
    select id, short_id as "shortId", key, name, ${flagStatus} as status from flags
    where id = any(${[...flagIds]}::uuid[]) order by id`.execute(tx)
  return rows
}

export async function flagSummary(tx: Tx, flagId: string): Promise<FlagSummary> {
  const [flag] = await flagSummaries(tx, [flagId])
  if (!flag) throw new Error(`flag ${flagId} does not exist in the transaction that records it`)
  return flag
}

export type NewFlagEnvironment = Pick<FlagEnvironment, 'flagId' | 'envId' | 'draft' | 'live' | 'stagedBy'>

/** A statement by itself, or a part of the statement that creates the flag. */
export const insertingFlagEnvironments = (rows: readonly NewFlagEnvironment[]): RawBuilder<unknown> => sql`
  insert into flag_environments (flag_id, env_id, draft, live, staged_by)
  select "flagId", "envId", draft, live, "stagedBy"
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as row ("flagId" uuid, "envId" uuid, draft jsonb, live jsonb, "stagedBy" jsonb)`

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

/** A locked flag in an environment, with the name of the environment for events. */
export type LockedFlagEnvironment = FlagEnvironment & { envName: string }

/** Locks all environments of a flag, in the order that every transaction uses. */
export async function lockFlagEnvironments(tx: Tx, flagId: string): Promise<FlagEnvironment[]> {
  const { rows } = await sql<FlagEnvironment>`
    select ${flagEnvironmentColumns} from flag_environments where flag_id = ${flagId} order by env_id for no key update`.execute(
    tx,
  )
  return rows
}

export type StagedFlagEnvironment = FlagEnvironment & {
  key: string
  name: string
  /** Null for a flag that people see. */
  experiment: HiddenOf | null
}

/**
 * Whether edits of a flag can be staged, for statements that read `flags`. Before its launch and after its end, a web
 * experiment has nothing that a publish would change.
 */
export const isStageable: RawBuilder<boolean> = sql`(${isShown} or exists (
  select from experiments where experiments.flag_id = flags.id and experiments.completed_at is null
    and experiments.archived_at is null and ${isLaunched}))`

/** The experiment in the place of a hidden flag as JSON, null for other flags, for statements that read `flags`. */
export const hiddenOf: RawBuilder<HiddenOf | null> = sql`case when not ${isShown} then (
  select json_build_object('id', experiments.id, 'shortId', experiments.short_id, 'name', experiments.name,
    'ruleId', experiments.rule_id) from experiments where experiments.flag_id = flags.id) end`

/** The flags of an environment whose draft differs from the live version: all of them, or the chosen ones. */
export async function findStaged(
  db: Db,
  envId: string,
  flagIds: readonly string[] | null,
): Promise<StagedFlagEnvironment[]> {
  const { rows } = await sql<StagedFlagEnvironment>`${stagedIn(envId, flagIds)}`.execute(db)
  return rows
}

export async function lockStaged(
  tx: Tx,
  envId: string,
  flagIds: readonly string[] | null,
): Promise<StagedFlagEnvironment[]> {
  const { rows } = await sql<StagedFlagEnvironment>`
    ${stagedIn(envId, flagIds)} for no key update of flag_environments`.execute(tx)
  return rows
}

const stagedIn = (envId: string, flagIds: readonly string[] | null) => sql`
  select ${flagEnvironmentColumns}, flags.key, flags.name, ${hiddenOf} as experiment
  from flag_environments join flags on flags.id = flag_id
  where env_id = ${envId} and draft is distinct from live and ${isStageable}
    ${flagIds ? sql`and flag_id = any(${[...flagIds]}::uuid[])` : sql``}
  order by flag_id`

/** Writes the switch of a flag. Its versions stay as they are. */
export type SwitchState = Pick<FlagEnvironment, 'flagId' | 'enabled' | 'published' | 'lastPublishedRevision'>

/** Writes the switches of several flags of an environment, as a part of a larger statement. */
export const savingSwitches = (envId: string, states: readonly SwitchState[]): RawBuilder<unknown> => sql`
  update flag_environments fe set enabled = state.enabled, published = state.published,
    last_published_revision = state."lastPublishedRevision"
  from jsonb_to_recordset(${JSON.stringify(states)}::jsonb)
    as state ("flagId" uuid, enabled boolean, published boolean, "lastPublishedRevision" integer)
  where fe.flag_id = any(${states.map(({ flagId }) => flagId)}::uuid[]) and fe.flag_id = state."flagId"
    and fe.env_id = ${envId}::uuid`

/** Writes versions. Separate from the switches, because each write of a version also derives its references again. */
export async function saveVersions(
  tx: Tx,
  envId: string,
  versions: readonly Pick<FlagEnvironment, 'flagId' | 'draft' | 'live' | 'stagedBy'>[],
): Promise<void> {
  await sql`
    update flag_environments fe set draft = version.draft, live = version.live, staged_by = version."stagedBy"
    from jsonb_to_recordset(${JSON.stringify(versions)}::jsonb)
      as version ("flagId" uuid, draft jsonb, live jsonb, "stagedBy" jsonb)
    where fe.flag_id = any(${versions.map(({ flagId }) => flagId)}::uuid[]) and fe.flag_id = version."flagId"
      and fe.env_id = ${envId}::uuid`.execute(tx)
}

/**
 * A part of a statement that has the fragments, what they name, and the switches that move with them as `flag`; `same`
 * says which row is which.
 */
export const savingFragments = (same: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  update flag_environments fe set fragment = flag.fragment, served_references = flag.served,
    enabled = coalesce(flag.enabled, fe.enabled), published = coalesce(flag.published, fe.published),
    last_published_revision = coalesce(flag."lastPublishedRevision", fe.last_published_revision)
  from flag where ${same}`

export type SavedDraft = Pick<FlagEnvironment, 'flagId' | 'draft' | 'stagedBy'>

/** Drafts of several flags in one environment, as a part of the statement that notes the edits of the flags. */
export const savingDrafts = (envId: string, drafts: readonly SavedDraft[]): RawBuilder<unknown> => sql`
  update flag_environments fe set draft = staged.draft, staged_by = staged."stagedBy"
  from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb) as staged ("flagId" uuid, draft jsonb, "stagedBy" jsonb)
  where fe.flag_id = any(${drafts.map(({ flagId }) => flagId)}::uuid[]) and fe.flag_id = staged."flagId"
    and fe.env_id = ${envId}::uuid`

export async function saveDraft(tx: Tx, row: SavedDraft & Pick<FlagEnvironment, 'envId'>): Promise<void> {
  await sql`
    update flag_environments set draft = ${JSON.stringify(row.draft)}::jsonb,
      staged_by = ${JSON.stringify(row.stagedBy)}::jsonb
    where flag_id = ${row.flagId} and env_id = ${row.envId}`.execute(tx)
}

export async function takeDraftsLive(tx: Tx, envId: string, flagIds: readonly string[]): Promise<void> {
  await sql`
    update flag_environments set live = draft, published = true, staged_by = '{}'
    where env_id = ${envId} and flag_id = any(${[...flagIds]}::uuid[])`.execute(tx)
}

/** Stores the revision that a publish or run led to. */
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
    select env_id as "envId" from flag_environments join flags on flags.id = flag_id
    where env_id = any(${[...envIds]}::uuid[]) and draft is distinct from live and ${isStageable}
    union
    select env_id from audience_environments join audiences on audiences.id = audience_id
    where env_id = any(${[...envIds]}::uuid[]) and live is distinct from conditions`.execute(db)
  return new Set(rows.map(({ envId }) => envId))
}
