import { isRefusal, type Refusal } from '../catalogue/refusals.ts'
import type { Db, Tx } from './db/index.ts'

/**
 * Runs `work` in one transaction; a refusal that it answers rolls everything back, as an error would.
 *
 * Statements that are not awaited one by one go out together and are carried out in the order in which they were asked
 * for, each seeing what those before it did: a trip to the database for all of them, where others wait for the locks.
 */
export async function inTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const rollback = new Error('refused')
  let refusal: Refusal | undefined
  try {
    return await db.transaction().execute(async (tx) => {
      const result = await withoutWaiting(tx, work)
      if (!isRefusal(result)) return result
      refusal = result
      throw rollback
    })
  } catch (error) {
    if (error === rollback && refusal) return refusal
    throw error
  }
}

/** Reads by several statements, which need not wait for each other, what was there at one moment. */
export const inSnapshot = <Result>(db: Db, read: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => withoutWaiting(tx, read))

/**
 * Kysely sends a transaction's next statement when it has the answer to the last; our connections keep the order. What a
 * branch of the work asks for when the whole has ended is refused: it would be carried out behind the end, and kept.
 */
async function withoutWaiting<Result>(tx: Tx, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const executor = tx.getExecutor()
  const connection = await executor.provideConnection(async (own) => own)
  let hasEnded = false
  const eager = executor.withConnectionProvider({
    async provideConnection(consumer) {
      if (hasEnded) throw new Error('the transaction has ended')
      return consumer(connection)
    },
  })
  try {
    return await work(Object.create(tx, { getExecutor: { value: () => eager } }))
  } finally {
    hasEnded = true
  }
}
