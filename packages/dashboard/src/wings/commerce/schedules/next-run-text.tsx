import { moment } from '../../../ui/time/dates.ts'
import { Time, useNow } from '../../../ui/time/time.tsx'
import { nextRun } from './next-run.ts'
import type { Schedule } from './schedule-values.ts'

/** When the next run begins by itself, or that none does. */
export function NextRunText({ schedule }: { schedule: Schedule | null }) {
  const now = useNow()
  const next = schedule ? nextRun(schedule, now) : undefined
  if (!next) return 'It has no schedule, so a run begins when someone asks.'
  return (
    <>
      The next one begins <Time time={next.toISOString()} />, {moment(next)}.
    </>
  )
}

/** The same in a cell of a table. */
export function NextRunCell({ schedule }: { schedule: Schedule | null }) {
  const now = useNow()
  const next = schedule ? nextRun(schedule, now) : undefined
  return next ? <Time time={next.toISOString()} /> : 'When someone asks'
}
