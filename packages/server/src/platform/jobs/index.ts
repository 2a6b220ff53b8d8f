export {
  canRetry,
  isOpen,
  type Job,
  JobFailure,
  MustWait,
  NodeStops,
  type OwnedJob,
  sendAgain,
  waitMs,
} from './job.ts'
export { type Jobs, openJobs } from './jobs.ts'
export type { JobKind, ReceivedFile, Run, Scheduling } from './kind.ts'
export { observeJobs } from './metrics.ts'
export {
  addJobErrors,
  addToInput,
  type ClaimedJob,
  clearJobErrors,
  findJob,
  isApplied,
  isOutdated,
  type JobError,
  lastResult,
  lastWholeResult,
  listJobErrors,
  listJobs,
  lockJob,
  openJob,
} from './queries.ts'
export type { Schedule } from './schedule.ts'
export { removeSchedule, type ScheduledSource } from './schedule-queries.ts'
export { setSchedule, type WantedSchedule } from './scheduling.ts'
