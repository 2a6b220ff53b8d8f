import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/index.ts'

/** What a metric with one of these keys counts. */
export interface NamedMetric {
  key: string
  type: string
  eventKey: string
  valueFrom: string | null
  archived: boolean
}

export async function metricsNamed(db: Db, projectId: string, keys: readonly string[]): Promise<NamedMetric[]> {
  const { rows } = await sql<NamedMetric>`
    select key, type, event_key as "eventKey", value_from as "valueFrom", archived from metrics
    where project_id = ${projectId} and key = any(${[...keys]}::text[])`.execute(db)
  return rows
}

export async function hasFlag(db: Db, projectId: string, key: string): Promise<boolean> {
  const { rows } = await sql`select from flags where project_id = ${projectId} and key = ${key}`.execute(db)
  return rows.length > 0
}

/** The reporting currency of a project; null before the first order. */
export async function reportingCurrency(db: Db, projectId: string): Promise<string | null> {
  const { rows } = await sql<{ currency: string | null }>`
    select currency from catalogs where project_id = ${projectId}`.execute(db)
  return rows[0]?.currency ?? null
}
