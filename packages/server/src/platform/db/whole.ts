import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely } from 'kysely'
import type { Tx } from './database.ts'

/** One transaction around all database work of a function. */
export interface Whole {
  tx: Tx
  hasEnded: boolean
}

const wholes = new AsyncLocalStorage<Whole>()

/** The transaction that the current work belongs to, if any. */
export function currentWhole(): Whole | undefined {
  const whole = wholes.getStore()
  // Work that was started but not awaited continues outside the transaction.
  return whole?.hasEnded ? undefined : whole
}

export const asPartOf = <Result>(whole: Whole, work: () => Promise<Result>): Promise<Result> => wholes.run(whole, work)

/**
 * A database whose statements join the current transaction. The embedded database has no second connection for them.
 */
export class JoiningDb extends Kysely<unknown> {
  override getExecutor() {
    return currentWhole()?.tx.getExecutor() ?? super.getExecutor()
  }
}
