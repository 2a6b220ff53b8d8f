import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely } from 'kysely'
import type { Tx } from './database.ts'

/** One transaction around everything that a piece of work does with the database. */
export interface Whole {
  tx: Tx
  hasEnded: boolean
  afterwards: (() => void)[]
}

const wholes = new AsyncLocalStorage<Whole>()

/** The transaction that the work at hand is part of, if any. */
export function currentWhole(): Whole | undefined {
  const whole = wholes.getStore()
  // What the work started and did not wait for goes on by itself.
  return whole?.hasEnded ? undefined : whole
}

export const asPartOf = <Result>(whole: Whole, work: () => Promise<Result>): Promise<Result> => wholes.run(whole, work)

/** A database whose statements belong to the current whole: the embedded one has no second connection to answer them. */
export class JoiningDb extends Kysely<unknown> {
  override getExecutor() {
    return currentWhole()?.tx.getExecutor() ?? super.getExecutor()
  }
}
