import { sql } from 'kysely'
import { filteredFields } from '../../../catalogue/nouns.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { PastEvent } from './preview.ts'

/** What the filter reads of a body, without the rest, which can be large. */
const filteredPart = sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(
  filteredFields.flatMap((field) => [sql.lit(field), sql`payload -> ${sql.lit(field)}`]),
)}))`

/** The latest events of the organization's projects since a moment, newest first. */
export async function latestEvents(db: Db, orgId: string, since: Date, limit: number): Promise<PastEvent[]> {
  const { rows } = await sql<PastEvent>`
    select event.name, event.payload, projects.name as "projectName", event.occurred_at as "occurredAt"
    from projects, lateral (
      select seq, name, ${filteredPart} as payload, occurred_at from events
      where project_id = projects.id and occurred_at >= ${since}
      order by seq desc limit ${limit}
    ) event
    where projects.org_id = ${orgId}
    order by event.occurred_at desc, projects.id, event.seq desc limit ${limit}`.execute(db)
  return rows
}
