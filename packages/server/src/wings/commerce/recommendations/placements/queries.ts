import { sql } from 'kysely'
import { nounQueries } from '../../../../nouns/index.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import type { PlacementContent } from './placement.ts'

export interface Placement extends PlacementContent {
  id: string
  projectId: string
  /** Unique in the project, and never changes. */
  key: string
  /** The experiment that measures what the placement brings. */
  experimentId: string | null
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, project_id as "projectId", key, name, most as "limit", history,
  include_preorder as "includePreorder", variants, experiment_id as "experimentId", version, created_at as "createdAt", updated_at as "updatedAt"`

const stored = nounQueries<Placement>('placements', columns)

/** Nodes hear of each change: the id of the project. */
export const placementChannel = 'svc_placements'

const told = sql`pg_notify(${placementChannel}, project_id::text)`

export const placementQueries: typeof stored = {
  ...stored,
  async remove(tx, id) {
    await sql`delete from placements where id = ${id} returning ${told}`.execute(tx)
  },
}

export async function insertPlacement(tx: Tx, row: Placement): Promise<void> {
  await sql`
    insert into placements (id, project_id, key, name, most, history, include_preorder, variants, created_at, updated_at)
    values (${row.id}, ${row.projectId}, ${row.key}, ${row.name}, ${row.limit}, ${row.history}, ${row.includePreorder},
      ${JSON.stringify(row.variants)}::jsonb, ${row.createdAt}, ${row.updatedAt}) returning ${told}`.execute(tx)
}

export async function savePlacement(tx: Tx, row: Placement): Promise<void> {
  await sql`
    update placements set name = ${row.name}, most = ${row.limit}, history = ${row.history},
      include_preorder = ${row.includePreorder}, variants = ${JSON.stringify(row.variants)}::jsonb,
      version = ${row.version}, updated_at = ${row.updatedAt} where id = ${row.id}
    returning ${told}`.execute(tx)
}

/** Notes which experiment measures a placement. */
export async function noteMeasured(tx: Tx, row: Placement): Promise<void> {
  await sql`
    update placements set experiment_id = ${row.experimentId}, version = ${row.version}, updated_at = ${row.updatedAt}
    where id = ${row.id} returning ${told}`.execute(tx)
}

/** The placements of a project that name this strategy or model. */
export async function placementsNaming(tx: Tx, projectId: string, name: string): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select id from placements where project_id = ${projectId} and exists (
      select from jsonb_each(variants) where value -> 'strategies' ? ${name})
    order by id`.execute(tx)
  return rows
}

/** All placements of a project. A project that was deleted has none, although its rows are there for a while. */
export async function placementsOf(db: Db, projectId: string): Promise<Placement[]> {
  const { rows } = await sql<Placement>`
    select ${columns} from placements where project_id = ${projectId}
      and exists (select from projects where projects.id = project_id and org_id is not null) order by id`.execute(db)
  return rows
}

export async function projectsWithPlacements(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from projects where org_id is not null and exists (select from placements where project_id = projects.id)
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}
