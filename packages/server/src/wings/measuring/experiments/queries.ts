import { type RawBuilder, sql } from 'kysely'
import { nounQueries } from '../../../nouns/index.ts'
import { containsText, type Db, type Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import { type Experiment, experimentColumns, experimentStatus } from '../../model/experiments/index.ts'
import type { RuleRow } from '../../model/rules/index.ts'
import type { Version } from '../../model/versions/index.ts'
import { defaultWebSettings, type WebSettings } from '../../model/web/index.ts'
import type { Overlap } from './lifecycle/web-warnings.ts'
import type { ExperimentFilters } from './schema.ts'

export const experimentQueries = nounQueries<Experiment>('experiments', experimentColumns)

/** Newest first. */
export async function listExperiments(
  db: Db,
  projectId: string,
  after: string | null,
  limit: number,
  { status, type, envId, tag, q }: ExperimentFilters,
): Promise<Experiment[]> {
  if (envId !== undefined && !isId(envId)) return []
  const conditions: RawBuilder<unknown>[] = [
    sql`experiments.project_id = ${projectId}`,
    after !== null && sql`experiments.id < ${after}::uuid`,
    status && sql`${experimentStatus} = ${status}`,
    type && sql`experiments.type = ${type}`,
    envId && sql`experiments.env_id = ${envId}::uuid`,
    tag !== undefined && sql`${tag} = any(experiments.tags)`,
    q !== undefined &&
      containsText(sql`concat_ws(' ', experiments.name, experiments.hypothesis, experiments.description)`, q),
  ].filter((condition) => typeof condition === 'object')
  const { rows } = await sql<Experiment>`
    select ${experimentColumns} from experiments where ${sql.join(conditions, sql` and `)}
    order by experiments.id desc limit ${limit}`.execute(db)
  return rows
}

/** The flag of an experiment in its environment, with the open schedule of the rule. */
export interface Place {
  id: string
  draft: Version
  live: Version
  variations: { id: string; key: string; name: string }[]
  schedule: RuleRow['schedule']
}

export async function findPlaces(db: Db, ids: readonly string[]): Promise<Map<string, Place>> {
  const { rows } = await sql<Place>`
    select experiments.id, fe.draft, fe.live, flags.variations, (
      select jsonb_build_object('id', open.id, 'action', open.action, 'status', open.status,
        'runAt', to_char(open.run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from schedules open where open.rule_id = experiments.rule_id and open.status in ('PENDING', 'SUSPENDED')
    ) as schedule
    from experiments join flags on flags.id = experiments.flag_id
      join flag_environments fe on fe.flag_id = experiments.flag_id and fe.env_id = experiments.env_id
    where experiments.id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function countUnarchived(tx: Tx, projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from experiments
    where project_id = ${projectId} and archived_at is null`.execute(tx)
  return rows[0]!.count
}

export type NewExperimentRow = Omit<
  Experiment,
  'winner' | 'finalDefinition' | 'launchedAt' | 'completedAt' | 'archivedAt' | 'version' | 'status'
>

export async function insertExperiment(tx: Tx, row: NewExperimentRow): Promise<void> {
  await sql`
    insert into experiments (id, project_id, short_id, env_id, type, flag_id, rule_id, adopted, name, hypothesis,
      description, tags, auto_pause, created_at, updated_at)
    values (${row.id}, ${row.projectId}, ${row.shortId}, ${row.envId}, ${row.type}, ${row.flagId}, ${row.ruleId},
      ${row.adopted}, ${row.name}, ${row.hypothesis}, ${row.description}, ${row.tags},
      ${JSON.stringify(row.autoPause)}::jsonb, ${row.createdAt}, ${row.updatedAt})`.execute(tx)
}

/** Saves everything that can change, and moves the ETag. */
export async function saveExperiment(tx: Tx, row: Experiment, now: Date): Promise<void> {
  await sql`
    update experiments set name = ${row.name}, hypothesis = ${row.hypothesis}, description = ${row.description},
      tags = ${row.tags}, auto_pause = ${JSON.stringify(row.autoPause)}::jsonb,
      winner = ${row.winner && JSON.stringify(row.winner)}::jsonb,
      final_definition = ${row.finalDefinition === null ? null : JSON.stringify(row.finalDefinition)}::jsonb,
      launched_at = ${row.launchedAt}, completed_at = ${row.completedAt}, archived_at = ${row.archivedAt},
      version = version + 1, updated_at = ${now}
    where id = ${row.id}`.execute(tx)
}

/** The ETag counts the version of the rule. Kept before the rule is deleted, so that no ETag comes twice. */
export async function keepRuleVersion(tx: Tx, id: string): Promise<void> {
  await sql`
    update experiments set version = experiments.version + rules.version from rules
    where experiments.id = ${id} and rules.id = experiments.rule_id`.execute(tx)
}

export async function findWebSettings(db: Db, projectId: string): Promise<WebSettings> {
  const { rows } = await sql<{ web: WebSettings | null }>`select web from projects where id = ${projectId}`.execute(db)
  return rows[0]?.web ?? defaultWebSettings
}

const maxOverlaps = 10

/** Other web experiments that the environment serves and that change one of these elements for the same visitors. */
export async function overlapping(
  tx: Tx,
  { id, envId }: Pick<Experiment, 'id' | 'envId'>,
  { selectors, exclusionGroupId }: { selectors: readonly string[]; exclusionGroupId: string | null },
): Promise<Overlap[]> {
  if (selectors.length === 0) return []
  // Tests of one exclusion group share no visitors.
  const inGroup = JSON.stringify([{ exclusion: { groupId: exclusionGroupId } }])
  const { rows } = await sql<Overlap>`
    select experiments.short_id as "shortId", experiments.name, experiments.completed_at is not null as "isRolledOut",
      array_agg(distinct changed.selector #>> '{}') as selectors
    from experiments join flag_environments fe on fe.flag_id = experiments.flag_id and fe.env_id = experiments.env_id,
      jsonb_each(fe.live #> '{web,variations}') variation (id, content),
      jsonb_path_query(variation.content, '$.changes[*].selector') changed (selector)
    where experiments.env_id = ${envId} and experiments.type = 'WEB' and experiments.id <> ${id}
      and fe.fragment is not null and (experiments.completed_at is null
        or fe.live -> 'rules' @> jsonb_build_array(jsonb_build_object('variationId', variation.id)))
      and changed.selector #>> '{}' = any(${[...selectors]}::text[])
      and (${exclusionGroupId}::uuid is null or not fe.live -> 'rules' @> ${inGroup}::jsonb)
    group by experiments.id order by experiments.short_id limit ${maxOverlaps}`.execute(tx)
  return rows
}
