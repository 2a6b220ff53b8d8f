import { isRefusal, type Refusal } from '../catalogue/refusals.ts'
import { asPartOf, currentWhole, type Db, type Tx, type Whole } from './db/index.ts'

/**
 * Runs `work` in one transaction; a refusal that it answers rolls everything back, as an error would. Statements that
 * need no answer of each other are asked for with `inOneTrip`.
 *
 * Inside `asOne` it is part of that transaction: what it refuses has to end the whole.
 */
export async function inTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const whole = currentWhole()
  return whole ? work(whole.tx) : inOwnTransaction(db, work)
}

/**
 * Makes one transaction of everything that `work` does with the database, its own transactions and reads included, so
 * that what it did and what is noted of it are kept together or not at all.
 */
export async function asOne<Result>(db: Db, work: (tx: Tx) => Promise<Result | Refusal>): Promise<Result | Refusal> {
  const afterwards: Whole['afterwards'] = []
  const result = await inOwnTransaction(db, async (tx) => {
    const whole: Whole = { tx, hasEnded: false, afterwards }
    try {
      return await asPartOf(whole, () => work(tx))
    } finally {
      whole.hasEnded = true
    }
  })
  if (!isRefusal(result)) for (const act of afterwards) act()
  return result
}

/** For what the world may see of a change: at once, or inside `asOne` when the whole has committed. */
export function afterCommit(act: () => void): void {
  const whole = currentWhole()
  if (whole) whole.afterwards.push(act)
  else act()
}

/** Rolls a transaction back with a refusal, from where nothing can answer one. */
export class Abandoned extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

async function inOwnTransaction<Result>(
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
    if (error instanceof Abandoned) return error.refusal
    throw error
  }
}

/**
 * Statements of one transaction that go to the database together: one trip, while others wait for the locks. The
 * database carries them out one after the other in this order, and each sees what those before it did. When one fails,
 * its error is thrown and those behind it fail as well.
 */
export const inOneTrip = <Answers extends readonly unknown[]>(
  statements: readonly [...{ [Index in keyof Answers]: Promise<Answers[Index]> }],
): Promise<Answers> => Promise.all(statements) as unknown as Promise<Answers>

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
