import type { Db } from '../db/index.ts'

/** What a table keeps for a time only. The feature that owns the table hands it in. */
export interface Sweep {
  /** Of the table, in metrics and in the log. */
  name: string
  everyMs: number
  keepForMs: number
  /**
   * Deletes some of the rows that are older, at most `limit`, and answers how many; 0 when none are left. Every node
   * sweeps: it skips rows that another node has locked.
   */
  sweep(db: Db, before: Date, limit: number): Promise<number>
}

/** Nodes that start together drift apart by up to a tenth of the interval. */
const jitter = 0.1

/** When a sweep is due again, in milliseconds after now. */
export const nextInMs = ({ everyMs }: Pick<Sweep, 'everyMs'>, random: number): number =>
  everyMs * (1 - jitter + 2 * jitter * random)

/** What is older than this goes. */
export const keptSince = ({ keepForMs }: Pick<Sweep, 'keepForMs'>, now: Date): Date =>
  new Date(now.getTime() - keepForMs)
