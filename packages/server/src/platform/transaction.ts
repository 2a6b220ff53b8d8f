import { AsyncLocalStorage } from 'node:async_hooks'
import { isRefusal, type Refusal, refuse } from '../catalogue/refusals.ts'
import { asPartOf, codeOf, currentWhole, type Db, hadToYield, type Tx, type Whole } from './db/index.ts'
import { tracedAction } from './tracing/index.ts'

/**
 * Runs `work` in one transaction. If it returns a refusal, everything is rolled back, as after an error. Use
 * `inOneTrip` for statements that do not need each other's answers.
 *
 * Inside `asOne` this is part of that transaction, and a refusal must end the whole.
 */
export async function inTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const whole = currentWhole()
  return whole ? work(whole.tx) : inOwnTransaction(db, work)
}

/**
 * Runs all database work of `work` in one transaction, including its own transactions and reads, so that everything
 * commits together or not at all. Inside `asOne` this is part of that transaction, and a refusal must end the whole.
 */
export async function asOne<Result>(db: Db, work: (tx: Tx) => Promise<Result | Refusal>): Promise<Result | Refusal> {
  const around = currentWhole()
  if (around) return work(around.tx)
  return inOwnTransaction(db, async (tx) => {
    const whole: Whole = { tx, hasEnded: false }
    try {
      return await asPartOf(whole, () => work(tx))
    } finally {
      whole.hasEnded = true
    }
  })
}

/**
 * Does the work in one transaction and undoes it: answers what it would have answered. This is for work that is
 * checked or shown before somebody asks for it.
 */
export async function rehearse<Result>(db: Db, work: (tx: Tx) => Promise<Result | Refusal>): Promise<Result | Refusal> {
  let result: { answer: Result } | undefined
  const undone = refuse('invalid_state', 'Rolled back.')
  const refusal = await asOne<never>(db, async (tx) => {
    const answer = await work(tx)
    if (isRefusal(answer)) return answer
    result = { answer }
    return undone
  })
  return refusal === undone ? result!.answer : refusal
}

/** The effects of a transaction that wait for its commit. */
interface Afterwards {
  acts: (() => void)[]
  hasEnded: boolean
}

const afterwards = new AsyncLocalStorage<Afterwards>()

/**
 * For effects that others can see: runs `act` after the commit of the transaction that it is called in, in any function
 * of this file, and never if the transaction fails or is refused. Outside a transaction, it runs `act` now.
 */
export function afterCommit(act: () => void): void {
  const current = afterwards.getStore()
  if (current && !current.hasEnded) current.acts.push(act)
  else act()
}

/** Rolls back a transaction with a refusal, from a place that cannot return one. */
export class Abandoned extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

const inOwnTransaction = <Result>(db: Db, work: (tx: Tx) => Promise<Result | Refusal>): Promise<Result | Refusal> =>
  tracedAction(() => again(() => attempt(db, work)), isRefusal)

async function attempt<Result>(db: Db, work: (tx: Tx) => Promise<Result | Refusal>): Promise<Result | Refusal> {
  const own: Afterwards = { acts: [], hasEnded: false }
  const collecting = async (tx: Tx) => {
    try {
      return await afterwards.run(own, () => work(tx))
    } finally {
      // Work that was started but not awaited continues outside the transaction.
      own.hasEnded = true
    }
  }
  const result = await begun(db, collecting)
  if (!isRefusal(result)) for (const act of own.acts) act()
  return result
}

const tries = 3
let repeated = 0

/** How many transactions this process has begun again. Each shows two changes that lock rows in different orders. */
export const repeatedTransactions = (): number => repeated

/** Nothing of a transaction remains that the database has ended, so the same work can begin anew. */
async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = tries - 1; ; left -= 1)
    try {
      return await work()
    } catch (error) {
      if (left === 0 || !hadToYield(error)) throw error
      repeated += 1
    }
}

async function begun<Result>(db: Db, work: (tx: Tx) => Promise<Result | Refusal>): Promise<Result | Refusal> {
  try {
    return await db.transaction().execute(async (tx) => {
      const result = await withoutWaiting(tx, work)
      if (isRefusal(result)) throw new Abandoned(result)
      return result
    })
  } catch (error) {
    if (error instanceof Abandoned) return error.refusal
    throw error
  }
}

/**
 * Sends statements of one transaction to the database together, in one trip, because others wait for its locks. They
 * run in this order, and each sees the effects of those before it. If one fails, its error is thrown and those after it
 * fail too.
 */
export async function inOneTrip<Answers extends readonly unknown[]>(
  statements: readonly [...{ [Index in keyof Answers]: Promise<Answers[Index]> }],
): Promise<Answers> {
  const settled = await Promise.allSettled(statements)
  const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  // An argument can be several statements, and one of them can meet the failure of another before it is told.
  if (errors.length > 0) throw errors.find((error) => codeOf(error) !== inFailedTransaction) ?? errors[0]
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as Answers
}

const inFailedTransaction = '25P02'

/** Runs reads that do not wait for each other on one snapshot of the database. */
export const inSnapshot = <Result>(db: Db, read: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => withoutWaiting(tx, read))

/**
 * Kysely waits for an answer before it sends a transaction's next statement. Our connections keep the order, so this
 * does not wait. A statement that a branch sends after the end is refused: it would run after the commit or rollback,
 * and be kept.
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
