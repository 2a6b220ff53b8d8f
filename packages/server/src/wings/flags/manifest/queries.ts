import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { isShown } from '../../model/flag-environments/index.ts'
import type { FlagOfManifest } from './manifest.ts'

/** The flags of a project that are not archived, by key. */
export async function flagsOfManifest(db: Db, projectId: string): Promise<FlagOfManifest[]> {
  const { rows } = await sql<FlagOfManifest>`
    select key, name, description, type, variations, default_variation_id as "defaultVariationId"
    from flags where project_id = ${projectId} and ${isShown} and archived_at is null order by key collate "C"`.execute(
    db,
  )
  return rows
}
