import { type Refusal, refuse, refuseIssues } from '../../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../../http/etag.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids.ts'
import { type Author, type Authored, authored } from '../../../../platform/outbox.ts'
import {
  type Experiment,
  type ExperimentSummary,
  experimentOfRule,
  refusesOwned,
} from '../../../model/experiments/index.ts'
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

const ownerOf = async (tx: Tx, { ruleId }: ScheduleTarget): Promise<Experiment | undefined> =>
  ruleId === null ? undefined : experimentOfRule(tx, ruleId)

/** Sets the schedule of a switch. There is one open schedule at a time, so an earlier one is cancelled. */
export function setSchedule(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  target: OwnedTarget,
  wanted: WantedSchedule,
): Promise<Schedule | Refusal> {
  return onDraft(db, target, async (on) => {
    const experiment = await ownerOf(on.tx, target)
    const refusal =
      refuseIssues(scheduleIssues(wanted, by.now)) ??
      ifMatch(flagEtag(on.flag)) ??
      refusesOwned(experiment?.id ?? null, target.owner) ??
      refusesTransition('run', statusOf(on.flag, on.row.enabled))
    if (refusal) return refusal
    const open = await openSchedule(on.tx, target)
    if (open && isSame(open, wanted)) return open
    const scheduled = { ...on, summary: await flagSummary(on.tx, target.flagId), ...asOwner(experiment) }
    const cancelled = open && (await saveCancelled(scheduled, by, open))
    const { flagId, envId, ruleId } = target
    const schedule: Schedule = {
      ...wanted,
      id: newId(),
      isHidden: on.flag.kind === 'WEB',
      flagId,
      envId,
      ruleId,
      status: 'PENDING',
      failureReason: null,
      createdAt: by.now,
      updatedAt: by.now,
    }
    await insertSchedule(on.tx, schedule)
    const set = recordOf(scheduled, by, 'schedule', open, schedule)
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
    if (!open) return refuse('not_found', 'There is no open schedule to cancel.')
    const experiment = await ownerOf(on.tx, target)
    const failed = ifMatch(flagEtag(on.flag)) ?? refusesOwned(experiment?.id ?? null, target.owner)
    if (failed) return failed
    const scheduled = { ...on, summary: await flagSummary(on.tx, target.flagId), ...asOwner(experiment) }
    const cancelled = await saveCancelled(scheduled, by, open)
    await by.recordAll(on.tx, [cancelled.recorded])
    return cancelled.ended
  })
}

/** What a schedule is about, after the change. */
interface Scheduled extends Target {
  summary: FlagSummary
  /** The experiment that owns the rule. The audit entry and the event name it instead of the flag. */
  experiment: ExperimentSummary | undefined
}

const asOwner = (experiment: Experiment | undefined) => ({
  experiment: experiment && { ...experiment, previousStatus: experiment.status },
})

async function saveCancelled(on: Scheduled & { tx: Tx }, by: Author, open: Schedule) {
  const cancelled = endedSchedule(on, by, open, { status: 'CANCELLED', failureReason: null })
  await saveEndings(on.tx, [cancelled.ended])
  return cancelled
}

const endingVerbs = {
  SUSPENDED: 'suspend_schedule',
  CANCELLED: 'cancel_schedule',
  DONE: 'complete_schedule',
  FAILED: 'fail_schedule',
} as const

type EndStatus = keyof typeof endingVerbs

/** A schedule that ends, with its audit entry and event. */
export function endedSchedule(
  scheduled: Scheduled,
  by: Author,
  schedule: Schedule,
  { status, failureReason }: { status: EndStatus; failureReason: string | null },
): { ended: Schedule; recorded: Authored } {
  const ended = { ...schedule, status, failureReason, updatedAt: by.now }
  return { ended, recorded: recordOf(scheduled, by, endingVerbs[status], schedule, ended) }
}

function recordOf(
  { flag, row, summary, experiment }: Scheduled,
  by: Author,
  verb: 'schedule' | (typeof endingVerbs)[EndStatus],
  before: Schedule | undefined,
  after: Schedule,
): Authored {
  const rule = [...row.draft.rules, ...row.live.rules].find(({ id }) => id === after.ruleId)
  const schedule = presentSchedule(after)
  const change = { ...ofFlag(flag), before: before && presentSchedule(before), after: schedule }
  const place = { flag: summary, environment: { id: row.envId, name: row.envName } }
  if (experiment && rule) {
    const { id, shortId, name, status, previousStatus } = experiment
    const told = { experiment: { id, shortId, name, status, previousStatus }, schedule }
    const { environment } = place
    const failed = { ...told, environment, rule: ruleSummary(rule), ...(flag.kind === 'FLAG' && { flag: summary }) }
    return authored(by, {
      ...change,
      object: { type: 'experiment', id, name },
      action: `experiment.${verb}`,
      events: [
        verb === 'fail_schedule'
          ? { name: 'experiment.schedule_failed', payload: failed }
          : { name: 'experiment.updated', payload: told },
      ],
    })
  }
  const name = verb === 'fail_schedule' ? 'flag.schedule_failed' : 'flag.schedule_updated'
  const payload = { ...place, ...(rule && { rule: ruleSummary(rule) }), schedule }
  return authored(by, { ...change, action: `flag.${verb}`, events: [{ name, payload }] })
}
