import { type ActionOn, actions } from '../../../../catalogue/actions.ts'
import { notFound, type Refusal, refuseIssues } from '../../../../catalogue/refusals.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { flagSummary, type LockedFlagEnvironment, ruleSummary, statusOf } from '../../../model/versions/index.ts'
import { type Flag, onDraft, recordFlagChange, refusesTransition } from '../../flags/index.ts'
import { insertSchedule, openSchedule, saveStatus } from './queries.ts'
import { refusesRun, type Schedule, type ScheduleAction, type ScheduleTarget, scheduleIssues } from './schedule.ts'
import { presentSchedule } from './schema.ts'

export interface WantedSchedule {
  action: ScheduleAction
  runAt: Date
  timezone: string
  note: string | null
}

/** Every schedule of a flag changes under the flag's lock, as its switches do: the guard sees what will be. */
interface OnTarget {
  tx: Tx
  flag: Flag
  row: LockedFlagEnvironment
}

/** Sets the one open schedule of a switch; an earlier one is cancelled. */
export function setSchedule(
  db: Db,
  by: Author,
  target: ScheduleTarget,
  wanted: WantedSchedule,
): Promise<Schedule | Refusal> {
  return onDraft(db, target, async (on) => {
    const refusal =
      refuseIssues(scheduleIssues(wanted, by.now)) ?? refusesTransition('run', statusOf(on.flag, on.row.enabled))
    if (refusal) return refusal
    const open = await openSchedule(on.tx, target)
    if (open && isSame(open, wanted)) return open
    if (open) await end(on, by, open, 'CANCELLED')
    const { flagId, envId, ruleId } = target
    const schedule: Schedule = {
      ...wanted,
      id: newId(),
      flagId,
      envId,
      ruleId,
      status: 'PENDING',
      failureReason: null,
      createdAt: by.now,
      updatedAt: by.now,
    }
    await insertSchedule(on.tx, schedule)
    await record(on, by, 'flag.schedule', open, schedule)
    return schedule
  })
}

const isSame = (open: Schedule, { action, runAt, timezone, note }: WantedSchedule): boolean =>
  open.status === 'PENDING' &&
  open.action === action &&
  open.runAt.getTime() === runAt.getTime() &&
  open.timezone === timezone &&
  open.note === note

export function cancelSchedule(db: Db, by: Author, target: ScheduleTarget): Promise<Schedule | Refusal> {
  return onDraft(db, target, async (on) => {
    const open = await openSchedule(on.tx, target)
    return open ? end(on, by, open, 'CANCELLED') : notFound('Open schedule')
  })
}

/** For a run by hand, under the flag's lock. */
export const guardRun = async (tx: Tx, target: ScheduleTarget): Promise<Refusal | undefined> =>
  refusesRun(await openSchedule(tx, target))

/** The runs that a pause by hand leaves waiting: nothing that it stops starts again by itself. */
export async function suspend(on: OnTarget, by: Author, runs: readonly Schedule[]): Promise<Schedule[]> {
  const suspended: Schedule[] = []
  for (const run of runs) suspended.push(await end(on, by, run, 'SUSPENDED'))
  return suspended
}

const endings = {
  SUSPENDED: 'flag.suspend_schedule',
  CANCELLED: 'flag.cancel_schedule',
  DONE: 'flag.complete_schedule',
  FAILED: 'flag.fail_schedule',
} as const

export async function end(
  on: OnTarget,
  by: Author,
  schedule: Schedule,
  status: keyof typeof endings,
  failureReason: string | null = null,
): Promise<Schedule> {
  const ended = { ...schedule, status, failureReason, updatedAt: by.now }
  await saveStatus(on.tx, schedule.id, status, failureReason, by.now)
  await record(on, by, endings[status], schedule, ended)
  return ended
}

async function record(
  { tx, flag, row }: OnTarget,
  by: Author,
  action: Extract<ActionOn<'flag'>, `flag.${string}schedule`>,
  before: Schedule | undefined,
  after: Schedule,
): Promise<void> {
  const rule = [...row.draft.rules, ...row.live.rules].find(({ id }) => id === after.ruleId)
  const environment = { id: row.envId, name: row.envName }
  const [event] = actions[action].events
  await recordFlagChange(tx, by, flag, {
    action,
    before: before && presentSchedule(before),
    after: presentSchedule(after),
    events: [
      {
        name: event,
        payload: {
          flag: await flagSummary(tx, flag.id),
          environment,
          ...(rule && { rule: ruleSummary(rule) }),
          schedule: presentSchedule(after),
        },
      },
    ],
  })
}
