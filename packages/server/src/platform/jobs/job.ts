import type { JobStatus, JobTrigger } from '../../catalogue/jobs.ts'

/** How far a job is. `of` is null while it is unknown. */
export interface Progress {
  step: string
  done: number
  of: number | null
}

export interface Job {
  id: string
  projectId: string
  /** Null: the project was deleted. */
  orgId: string | null
  projectName: string
  kind: string
  source: { id: string; name: string }
  status: JobStatus
  trigger: JobTrigger
  attempt: number
  /** Attempts that failed and are repeated. */
  failures: number
  dueAt: Date
  startedAt: Date | null
  endedAt: Date | null
  progress: Progress | null
  input: unknown
  result: unknown
  reason: string | null
  itemsSkipped: number
  appliesJobId: string | null
  retriesJobId: string | null
  cancelAsked: boolean
  createdAt: Date
  updatedAt: Date
}

/** A job of a project that is there. */
export interface OwnedJob extends Job {
  orgId: string
}

export const isOwned = (job: Job): job is OwnedJob => job.orgId !== null

/** How a run that did not throw has ended. */
export type Outcome =
  | { status: 'SUCCEEDED'; result: unknown; itemsSkipped?: number }
  /** A guard stopped it before anything went live. A person can apply it. */
  | { status: 'HELD'; result: unknown; reason: string; itemsSkipped?: number }

export type Ending =
  | Outcome
  | {
      status: 'FAILED' | 'CANCELLED'
      reason: string | null
      /** What it has done, and what stays. */
      standing: string | null
    }

/** Why a run ends, in words for people. A transient fault is tried again. */
export class JobFailure extends Error {
  readonly isTransient: boolean

  constructor(reason: string, { isTransient = false, cause }: { isTransient?: boolean; cause?: unknown } = {}) {
    super(reason, { cause })
    this.isTransient = isTransient
  }
}

/** What ends the reason of a job whose file cannot be read once more. */
export const sendAgain = 'Send the file again.'

/** A person asked the job to stop. */
export class JobCancelled extends Error {}

/** The project of the job was deleted, so nobody is left to be told. */
export class ProjectDeleted extends Error {}

/** What the job needs is in use. It gives its place to other jobs, and is due again shortly. This is no failure. */
export class MustWait extends Error {}

/** After this time, a job that had to wait looks again. */
export const waitMs = 5_000

/** The node is shutting down. Another one takes the job. */
export class NodeStops extends Error {}

export const isOpen = ({ status }: Pick<Job, 'status'>): boolean => status === 'QUEUED' || status === 'RUNNING'

/** Whether a person can ask for the job once more. A file that was sent is gone. */
export const canRetry = ({ status, trigger }: Pick<Job, 'status' | 'trigger'>): boolean =>
  trigger !== 'UPLOAD' && (status === 'FAILED' || status === 'CANCELLED')

/** When to try again after a transient fault; null: never. */
export function retryAt(failures: number, delaysMs: readonly number[], now: Date): Date | null {
  const delayMs = delaysMs[failures]
  return delayMs === undefined ? null : new Date(now.getTime() + delayMs)
}

/** The words for people about an unexpected fault. Its own text goes only to the log. */
export const unforeseen = 'Something went wrong in the service. Its log says what.'

export const tooLong = (limitMs: number): string => `The run took longer than ${Math.round(limitMs / 60_000)} minutes.`

/** After this time, a queued job that no node takes is reported, and so is a running job that is silent. */
export const watchLimits = { unclaimedMs: 15 * 60_000, silentMs: 5 * 60_000, claimsWithoutEnd: 4 } as const

export interface Watched {
  status: JobStatus
  dueAt: Date
  leasedUntil: Date | null
  /** Claims that did not end, with the present one. */
  unendedClaims: number
  /** Whether it waits for another job of its source, which is under way. */
  isBehind: boolean
}

/** What is wrong with an open job, in words for people. */
export function findingOf({ status, dueAt, leasedUntil, unendedClaims, isBehind }: Watched, now: Date): string | null {
  const since = (moment: Date) => now.getTime() - moment.getTime()
  if (status === 'RUNNING' && leasedUntil) {
    const isSilent = since(leasedUntil) >= watchLimits.silentMs
    const isRepeating = unendedClaims >= watchLimits.claimsWithoutEnd
    return isSilent || isRepeating ? `The run stopped answering at ${isoSecond(leasedUntil)}.` : null
  }
  if (status !== 'QUEUED' || isBehind) return null
  return since(dueAt) >= watchLimits.unclaimedMs ? `No worker took the run due at ${isoSecond(dueAt)}.` : null
}

export const isoSecond = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`
