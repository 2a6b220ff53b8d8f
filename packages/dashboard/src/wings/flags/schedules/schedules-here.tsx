import { lazy, Suspense } from 'react'
import { useTargeting } from '../flags/targeting-place.ts'
import { useFlagSchedules } from './schedule-queries.ts'

// Most flags have no schedule, and the words need the arithmetic of time zones.
const load = () => import('./schedule-line.tsx')
const Line = lazy(async () => ({ default: (await load()).ScheduleLine }))
const Words = lazy(async () => ({ default: (await load()).SuspensionWords }))

/** What happens by itself to the flag, or to one of its rules, in the environment of the page. */
export function ScheduleHere({ ruleId }: { ruleId: string | null }) {
  const schedule = useSchedulesHere().find((each) => each.ruleId === ruleId)
  return (
    schedule && (
      <Suspense>
        <Line schedule={schedule} />
      </Suspense>
    )
  )
}

/** The scheduled runs that a pause of the flag suspends. */
export function Suspension() {
  const schedules = useSchedulesHere()
  return (
    schedules.length > 0 && (
      <Suspense>
        <Words schedules={schedules} />
      </Suspense>
    )
  )
}

/** The schedules of the flag and its rules in the environment of the page. */
function useSchedulesHere() {
  const { flag, environment } = useTargeting()
  const { data } = useFlagSchedules(flag)
  return (data?.data ?? []).filter(({ envId }) => envId === environment.id)
}
