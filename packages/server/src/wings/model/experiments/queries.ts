import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import {
  type ExperimentFact,
  type ExperimentStatus,
  elseDraft,
  experimentLadder,
  type HiddenOf,
  type Owner,
} from './status.ts'

/** Which failed checks pause the experiment. */
export interface AutoPause {
  srm: boolean
  traffic: boolean
  guardrailMetric: boolean
  /** Only a web experiment has code. */
  codeErrors: boolean
}

export interface Winner {
  variationKey: string
  declaredAt: string
  declaredBy: { type: string; id: string | null; name: string }
  comment: string | null
  rolledOut: boolean
}

export interface Experiment {
  id: string
  shortId: number
  projectId: string
  envId: string
  type: 'FEATURE' | 'WEB'
  flagId: string
  ruleId: string
  /** Whether the rule existed before the experiment. */
  adopted: boolean
  name: string
  hypothesis: string | null
  description: string | null
  tags: string[]
  autoPause: AutoPause
  winner: Winner | null
  /** The test as it ran, from completion on. */
  finalDefinition: unknown
  launchedAt: Date | null
  completedAt: Date | null
  archivedAt: Date | null
  /** Moved by edits, also by those of the rule. */
  version: number
  createdAt: Date
  updatedAt: Date
  status: ExperimentStatus
}

const maxShownReferences = 100

const launchedAt = sql`coalesce(experiments.launched_at, (
  select first_served_at from rules where rules.id = experiments.rule_id))`

/** Whether an experiment was ever launched, for statements that read `experiments`. */
export const isLaunched = sql`${launchedAt} is not null`

/**
 * Whether the rule of an experiment has no slot in an exclusion group, for statements that read `experiments`: it
 * cannot run again, or only after it is unarchived. An adopted rule keeps its slot until the completion, because it
 * becomes a plain rule again if the experiment is deleted.
 */
export const hasNoSlot = sql`(experiments.completed_at is not null
  or (experiments.archived_at is not null and not experiments.adopted and not (${isLaunched})))`

const facts: Record<ExperimentFact, RawBuilder<unknown>> = {
  archived: sql`experiments.archived_at is not null`,
  completed: sql`experiments.completed_at is not null`,
  served: sql`exists (
    select from flag_environments fe join flags on flags.id = fe.flag_id join rules on rules.id = experiments.rule_id
    where fe.flag_id = experiments.flag_id and fe.env_id = experiments.env_id and fe.enabled and rules.enabled
      and flags.archived_at is null
      and fe.live -> 'rules' @> jsonb_build_array(jsonb_build_object('id', experiments.rule_id)))`,
  launched: isLaunched,
}

/** `experimentStatusOf` in SQL, for statements that read `experiments`. */
export const experimentStatus: RawBuilder<ExperimentStatus> = sql`case ${sql.join(
  experimentLadder.map(({ fact, status }) => sql`when ${facts[fact]} then ${sql.lit(status)}`),
  sql` `,
)} else ${sql.lit(elseDraft)} end`

/** The columns of an {@link Experiment}, for statements that read `experiments`. */
export const experimentColumns = sql`experiments.id, experiments.short_id as "shortId",
  experiments.project_id as "projectId", experiments.env_id as "envId", experiments.type,
  experiments.flag_id as "flagId", experiments.rule_id as "ruleId", experiments.adopted, experiments.name,
  experiments.hypothesis, experiments.description, experiments.tags, jsonb '{ "codeErrors": false }' || experiments.auto_pause as "autoPause",
  experiments.winner, experiments.final_definition as "finalDefinition", ${launchedAt} as "launchedAt",
  experiments.completed_at as "completedAt", experiments.archived_at as "archivedAt",
  experiments.version + coalesce((select version from rules where rules.id = experiments.rule_id), 0) as version,
  experiments.created_at as "createdAt", experiments.updated_at as "updatedAt", ${experimentStatus} as status`

/** The experiment that owns a rule, whatever its status; undefined for a plain rule. */
export async function experimentOfRule(db: Db, ruleId: string): Promise<Experiment | undefined> {
  const { rows } = await sql<Experiment>`
    select ${experimentColumns} from experiments where rule_id = ${ruleId}`.execute(db)
  return rows[0]
}

/** As JSON, the experiments of a row of `flag_environments` that are neither completed nor archived. */
export const ownersIn = (row: string): RawBuilder<Owner[]> => sql`(
  select coalesce(json_agg(json_build_object('id', experiments.id, 'shortId', experiments.short_id,
    'name', experiments.name, 'ruleId', experiments.rule_id, 'launched', ${isLaunched})
    order by experiments.id), '[]')
  from experiments
  where experiments.flag_id = ${sql.ref(`${row}.flag_id`)} and experiments.env_id = ${sql.ref(`${row}.env_id`)}
    and experiments.completed_at is null and experiments.archived_at is null)`

/** The web experiment of a hidden flag, null for other flags, for statements with a column that has the id of a flag. */
export const webExperimentOf = (flagId: string): RawBuilder<string | null> => sql`(
  select experiments.id from experiments where experiments.flag_id = ${sql.ref(flagId)} and experiments.type = 'WEB')`

/** A web experiment by its id, with its hidden flag. */
export async function findHidden(
  db: Db,
  projectId: string,
  experimentId: string,
): Promise<(HiddenOf & { flagId: string }) | undefined> {
  if (!isId(experimentId)) return undefined
  const { rows } = await sql<HiddenOf & { flagId: string }>`
    select id, short_id as "shortId", name, rule_id as "ruleId", flag_id as "flagId" from experiments
    where id = ${experimentId} and project_id = ${projectId} and type = 'WEB'`.execute(db)
  return rows[0]
}

/** An experiment that prevents a deletion. */
export interface ExperimentReference {
  type: 'experiment'
  id: string
}

/** The first experiments that are not archived, of a flag or of an environment. */
export async function unarchivedExperiments(
  tx: Tx,
  column: 'flag_id' | 'env_id',
  id: string,
): Promise<ExperimentReference[]> {
  const { rows } = await sql<ExperimentReference>`
    select 'experiment' as type, id from experiments where ${sql.ref(column)} = ${id} and archived_at is null
    order by id limit ${maxShownReferences}`.execute(tx)
  return rows
}

/** The experiments that own or owned these rules. */
export async function ownersOf(tx: Tx, ruleIds: readonly string[]): Promise<ExperimentReference[]> {
  const { rows } = await sql<ExperimentReference>`
    select 'experiment' as type, id from experiments where rule_id = any(${[...ruleIds]}::uuid[])
    order by id limit ${maxShownReferences}`.execute(tx)
  return rows
}

/** The experiments of flags in an environment that were launched, and are neither completed nor archived. */
export async function launchedExperiments(
  tx: Tx,
  envId: string,
  flagIds: readonly string[],
): Promise<Pick<Experiment, 'id' | 'shortId' | 'name' | 'flagId' | 'ruleId' | 'status'>[]> {
  const { rows } = await sql<Experiment>`
    select ${experimentColumns} from experiments
    where env_id = ${envId} and flag_id = any(${[...flagIds]}::uuid[]) and completed_at is null
      and archived_at is null and ${isLaunched}
    order by id`.execute(tx)
  return rows
}
