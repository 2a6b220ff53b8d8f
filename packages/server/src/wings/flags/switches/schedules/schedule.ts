import { type Issue, type Refusal, refuse } from '../../../../catalogue/refusals.ts'

export type ScheduleAction = 'RUN' | 'PAUSE'

/** PENDING waits · SUSPENDED a pause by hand stopped it · DONE, FAILED, CANCELLED it has ended. */
export type ScheduleStatus = 'PENDING' | 'SUSPENDED' | 'DONE' | 'FAILED' | 'CANCELLED'

/** What a schedule moves: the switch of a flag in an environment, or of one of its rules. */
export interface ScheduleTarget {
  flagId: string
  envId: string
  ruleId: string | null
}

export interface Schedule extends ScheduleTarget {
  id: string
  action: ScheduleAction
  runAt: Date
  /** An IANA zone: what the moment was meant in. It decides nothing. */
  timezone: string
  note: string | null
  status: ScheduleStatus
  failureReason: string | null
  createdAt: Date
  updatedAt: Date
}

/** Down for longer than this, and what was due fails: nobody expects a launch hours late. */
const graceMs = 3_600_000
const longestAheadMs = 366 * 24 * graceMs

/** What a worker that finds a schedule has to do. */
export function verdictOn({ status, runAt }: Pick<Schedule, 'status' | 'runAt'>, now: Date): 'leave' | 'act' | 'fail' {
  const lateMs = now.getTime() - runAt.getTime()
  if (status !== 'PENDING' || lateMs < 0) return 'leave'
  return lateMs < graceMs ? 'act' : 'fail'
}

export const tooLate = 'The service was not running when the schedule was due, and for more than an hour after.'

/** The schedule guard: what is set to run by itself is not run by hand beside it. */
export function refusesRun(open: Schedule | undefined): Refusal | undefined {
  if (open?.status !== 'PENDING' || open.action !== 'RUN') return undefined
  const runAt = open.runAt.toISOString()
  return refuse('schedule_pending', `A scheduled run is set for ${runAt}. Cancel it or run with the schedule first.`, {
    scheduleId: open.id,
    action: open.action,
    runAt,
  })
}

/** What a wanted schedule must satisfy beyond its shape. */
export function scheduleIssues({ runAt, timezone }: { runAt: Date; timezone: string }, now: Date): Issue[] {
  const aheadMs = runAt.getTime() - now.getTime()
  return [
    ...(aheadMs > 0 ? [] : [{ path: ['runAt'], message: 'The moment must lie in the future.' }]),
    ...(aheadMs <= longestAheadMs ? [] : [{ path: ['runAt'], message: 'The moment may lie a year ahead at most.' }]),
    ...(isTimeZone(timezone)
      ? []
      : [{ path: ['timezone'], message: 'Name an IANA time zone, such as Europe/Amsterdam or UTC.' }]),
  ]
}

function isTimeZone(name: string): boolean {
  // Offsets such as +02:00 are accepted by the runtime, but are no zone: they know no summer time.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
