import type { Db } from '../db/index.ts'

/** Rows of a table that are kept only for a time. The feature that owns the table provides this. */
export interface Sweep {
  /** Name of the table in metrics and the log. */
  name: string
  everyMs: number
  keepForMs: number
  /**
   * Deletes at most `limit` rows that are older, and returns how many; 0 means that none are left. Every node sweeps,
   * so it skips rows that another node has locked.
   */
  sweep(db: Db, before: Date, limit: number): Promise<number>
}

/** Nodes that start together drift apart by up to a tenth of the interval. */
const jitter = 0.1

/** When a sweep is due again, in milliseconds from now. */
export const nextInMs = ({ everyMs }: Pick<Sweep, 'everyMs'>, random: number): number =>
  everyMs * (1 - jitter + 2 * jitter * random)

/** Rows older than this are deleted. */
export const keptSince = ({ keepForMs }: Pick<Sweep, 'keepForMs'>, now: Date): Date =>
  new Date(now.getTime() - keepForMs)
