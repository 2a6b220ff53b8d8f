import type { Db } from '../../../../platform/db/index.ts'
import { type Authors, systemActor } from '../../../../platform/outbox.ts'
import { type Recurring, recurring } from '../../../../platform/recurring.ts'
import { carryOut, type Switching } from '../actions.ts'
import { claimSchedule, postponeSchedule } from './queries.ts'

const pollMs = 1_000
/** Carrying out a schedule takes a moment. If a node dies meanwhile, another one does it after this time. */
const leaseMs = 10_000

export interface ScheduleWorker extends Recurring {
  /** Carries out all due schedules. The worker calls this every second. */
  run(): Promise<void>
}

interface Context {
  db: Db
  switching: Switching
  authorOf: Authors
  now: () => Date
  onError: (error: unknown) => void
}

/** Every node looks for due schedules. A claim decides which node acts, and the lock of the flag decides what happens. */
export function scheduleWorker({ db, switching, authorOf, now, onError }: Context): ScheduleWorker {
  const run = async () => {
    for (;;) {
      const due = await claimSchedule(db, { now: now(), until: new Date(now().getTime() + leaseMs) })
      if (!due) return
      try {
        await carryOut(switching, authorOf(systemActor('schedule')), due)
      } catch (error) {
        onError(error)
        await postponeSchedule(db, due, now())
      }
    }
  }
  return { ...recurring(run, pollMs, onError), run }
}
