import { type Issue, type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import { isTimeZone } from '../../../../fields.ts'

export type ScheduleAction = 'RUN' | 'PAUSE'

/** PENDING: it waits. SUSPENDED: a pause by hand stopped it. DONE, FAILED, CANCELLED: it has ended. */
export type ScheduleStatus = 'PENDING' | 'SUSPENDED' | 'DONE' | 'FAILED' | 'CANCELLED'

/** What a schedule switches: a flag in an environment, or one of its rules. */
export interface ScheduleTarget {
  flagId: string
  envId: string
  ruleId: string | null
}

export interface Schedule extends ScheduleTarget {
  id: string
  /** The flag is that of a web experiment, which is hidden. */
  isHidden: boolean
  action: ScheduleAction
  runAt: Date
  /** The IANA zone in which people see the time. It does not affect when the schedule runs. */
  timezone: string
  note: string | null
  status: ScheduleStatus
  failureReason: string | null
  createdAt: Date
  updatedAt: Date
}

/** A schedule that is later than this fails, because a launch should not happen hours late. */
const graceMs = 3_600_000
const longestAheadMs = 366 * 24 * graceMs

/** What a worker must do with a schedule. */
export function verdictOn({ status, runAt }: Pick<Schedule, 'status' | 'runAt'>, now: Date): 'leave' | 'act' | 'fail' {
  const lateMs = now.getTime() - runAt.getTime()
  if (status !== 'PENDING' || lateMs < 0) return 'leave'
  return lateMs < graceMs ? 'act' : 'fail'
}

export const tooLate = 'The service was not running when the schedule was due, and for more than an hour afterwards.'

/** Failed schedules are listed for this long, unless a later one replaced them. */
export const failedListedMs = 7 * 24 * graceMs

/** The place of a schedule in the list of a project: what needs attention comes first, then the order is by time. */
export interface Place {
  isPending: boolean
  runAt: Date
  id: string
}

/** A place as text, for cursors. The schedule can have another status when the next page is read. */
export const placeOf = ({ status, runAt, id }: Pick<Schedule, 'status' | 'runAt' | 'id'>): string =>
  `${status === 'PENDING' ? 1 : 0} ${runAt.toISOString()} ${id}`

export function placeIn(text: string): Place {
  const [isPending, runAt, id] = text.split(' ') as [string, string, string]
  return { isPending: isPending === '1', runAt: new Date(runAt), id }
}

/** The schedule guard: refuses a run by hand while a scheduled run is pending. */
export function refusesRun(open: Schedule | undefined): Refusal | undefined {
  if (open?.status !== 'PENDING' || open.action !== 'RUN') return undefined
  const runAt = open.runAt.toISOString()
  return refuse('schedule_pending', `A run is scheduled for ${runAt}. Cancel the schedule first, or wait for it.`, {
    scheduleId: open.id,
    action: open.action,
    runAt,
  })
}

/** The issues of a schedule that its schema does not find. */
export function scheduleIssues({ runAt, timezone }: { runAt: Date; timezone: string }, now: Date): Issue[] {
  const aheadMs = runAt.getTime() - now.getTime()
  return [
    ...(aheadMs > 0 ? [] : [{ path: ['runAt'], message: 'must be in the future.' }]),
    ...(aheadMs <= longestAheadMs ? [] : [{ path: ['runAt'], message: 'must be at most a year ahead.' }]),
    ...(isTimeZone(timezone)
      ? []
      : [{ path: ['timezone'], message: 'must be an IANA time zone, such as Europe/Amsterdam or UTC.' }]),
  ]
}
