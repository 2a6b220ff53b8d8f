import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/index.ts'
import type { Said } from './people.ts'

/** The channel on which every node hears who edits what. */
export const presenceChannel = 'svc_presence'

export async function tellNodes(db: Db, said: Said): Promise<void> {
  await sql`select pg_notify(${presenceChannel}, ${JSON.stringify(said)})`.execute(db)
}
