import { sql } from 'kysely'
import type { TestService } from './service.ts'

/** The visible items of a project with their prices. */
export async function shownItems({ db }: TestService, projectId: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ id: string; price: string }>`
    select item_id as id, price::text from catalog_items join catalogs using (project_id)
    where project_id = ${projectId} and from_rev <= revision and (to_rev is null or to_rev > revision)
    order by item_id`.execute(db)
  return Object.fromEntries(rows.map(({ id, price }) => [id, price]))
}

/** How many versions nobody sees yet. */
export async function leftOversOf({ db }: TestService, projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from catalog_items join catalogs using (project_id)
    where project_id = ${projectId} and (from_rev > revision or to_rev > revision)`.execute(db)
  return rows[0]!.count
}
