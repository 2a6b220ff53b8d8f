import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../platform/db/index.ts'
import { isId } from '../platform/ids.ts'

/** The statements that are the same for every noun of a project. Its table has `id` and `project_id`. */
export function nounQueries<Row>(name: string, columns: RawBuilder<unknown>) {
  const table = sql.table(name)
  return {
    /** Finds a row by the two ids in the path, within the caller's organization. */
    async find(db: Db, orgId: string, projectId: string, id: string): Promise<Row | undefined> {
      if (!isId(projectId) || !isId(id)) return undefined
      const { rows } = await sql<Row>`
        select ${columns} from ${table} where id = ${id} and project_id = ${projectId}
          and exists (select from projects where projects.id = ${projectId} and projects.org_id = ${orgId})`.execute(db)
      return rows[0]
    },

    /** Newest first. */
    async list(db: Db, projectId: string, after: string | null, limit: number): Promise<Row[]> {
      const { rows } = await sql<Row>`
        select ${columns} from ${table}
        where project_id = ${projectId} and (${after}::uuid is null or id < ${after}::uuid)
        order by id desc limit ${limit}`.execute(db)
      return rows
    },

    /** For an edit. Other transactions can still write references to the row. */
    async lock(tx: Tx, id: string): Promise<Row | undefined> {
      const { rows } = await sql<Row>`
        select ${columns} from ${table} where id = ${id} for no key update`.execute(tx)
      return rows[0]
    },

    /** For a deletion. Waits for transactions that are writing references to the row. */
    async lockLeaving(tx: Tx, id: string): Promise<Row | undefined> {
      const { rows } = await sql<Row>`select ${columns} from ${table} where id = ${id} for update`.execute(tx)
      return rows[0]
    },

    /** For a noun whose rows have keys. */
    async keys(tx: Tx, projectId: string): Promise<Set<string>> {
      const { rows } = await sql<{ key: string }>`select key from ${table} where project_id = ${projectId}`.execute(tx)
      return new Set(rows.map(({ key }) => key))
    },

    async count(tx: Tx, projectId: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from ${table} where project_id = ${projectId}`.execute(tx)
      return rows[0]!.count
    },

    async remove(tx: Tx, id: string): Promise<void> {
      await sql`delete from ${table} where id = ${id}`.execute(tx)
    },
  }
}

export type NounQueries<Row> = ReturnType<typeof nounQueries<Row>>
