import { isRefusal, type Refusal } from '../refusals.ts'
import type { Db, Tx } from './db/index.ts'

/** Runs `work` in one transaction; a refusal that it answers rolls everything back, as an error would. */
export async function inTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const rollback = new Error('refused')
  let refusal: Refusal | undefined
  try {
    return await db.transaction().execute(async (tx) => {
      const result = await work(tx)
      if (!isRefusal(result)) return result
      refusal = result
      throw rollback
    })
  } catch (error) {
    if (error === rollback && refusal) return refusal
    throw error
  }
}

/** Reads by several statements what was there at one moment. */
export const inSnapshot = <Result>(db: Db, read: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
