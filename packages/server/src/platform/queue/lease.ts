import type { Job } from './kind.ts'

/** What an attempt may take beyond its own time limit: its turn, and the writing of its result. */
const marginMs = 20_000

/** How long a job that is claimed now belongs to its worker. */
export const leaseEnd = (now: Date, timeoutMs: number): Date => new Date(now.getTime() + timeoutMs + marginMs)

/** Whether an attempt that begins now is certain to end before the lease does. */
export const hasTime = ({ leaseUntil }: Job, now: Date, timeoutMs: number): boolean =>
  leaseUntil.getTime() - now.getTime() >= timeoutMs

/** From then on another worker may have the job. */
export const isOver = ({ leaseUntil }: Job, now: Date): boolean => leaseUntil <= now
