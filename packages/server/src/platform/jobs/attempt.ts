import { until } from '../../until.ts'
import { canSucceedLater, type Database, saysDiskFull, type Tx } from '../db/index.ts'
import { LeaseLost } from '../due-rows.ts'
import {
  type Ending,
  isOwned,
  JobCancelled,
  JobFailure,
  MustWait,
  NodeStops,
  ProjectDeleted,
  retryAt,
  sendAgain,
  tooLong,
  unforeseen,
  waitMs,
} from './job.ts'
import type { JobKind, ReceivedFile, Run } from './kind.ts'
import type { JobsObserver } from './metrics.ts'
import { type ClaimedJob, dueJobs, endJob, requeueJob, saveProgress } from './queries.ts'
import { holdSchedule } from './scheduling.ts'

const leaseMs = 60_000
const renewMs = 20_000
const unavailableReason = 'The database or another service did not answer.'
const fullReason = 'The disk of the database is full.'
const reasonOf = (error: unknown) => (saysDiskFull(error) ? fullReason : unavailableReason)

export interface AttemptContext {
  db: Database['db']
  now: () => Date
  retryDelaysMs: readonly number[]
  observe: JobsObserver
  onError: (error: unknown) => void
}

interface Attempt extends AttemptContext {
  job: ClaimedJob
  kind: JobKind
  file?: ReceivedFile
}

export const leaseEnd = (now: Date): Date => new Date(now.getTime() + leaseMs)

/** Runs a claimed job, keeps its lease meanwhile, and writes how it ended. It never rejects for what the job did. */
export async function attempt(of: Attempt, stop: AbortController): Promise<void> {
  const { db, job, kind, onError } = of
  const renewing = setInterval(() => {
    renew(of, db).catch((error) => {
      // A database that is unavailable can be back before the lease ends.
      if (!canSucceedLater(error)) stop.abort(error)
    })
  }, renewMs)
  const limit = setTimeout(() => stop.abort(new JobFailure(tooLong(kind.timeLimitMs))), kind.timeLimitMs)
  try {
    if (job.cancelAsked) throw new JobCancelled()
    await end(of, (await kind.outcome?.(db, job)) ?? (await kind.run(runOf(of, stop.signal))))
  } catch (error) {
    const cause = stop.signal.aborted ? stop.signal.reason : error
    // A kind can lose rows of other tables, too.
    if (cause instanceof LeaseLost && cause.table === 'jobs') onError(cause)
    else await settle(of, cause)
  } finally {
    clearInterval(renewing)
    clearTimeout(limit)
  }
}

/** What a kind works with. Whatever it writes is fenced by the lease. */
const runOf = (of: Attempt, signal: AbortSignal): Run => ({
  job: of.job,
  // Whoever sends it can be slow for ever, and the run must end when it is told to.
  ...(of.file && { file: until(of.file, signal) }),
  signal,
  async progress(progress) {
    signal.throwIfAborted()
    await renew(of, of.db)
    await saveProgress(of.db, of.job, progress, of.now())
  },
  write: (work) =>
    of.db.transaction().execute(async (tx) => {
      signal.throwIfAborted()
      await renew(of, tx)
      return work(tx)
    }),
})

async function renew({ job, now }: Attempt, db: Tx | Database['db']): Promise<void> {
  const { cancelAsked, orgId } = await dueJobs.renew(db, job, leaseEnd(now()))
  if (orgId === null) throw new ProjectDeleted()
  if (cancelAsked) throw new JobCancelled()
}

async function end({ db, job, kind, now, observe }: Attempt, ending: Ending): Promise<void> {
  const ended = await db.transaction().execute(async (tx) => {
    const endIncident = ending.status === 'SUCCEEDED' ? await holdSchedule(tx, job.source.id, now()) : undefined
    const written = await endJob(tx, job, ending, now())
    if (!written) return undefined
    await endIncident?.()
    if (isOwned(written)) await kind.ended(tx, written)
    return written
  })
  if (ended) observe.ended(ended.kind, ended.status)
}

/** Decides what becomes of a job whose run threw. */
async function settle(of: Attempt, error: unknown): Promise<void> {
  const { db, job, kind, now, retryDelaysMs, onError, file } = of
  if (error instanceof NodeStops)
    return file
      ? endEarly(of, 'FAILED', `The service was stopped. ${sendAgain}`)
      : requeueJob(db, job, now(), null, now())
  // One whose file this node receives has no place to give, and what has come of the file would be lost.
  if (error instanceof MustWait && !file) return requeueJob(db, job, new Date(now().getTime() + waitMs), null, now())
  if (error instanceof JobCancelled) return endEarly(of, 'CANCELLED', null)
  if (error instanceof ProjectDeleted) return endEarly(of, 'CANCELLED', 'The project was deleted.')
  const isForeseen = error instanceof JobFailure
  if (!isForeseen || error.cause) onError(error)
  const isTransient = isForeseen ? error.isTransient : canSucceedLater(error) || kind.isTransient(error)
  const reason = isForeseen ? error.message : isTransient ? reasonOf(error) : unforeseen
  const again = isTransient && !file ? retryAt(job.failures, retryDelaysMs, now()) : null
  if (again) return requeueJob(db, job, again, reason, now())
  await endEarly(of, 'FAILED', isTransient && file ? `${reason} ${sendAgain}` : reason)
}

/** Ends a job whose run did not. If its change is made, it is too late for that, and the job says what it has done. */
async function endEarly(of: Attempt, status: 'FAILED' | 'CANCELLED', reason: string | null): Promise<void> {
  const { db, kind, now } = of
  // It can have noted more than it had when it was taken.
  const job = await dueJobs.renew(db, of.job, leaseEnd(now()))
  const standing = kind.standing?.(job) ?? null
  await end(of, (await kind.outcome?.(db, job)) ?? { status, reason, standing })
}
