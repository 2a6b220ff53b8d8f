import { sql } from 'kysely'
import { nounQueries } from '../../../nouns/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { MetricContent } from './metric.ts'

export interface Metric extends MetricContent {
  id: string
  projectId: string
  /** Unique in the project, and never changes: rules name the metric by it. */
  key: string
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, project_id as "projectId", key, name, type, event_key as "eventKey", value_from as "valueFrom",
  denominator, direction, unit, conversion_window_hours as "conversionWindowHours", winsorize_at as "winsorizeAt",
  non_inferiority_margin as "nonInferiorityMargin", trigger, archived, version, created_at as "createdAt",
  updated_at as "updatedAt"`

export const metricQueries = nounQueries<Metric>('metrics', columns)

export async function insertMetric(tx: Tx, row: Metric): Promise<void> {
  await sql`
    insert into metrics (id, project_id, key, name, type, event_key, value_from, denominator, direction, unit,
      conversion_window_hours, winsorize_at, non_inferiority_margin, trigger, archived, created_at, updated_at)
    values (${row.id}, ${row.projectId}, ${row.key}, ${row.name}, ${row.type}, ${row.eventKey}, ${row.valueFrom},
      ${jsonOf(row.denominator)}::jsonb, ${row.direction}, ${row.unit}, ${row.conversionWindowHours},
      ${row.winsorizeAt}, ${row.nonInferiorityMargin}, ${jsonOf(row.trigger)}::jsonb, ${row.archived},
      ${row.createdAt}, ${row.updatedAt})`.execute(tx)
}

export async function saveMetric(tx: Tx, row: Metric): Promise<void> {
  await sql`
    update metrics set name = ${row.name}, type = ${row.type}, event_key = ${row.eventKey},
      value_from = ${row.valueFrom}, denominator = ${jsonOf(row.denominator)}::jsonb, direction = ${row.direction},
      unit = ${row.unit}, conversion_window_hours = ${row.conversionWindowHours}, winsorize_at = ${row.winsorizeAt},
      non_inferiority_margin = ${row.nonInferiorityMargin}, trigger = ${jsonOf(row.trigger)}::jsonb,
      archived = ${row.archived}, version = ${row.version}, updated_at = ${row.updatedAt}
    where id = ${row.id}`.execute(tx)
}

/** Whether the live version of a flag named the metric in any published revision. */
export async function wasMeasured(tx: Tx, projectId: string, key: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from revision_flags past join environments on environments.id = past.env_id
      where project_id = ${projectId}
        and past.live @@ ('exists($.rules[*].metrics.*[*] ? (@ == ' || to_json(${key}::text) || '))')::jsonpath
    ) as found`.execute(tx)
  return rows[0]!.found
}

const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))
