import type { Db, Tx } from '../db/index.ts'
import type { Job, Outcome, OwnedJob, Progress } from './job.ts'
import type { ClaimedJob } from './queries.ts'
import type { ScheduledSource } from './schedule-queries.ts'

/** A file that this node receives. It can be read once, as it comes. */
export type ReceivedFile = AsyncIterable<Uint8Array>

/** What a run can do with its job. */
export interface Run {
  job: ClaimedJob
  /** Of a job with the trigger UPLOAD. Absent if the node that received it is gone: the file must be sent again. */
  file?: ReceivedFile
  /** Aborted when the run must end: a person has cancelled it, its time is over, or the node stops. */
  signal: AbortSignal
  /** Shows how far it is, and ends the run if a person has cancelled it. */
  progress(progress: Progress): Promise<void>
  /** A transaction that no other node can have with this job. A node that is too late gets an error, and writes nothing. */
  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
}

/** A kind of job. Its owner provides it, because the platform must not know features and events. */
export interface JobKind {
  name: string
  /** Whether jobs of a source wait for each other. Otherwise a source has one open job at a time. */
  queues: boolean
  /** Only administrators see them. */
  isConfidential: boolean
  timeLimitMs: number
  /**
   * Does the work. After a crash, it runs again from its beginning. It throws `JobFailure` with what people should read,
   * and `MustWait` if something is in use: it must not wait itself, because few jobs run at once on a node.
   */
  run(run: Run): Promise<Outcome>
  /** Whether a fault of this kind can be gone at the next try. The platform knows those of the database. */
  isTransient(error: unknown): boolean
  /** Records the end of a job, in the transaction that writes it. It is not called if the project was deleted meanwhile. */
  ended(tx: Tx, job: OwnedJob): Promise<void>
  /** Reports what the watchdog has found, in the transaction that notes it. */
  found(tx: Tx, job: OwnedJob, incident: string): Promise<void>
  /**
   * What a job has come to whose change is made, so that only its end is missing: its node has died before it wrote that.
   * Such a job does not run again, and it is too late to cancel it.
   * Undefined: it has made none, or what it works with is broken. Absent: jobs of this kind make no change before they end.
   */
  outcome?(db: Db, job: Job): Promise<Outcome | undefined>
  /** What stands of a job that ends early, in words for people; null: nothing. Absent: nothing ever does. */
  standing?(job: Job): string | null
  /** What a job works with that applies a held one. Absent: jobs of this kind are never held. */
  applying?(held: Job): unknown
  /** What of its input a retry works with. Absent: all of it. A job can have noted what it has done. */
  again?(input: unknown): unknown
  /** Absent: jobs of this kind never run by themselves. */
  scheduling?: Scheduling
}

/** What a kind provides whose sources can have schedules. */
export interface Scheduling {
  /** What a job of the source works with. It is read in the transaction that makes the job, and locks nothing. */
  input(tx: Tx, of: { projectId: string; sourceId: string }): Promise<unknown>
  /**
   * Why no job of the source can succeed before a person changes something, in words for people; null if nothing is known.
   * Its slots then make no job, and the reason is reported once. Absent: there is no such reason.
   */
  hindrance?(tx: Tx, of: { projectId: string; sourceId: string }): Promise<string | null>
  /** Reports that the schedule of a source is not kept, in the transaction that notes it. */
  missed(tx: Tx, of: ScheduledSource, incident: string): Promise<void>
}
