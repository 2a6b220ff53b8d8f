import type { Job } from './kind.ts'

/** Extra time of an attempt beyond its own limit: waiting for its turn and writing its result. */
const marginMs = 20_000

/** When a job that is claimed now stops belonging to its worker. */
export const leaseEnd = (now: Date, timeoutMs: number): Date => new Date(now.getTime() + timeoutMs + marginMs)

/** Whether an attempt that begins now is certain to end before the lease. */
export const hasTime = ({ leaseUntil }: Job, now: Date, timeoutMs: number): boolean =>
  leaseUntil.getTime() - now.getTime() >= timeoutMs

/** Whether another worker can take the job. */
export const isOver = ({ leaseUntil }: Job, now: Date): boolean => leaseUntil <= now
