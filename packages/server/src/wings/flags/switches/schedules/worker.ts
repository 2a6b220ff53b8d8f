import type { Db } from '../../../../platform/db/index.ts'
import { type Authors, systemActor } from '../../../../platform/outbox.ts'
import { type Recurring, recurring } from '../../../../platform/recurring.ts'
import { carryOut, type Switching } from '../actions.ts'
import { dueSchedules } from './queries.ts'

const pollMs = 1_000
const maxAtOnce = 100

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

/** Every node looks for due schedules. The lock of the flag decides which node acts. */
export function scheduleWorker({ db, switching, authorOf, now, onError }: Context): ScheduleWorker {
  const run = async () => {
    for (const due of await dueSchedules(db, now(), maxAtOnce))
      await carryOut(switching, authorOf(systemActor('schedule')), due).catch(onError)
  }
  return { ...recurring(run, pollMs, onError), run }
}
