import type { FlagType } from '@svc/core'
import { type RawBuilder, sql } from 'kysely'
import { containsText, type Db, type Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import type { Author } from '../../../platform/outbox.ts'
import {
  flagEnvironmentColumns,
  flagStatus,
  insertingFlagEnvironments,
  isShown,
  type LockedFlagEnvironment,
  type NewFlagEnvironment,
  type SavedDraft,
  type SwitchState,
  savingDrafts,
  savingSwitches,
} from '../../model/flag-environments/index.ts'
import { findRuleRows } from '../../model/rules/index.ts'
import {
  type FlagEnvironment,
  type FlagKind,
  type FlagStatus,
  type Version,
  withDraft,
} from '../../model/versions/index.ts'
import { givingShortIds } from '../projects/index.ts'
import type { StaleBounds, Variation } from './flag.ts'
import type { ValueSchema } from './value-schema.ts'

export interface Flag {
  id: string
  projectId: string
  orgId: string
  shortId: number
  key: string
  name: string
  description: string | null
  type: FlagType
  variations: Variation[]
  defaultVariationId: string
  tags: string[]
  /** Who looks after it, also if this person has left the organization. */
  ownerId: string | null
  /** True for a flag that is kept on purpose. It is never stale. */
  permanent: boolean
  /** What the values of a JSON flag must look like. Null means anything. */
  valueSchema: ValueSchema | null
  kind: FlagKind
  everEnabled: boolean
  everArchived: boolean
  version: number
  createdAt: Date
  updatedAt: Date
  archivedAt: Date | null
}

const columnsOfFlag = sql`flags.id, flags.project_id as "projectId", flags.short_id as "shortId",
  flags.key, flags.name, flags.description, flags.type, flags.variations,
  flags.default_variation_id as "defaultVariationId", flags.tags, flags.owner_id as "ownerId", flags.permanent,
  flags.value_schema as "valueSchema", flags.kind, flags.ever_enabled as "everEnabled",
  flags.ever_archived as "everArchived", flags.version, flags.created_at as "createdAt",
  flags.updated_at as "updatedAt", flags.archived_at as "archivedAt"`

const columns = sql`${columnsOfFlag}, projects.org_id as "orgId"`

const source = sql`flags join projects on projects.id = flags.project_id and projects.org_id is not null`

export interface FlagPath {
  projectId: string
  flagId: string
  /** An environment of the flag's project. */
  envId?: string
}

/** A flag that people see. */
export const findFlag = (db: Db, orgId: string, path: FlagPath): Promise<Flag | undefined> =>
  flagAt(db, orgId, path, isShown)

/** The flag of an experiment, which can be hidden. */
export const findTestedFlag = (db: Db, orgId: string, path: FlagPath): Promise<Flag | undefined> =>
  flagAt(db, orgId, path, sql`true`)

async function flagAt(
  db: Db,
  orgId: string,
  { projectId, flagId, envId }: FlagPath,
  which: RawBuilder<unknown>,
): Promise<Flag | undefined> {
  if (!isId(projectId) || !isId(flagId) || (envId !== undefined && !isId(envId))) return undefined
  const inEnvironment =
    envId === undefined
      ? sql`true`
      : sql`exists (
    select from flag_environments fe where fe.flag_id = flags.id and fe.env_id = ${envId})`
  const { rows } = await sql<Flag>`
    select ${columns} from ${source}
    where flags.project_id = ${projectId} and projects.org_id = ${orgId} and flags.id = ${flagId} and ${which}
      and ${inEnvironment}`.execute(db)
  return rows[0]
}

/** The flag if it has this rule in this environment, drafted or live. */
export async function findFlagOfRule(
  db: Db,
  orgId: string,
  path: FlagPath & { envId: string; ruleId: string },
): Promise<Flag | undefined> {
  const flag = isId(path.ruleId) ? await findFlag(db, orgId, path) : undefined
  const rules = flag ? await findRuleRows(db, { flagId: flag.id, envId: path.envId }) : []
  return rules.some(({ id }) => id === path.ruleId) ? flag : undefined
}

export async function lockFlag(tx: Tx, flagId: string): Promise<Flag | undefined> {
  const { rows } = await sql<Flag>`
    select ${columns} from ${source} where flags.id = ${flagId} for no key update of flags`.execute(tx)
  return rows[0]
}

export interface LockedFlag {
  flag: Flag
  row: LockedFlagEnvironment
}

type LockedColumns = Flag & Omit<LockedFlagEnvironment, 'flagId'>

const inEnvironmentColumns = sql`${flagEnvironmentColumns},
  (select name from environments where id = env_id) as "envName"`

function lockedFlag({
  enabled,
  draft,
  live,
  published,
  lastPublishedRevision,
  stagedBy,
  envId,
  envName,
  ...flag
}: LockedColumns): LockedFlag {
  return {
    flag,
    row: { flagId: flag.id, envId, enabled, draft, live, published, lastPublishedRevision, stagedBy, envName },
  }
}

/** A flag and its row in one environment, locked in this order. */
export async function lockFlagIn(tx: Tx, flagId: string, envId: string): Promise<LockedFlag | undefined> {
  const { rows } = await sql<LockedColumns>`
    select ${columns}, ${inEnvironmentColumns} from ${source} join flag_environments fe on fe.flag_id = flags.id
    where flags.id = ${flagId} and fe.env_id = ${envId} for no key update of flags, fe`.execute(tx)
  return rows[0] && lockedFlag(rows[0])
}

/**
 * Locks several flags of an organization in the order of their ids, to avoid deadlocks. Both tables are asked by these
 * ids and the organization only afterwards: without statistics, the planner would start with all flags of its projects.
 */
export async function lockFlagsIn(
  tx: Tx,
  orgId: string,
  flagIds: readonly string[],
  envId: string,
): Promise<LockedFlag[]> {
  const ids = sql`any(${[...flagIds]}::uuid[])`
  const { rows } = await sql<LockedColumns>`
    select ${columnsOfFlag}, ${orgId}::uuid as "orgId", ${inEnvironmentColumns}
    from flags join flag_environments fe on fe.flag_id = flags.id
    where flags.id = ${ids} and fe.flag_id = ${ids} and fe.env_id = ${envId}
      and (select org_id from projects where projects.id = flags.project_id) = ${orgId}
    order by flags.id for no key update of flags, fe`.execute(tx)
  return rows.map(lockedFlag)
}

export interface FlagFilters {
  status?: FlagStatus | undefined
  type?: FlagType | undefined
  stale?: boolean | undefined
  tag?: string | undefined
  /** An id or an e-mail address; `none` for flags that nobody in the organization looks after. */
  owner?: string | undefined
  q?: string | undefined
}

const lastEvaluated = sql`(select max(last_evaluated_at) from flag_evaluations where flag_id = flags.id)`

/** The same rule as `isStale` in flag.ts, for statements that read `flags`. */
export const staleRows = ({ editedBefore, evaluatedBefore }: StaleBounds, lastEvaluated: RawBuilder<unknown>) => sql`
  (flags.archived_at is null and not flags.permanent and (flags.updated_at < ${editedBefore}
    or flags.updated_at < ${evaluatedBefore} and coalesce(${lastEvaluated} < ${evaluatedBefore}, false)))`

/** Newest first. */
export async function listFlags(
  db: Db,
  projectId: string,
  { status, type, stale, tag, owner, q }: FlagFilters,
  bounds: StaleBounds,
  after: string | null,
  limit: number,
): Promise<Flag[]> {
  const conditions = [
    sql`flags.project_id = ${projectId} and ${isShown}`,
    after !== null && sql`flags.id < ${after}::uuid`,
    status && sql`${flagStatus} = ${status}`,
    type && sql`flags.type = ${type}`,
    stale !== undefined && sql`${staleRows(bounds, lastEvaluated)} = ${stale}`,
    tag !== undefined && sql`${tag} = any(flags.tags)`,
    owner !== undefined && isOwnedBy(owner),
    q !== undefined && containsText(sql`concat_ws(' ', flags.name, flags.key, flags.description)`, q),
  ].filter((condition) => typeof condition === 'object')
  const { rows } = await sql<Flag>`
    select ${columns} from ${source} where ${sql.join(conditions, sql` and `)}
    order by flags.id desc limit ${limit}`.execute(db)
  return rows
}

function isOwnedBy(owner: string): RawBuilder<unknown> {
  if (owner === 'none')
    return sql`not exists (select from memberships
      where memberships.org_id = projects.org_id and memberships.user_id = flags.owner_id)`
  return isId(owner)
    ? sql`flags.owner_id = ${owner}`
    : sql`flags.owner_id = (select id from users where email = lower(${owner}))`
}

/** A member of the organization, by id or e-mail address. */
export async function findOwner(db: Db, orgId: string, called: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select users.id from memberships join users on users.id = memberships.user_id
    where memberships.org_id = ${orgId} and ${isId(called) ? sql`users.id = ${called}` : sql`users.email = lower(${called})`}`.execute(
    db,
  )
  return rows[0]?.id
}

export interface FlagOwner {
  id: string
  name: string
  email: string
  /** Whether the person is no longer a member of the organization. */
  left: boolean
}

/** The people who own flags of an organization. */
export async function flagOwners(db: Db, orgId: string, ids: readonly string[]): Promise<FlagOwner[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<FlagOwner>`
    select id, name, email, not exists (select from memberships
      where memberships.org_id = ${orgId} and memberships.user_id = users.id) as "left"
    from users where id = any(${[...new Set(ids)]}::uuid[])`.execute(db)
  return rows
}

/** Which of these keys are taken in the project. */
export async function takenKeys(tx: Tx, projectId: string, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from flags where project_id = ${projectId} and key = any(${[...keys]}::text[])`.execute(tx)
  return new Set(rows.map(({ key }) => key))
}

export async function countFlags(tx: Tx, projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from flags where project_id = ${projectId}`.execute(tx)
  return rows[0]!.count
}

/** Inserts flags with their rows in environments. The project is locked, and the flags have its next short ids. */
export async function insertFlags(
  tx: Tx,
  projectId: string,
  flags: readonly (Flag & { updatedBy: string })[],
  rows: readonly NewFlagEnvironment[],
): Promise<void> {
  await sql`
    with given as (${givingShortIds(projectId, flags.length)}), placed as (${insertingFlagEnvironments(rows)})
    insert into flags (id, project_id, short_id, key, name, description, type, variations, default_variation_id,
      tags, owner_id, permanent, value_schema, kind, created_at, updated_at, updated_by)
    select id, "projectId", "shortId", key, name, description, type, variations, "defaultVariationId",
      array(select jsonb_array_elements_text(tags)), "ownerId", permanent,
      nullif("valueSchema", 'null'), kind, "createdAt", "updatedAt", "updatedBy"
    from jsonb_to_recordset(${JSON.stringify(flags)}::jsonb) as flag (id uuid, "projectId" uuid, "shortId" integer,
      key text, name text, description text, type text, variations jsonb, "defaultVariationId" uuid, tags jsonb,
      "ownerId" uuid, permanent boolean, "valueSchema" jsonb, kind text, "createdAt" timestamptz, "updatedAt" timestamptz, "updatedBy" text)`.execute(
    tx,
  )
}

export type FlagEdit = Pick<
  Flag,
  | 'key'
  | 'name'
  | 'description'
  | 'tags'
  | 'ownerId'
  | 'permanent'
  | 'valueSchema'
  | 'variations'
  | 'defaultVariationId'
  | 'archivedAt'
  | 'everArchived'
>

export async function saveFlag(tx: Tx, flagId: string, edit: FlagEdit, by: Author): Promise<void> {
  await sql`
    update flags set key = ${edit.key}, name = ${edit.name}, description = ${edit.description}, tags = ${edit.tags},
      owner_id = ${edit.ownerId}, permanent = ${edit.permanent},
      value_schema = ${edit.valueSchema === null ? null : JSON.stringify(edit.valueSchema)}::jsonb,
      variations = ${JSON.stringify(edit.variations)}::jsonb, default_variation_id = ${edit.defaultVariationId},
      archived_at = ${edit.archivedAt}, ever_archived = ${edit.everArchived}, version = version + 1,
      updated_at = ${by.now}, updated_by = ${by.actor.name}
    where id = ${flagId}`.execute(tx)
}

/** Saves drafts of an environment (overrides, default, rules) and increments the versions behind the flags' ETags. */
export async function saveDraftEdits(tx: Tx, envId: string, drafts: readonly SavedDraft[], by: Author): Promise<void> {
  await sql`
    with edited as (${savingDrafts(envId, drafts)})
    update flags set version = version + 1, updated_at = ${by.now}::timestamptz, updated_by = ${by.actor.name}
    where id = any(${drafts.map(({ flagId }) => flagId)}::uuid[])`.execute(tx)
}

/** The same for a single flag, whose locked row is `row`. */
export const saveDraftEdit = (
  tx: Tx,
  row: Pick<FlagEnvironment, 'flagId' | 'envId' | 'draft' | 'live' | 'stagedBy'>,
  draft: Version,
  by: Author,
): Promise<void> => {
  const { flagId, envId, stagedBy } = withDraft(row, draft, by)
  return saveDraftEdits(tx, envId, [{ flagId, draft, stagedBy }], by)
}

/** A flag that was switched in one environment, and perhaps edited at the same time. */
export interface SwitchedFlag extends SwitchState {
  /** True increments the version. A switch alone does not, so an editor's ETag stays valid. */
  edited: boolean
  at: Date
  /** The name of who switched it. */
  by: string
}

export async function saveSwitched(tx: Tx, envId: string, flags: readonly SwitchedFlag[]): Promise<void> {
  await sql`with switched as (${savingSwitches(envId, flags)}) ${notingSwitched(flags)}`.execute(tx)
}

/** What flags keep of their switches, as a part of the statement that saves the switches. */
export const notingSwitched = (flags: readonly SwitchedFlag[]): RawBuilder<unknown> => sql`
  update flags set ever_enabled = ever_enabled or state.enabled, version = version + state.edited::integer,
    updated_at = state.at, updated_by = state.by
  from jsonb_to_recordset(${JSON.stringify(flags)}::jsonb)
    as state ("flagId" uuid, enabled boolean, edited boolean, at timestamptz, by text)
  where flags.id = any(${flags.map(({ flagId }) => flagId)}::uuid[]) and flags.id = state."flagId"`

export async function deleteFlagRow(tx: Tx, flagId: string): Promise<void> {
  await sql`delete from flags where id = ${flagId}`.execute(tx)
}

/** Deletes the flags of the web experiments of an environment, which are in no other one, and the experiments. */
export async function deleteHiddenFlagRows(tx: Tx, envId: string): Promise<void> {
  await sql`
    delete from flags using experiments
    where flags.id = experiments.flag_id and experiments.env_id = ${envId} and experiments.type = 'WEB'`.execute(tx)
}

export interface NamedFlagEnvironment extends FlagEnvironment {
  name: string
  enabledRules: string[]
  lastEvaluatedAt: Date | null
}

/** The environments of a flag in their order, as the API shows them. `revision` is that of the data file. */
export async function flagEnvironments(
  db: Db,
  flagIds: readonly string[],
): Promise<(NamedFlagEnvironment & { revision: number })[]> {
  const { rows } = await sql<NamedFlagEnvironment & { revision: number }>`
    select fe.flag_id as "flagId", fe.env_id as "envId", fe.enabled, fe.draft, fe.live, fe.published,
      fe.last_published_revision as "lastPublishedRevision", fe.staged_by as "stagedBy", environments.name,
      environments.revision, array(select rules.id::text from rules where rules.flag_id = fe.flag_id and rules.env_id = fe.env_id
        and rules.enabled) as "enabledRules",
      (select last_evaluated_at from flag_evaluations evaluated
        where evaluated.flag_id = fe.flag_id and evaluated.env_id = fe.env_id) as "lastEvaluatedAt"
    from flag_environments fe join environments on environments.id = fe.env_id
    where fe.flag_id = any(${[...flagIds]}::uuid[])
    order by environments.position`.execute(db)
  return rows
}
