import { isDeepStrictEqual } from 'node:util'
import { type Database, isUnavailable, type Tx } from '../db/index.ts'
import { newId } from '../ids.ts'
import type { JobKind, Scheduling } from './kind.ts'
import { insertJobUnlessOpen } from './queries.ts'
import { lateAfterMs, nextSlot, noneSucceeded, notStarted, overdueAt, type Schedule } from './schedule.ts'
import {
  type JobSchedule,
  listDue,
  listMissed,
  lockDue,
  lockMissed,
  lockSchedule,
  removeSchedule,
  renameScheduled,
  saveMissed,
  saveNext,
  saveSchedule,
  saveSuccess,
} from './schedule-queries.ts'

export interface WantedSchedule {
  projectId: string
  sourceId: string
  /** The name of the source. */
  name: string
  kind: string
  /** Null: jobs run only when they are asked for. */
  schedule: Schedule | null
  now: Date
}

/**
 * Writes when jobs of a source run by themselves, in the transaction that writes the source and holds its lock. The same
 * schedule once more does not move its slots.
 */
export async function setSchedule(tx: Tx, { sourceId, schedule, now, ...of }: WantedSchedule): Promise<void> {
  if (schedule === null) return removeSchedule(tx, sourceId)
  const held = await lockSchedule(tx, sourceId)
  if (isDeepStrictEqual(held, schedule)) return renameScheduled(tx, { sourceId, ...of })
  const times = { nextAt: nextSlot(schedule, now), overdueAt: overdueAt(schedule, now) }
  await saveSchedule(tx, { sourceId, schedule, now, ...of, ...times })
}

export interface SchedulingContext {
  db: Database['db']
  kinds: ReadonlyMap<string, JobKind>
  now: Date
  onError: (error: unknown) => void
  asked: (kind: string) => void
}

/** Makes a job for each source whose slot has come. Slots that were missed become one. */
export async function makeDue(context: SchedulingContext): Promise<void> {
  const { db, now } = context
  const schedulings = schedulingsOf(context)
  const names = [...schedulings.keys()]
  await eachAlone(context, await listDue(db, names, now), async (tx, sourceId) => {
    const due = await lockDue(tx, sourceId, names, now)
    if (due) await begin(tx, due, schedulings.get(due.kind)!, context)
  })
}

/** A job that is already open takes the slot. Without a chance to succeed, there is none. */
async function begin(
  tx: Tx,
  due: JobSchedule & { hasOpenJob: boolean },
  scheduling: Scheduling,
  { kinds, now, asked }: SchedulingContext,
): Promise<void> {
  const { projectId, kind, source, nextAt } = due
  await saveNext(tx, source.id, nextSlot(due.schedule, now))
  if (due.hasOpenJob) return
  const of = { projectId, sourceId: source.id }
  const hindrance = (await scheduling.hindrance?.(tx, of)) ?? null
  if (hindrance !== null) {
    if (due.incident !== hindrance) await tell(tx, due, scheduling, hindrance, now)
    return
  }
  const input = await scheduling.input(tx, of)
  const wanted = { id: newId(), projectId, kind, source, trigger: 'SCHEDULE', input, dueAt: now } as const
  const isMade = await insertJobUnlessOpen(tx, { ...wanted, queues: kinds.get(kind)!.queues, retriesJobId: null })
  if (!isMade) return
  asked(kind)
  const isLate = now.getTime() - nextAt.getTime() > lateAfterMs
  if (isLate && due.incident === null) await tell(tx, due, scheduling, notStarted(nextAt), now)
}

/** Reports schedules that are not kept, once until the next success. */
export async function findMissed(context: SchedulingContext): Promise<void> {
  const { db, now } = context
  const schedulings = schedulingsOf(context)
  const names = [...schedulings.keys()]
  await eachAlone(context, await listMissed(db, names, now), async (tx, sourceId) => {
    const missed = await lockMissed(tx, sourceId, names, now)
    if (!missed) return
    const isLate = now.getTime() - missed.nextAt.getTime() > lateAfterMs
    const incident = isLate ? notStarted(missed.nextAt) : noneSucceeded(missed.succeededAt ?? missed.scheduledAt)
    await tell(tx, missed, schedulings.get(missed.kind)!, incident, now)
  })
}

async function tell(tx: Tx, of: JobSchedule, scheduling: Scheduling, incident: string, now: Date): Promise<void> {
  await saveMissed(tx, of.source.id, incident, now)
  await scheduling.missed(tx, of, incident)
}

/**
 * Holds the schedule of a source while one of its jobs ends well. What this returns then ends what was told.
 */
export async function holdSchedule(tx: Tx, sourceId: string, now: Date): Promise<() => Promise<void>> {
  const schedule = await lockSchedule(tx, sourceId)
  return async () => {
    if (schedule) await saveSuccess(tx, sourceId, now, overdueAt(schedule, now))
  }
}

const schedulingsOf = ({ kinds }: Pick<SchedulingContext, 'kinds'>): Map<string, Scheduling> =>
  new Map([...kinds.values()].flatMap(({ name, scheduling }) => (scheduling ? [[name, scheduling] as const] : [])))

/** Works on each source in a transaction of its own. One that cannot be worked on stops no other. */
async function eachAlone(
  { db, onError }: Pick<SchedulingContext, 'db' | 'onError'>,
  sourceIds: readonly string[],
  work: (tx: Tx, sourceId: string) => Promise<void>,
): Promise<void> {
  for (const sourceId of sourceIds) {
    try {
      await db.transaction().execute((tx) => work(tx, sourceId))
    } catch (error) {
      if (isUnavailable(error)) throw error
      onError(error)
    }
  }
}
