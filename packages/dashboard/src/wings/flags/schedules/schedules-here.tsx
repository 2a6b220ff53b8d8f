import { lazy, Suspense } from 'react'
import { useTargeting } from '../flags/targeting-place.ts'
import { useFlagSchedules } from './schedule-queries.ts'
import { useOpenSchedule } from './use-open-schedule.ts'

// Most flags have no schedule, and the words need the arithmetic of time zones.
const load = () => import('./schedule-line.tsx')
const Line = lazy(async () => ({ default: (await load()).ScheduleLine }))
const Words = lazy(async () => ({ default: (await load()).SuspensionWords }))

/** What happens by itself to the flag, or to one of its rules, in the environment of the page. */
export function ScheduleHere({ ruleId }: { ruleId: string | null }) {
  const { flag, mayEdit } = useTargeting()
  const open = useOpenSchedule()
  const schedule = useSchedulesHere().find((each) => each.ruleId === ruleId)
  return (
    schedule && (
      <Suspense>
        <Line
          schedule={schedule}
          projectId={flag.projectId}
          // That of an experiment is changed on its page.
          mayEdit={mayEdit && schedule.experiment === null}
          onEdit={() => open(ruleId ?? 'flag')}
        />
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
