import { type ActionOn, actions } from '../../../../catalogue/actions.ts'
import { notFound, type Refusal, refuseIssues } from '../../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../../http/etag.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids.ts'
import { type Author, type Authored, authored } from '../../../../platform/outbox.ts'
import { experimentOfRule, refusesOwned } from '../../../model/experiments/index.ts'
import { flagSummary, type LockedFlagEnvironment } from '../../../model/flag-environments/index.ts'
import { type FlagSummary, refusesTransition, ruleSummary, statusOf } from '../../../model/versions/index.ts'
import { type Flag, flagEtag, ofFlag, onDraft } from '../../flags/index.ts'
import { insertSchedule, openSchedule, saveEndings } from './queries.ts'
import { type Schedule, type ScheduleAction, type ScheduleTarget, scheduleIssues } from './schedule.ts'
import { presentSchedule } from './schema.ts'

export interface WantedSchedule {
  action: ScheduleAction
  runAt: Date
  timezone: string
  note: string | null
}

/** The flag of a schedule, in its environment. */
interface Target {
  flag: Flag
  row: LockedFlagEnvironment
}

/** The switch, and the experiment on whose behalf it is scheduled. */
type OwnedTarget = ScheduleTarget & { owner?: string }

const refusesOthers = async (tx: Tx, { ruleId, owner }: OwnedTarget): Promise<Refusal | undefined> =>
  ruleId === null ? undefined : refusesOwned((await experimentOfRule(tx, ruleId))?.id ?? null, owner)

/** Sets the schedule of a switch. There is one open schedule at a time, so an earlier one is cancelled. */
export function setSchedule(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  target: OwnedTarget,
  wanted: WantedSchedule,
): Promise<Schedule | Refusal> {
  return onDraft(db, target, async (on) => {
    const refusal =
      refuseIssues(scheduleIssues(wanted, by.now)) ??
      ifMatch(flagEtag(on.flag)) ??
      (await refusesOthers(on.tx, target)) ??
      refusesTransition('run', statusOf(on.flag, on.row.enabled))
    if (refusal) return refusal
    const open = await openSchedule(on.tx, target)
    if (open && isSame(open, wanted)) return open
    const summary = await flagSummary(on.tx, target.flagId)
    const cancelled = open && (await saveCancelled(on, by, open, summary))
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
    const set = recordOf({ ...on, summary }, by, 'flag.schedule', open, schedule)
    await by.recordAll(on.tx, cancelled ? [cancelled.recorded, set] : [set])
    return schedule
  })
}

const isSame = (open: Schedule, { action, runAt, timezone, note }: WantedSchedule): boolean =>
  open.status === 'PENDING' &&
  open.action === action &&
  open.runAt.getTime() === runAt.getTime() &&
  open.timezone === timezone &&
  open.note === note

export function cancelSchedule(db: Db, by: Author, ifMatch: IfMatch, target: OwnedTarget): Promise<Schedule | Refusal> {
  return onDraft(db, target, async (on) => {
    const open = await openSchedule(on.tx, target)
    if (!open) return notFound('Open schedule')
    const failed = ifMatch(flagEtag(on.flag)) ?? (await refusesOthers(on.tx, target))
    if (failed) return failed
    const cancelled = await saveCancelled(on, by, open, await flagSummary(on.tx, target.flagId))
    await by.recordAll(on.tx, [cancelled.recorded])
    return cancelled.ended
  })
}

async function saveCancelled(on: Target & { tx: Tx }, by: Author, open: Schedule, summary: FlagSummary) {
  const cancelled = endedSchedule({ ...on, summary }, by, open, { status: 'CANCELLED', failureReason: null })
  await saveEndings(on.tx, [cancelled.ended])
  return cancelled
}

const endingActions = {
  SUSPENDED: 'flag.suspend_schedule',
  CANCELLED: 'flag.cancel_schedule',
  DONE: 'flag.complete_schedule',
  FAILED: 'flag.fail_schedule',
} as const

type EndStatus = keyof typeof endingActions

/** A schedule that ends, with its audit entry and event. `summary` is the flag after the change. */
export function endedSchedule(
  { flag, row, summary }: Target & { summary: FlagSummary },
  by: Author,
  schedule: Schedule,
  { status, failureReason }: { status: EndStatus; failureReason: string | null },
): { ended: Schedule; recorded: Authored } {
  const ended = { ...schedule, status, failureReason, updatedAt: by.now }
  return { ended, recorded: recordOf({ flag, row, summary }, by, endingActions[status], schedule, ended) }
}

function recordOf(
  { flag, row, summary }: Target & { summary: FlagSummary },
  by: Author,
  action: Extract<ActionOn<'flag'>, `flag.${string}schedule`>,
  before: Schedule | undefined,
  after: Schedule,
): Authored {
  const rule = [...row.draft.rules, ...row.live.rules].find(({ id }) => id === after.ruleId)
  const environment = { id: row.envId, name: row.envName }
  const [event] = actions[action].events
  return authored(by, {
    ...ofFlag(flag),
    action,
    before: before && presentSchedule(before),
    after: presentSchedule(after),
    events: [
      {
        name: event,
        payload: {
          flag: summary,
          environment,
          ...(rule && { rule: ruleSummary(rule) }),
          schedule: presentSchedule(after),
        },
      },
    ],
  })
}
