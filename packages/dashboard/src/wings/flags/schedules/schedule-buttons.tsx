import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import {
  cancelSchedule,
  type ListedSchedule,
  refreshSchedules,
  setSchedule,
  switchName,
  targetOf,
} from './schedule-queries.ts'

interface ScheduleButtonsProps {
  projectId: string
  schedule: ListedSchedule
  /** Opens the form. Left out inside the form. */
  onEdit?: () => void
}

/** What can be done with a schedule where it is shown. A suspended one is set again at once, if its time is still to come. */
export function ScheduleButtons({ projectId, schedule, onEdit }: ScheduleButtonsProps) {
  const client = useQueryClient()
  const { status, runAt } = schedule
  const name = switchName(schedule)
  const target = targetOf(projectId, schedule)
  const isAhead = () => new Date(runAt) > new Date()
  const set = useMutation({
    mutationFn: () => setSchedule(target, schedule),
    onSuccess: async () => {
      await refreshSchedules(client)
      announce(`The schedule of ${name} is set again.`)
    },
  })
  const cancel = useMutation({
    mutationFn: () => cancelSchedule(target),
    onSuccess: async () => {
      await refreshSchedules(client)
      announce(`The schedule of ${name} is cancelled.`, isAhead() ? { undo: () => set.mutate() } : {})
    },
  })
  return (
    <>
      <Group gap={4}>
        {status === 'SUSPENDED' && (onEdit || isAhead()) && (
          <Button
            size="compact-sm"
            variant="default"
            loading={set.isPending}
            aria-label={`Set again: ${name}`}
            onClick={() => (isAhead() ? set.mutate() : onEdit?.())}
          >
            Set again
          </Button>
        )}
        {status !== 'SUSPENDED' && onEdit && (
          <Button size="compact-sm" variant="default" aria-label={`${editVerb(status)}: ${name}`} onClick={onEdit}>
            {editVerb(status)}
          </Button>
        )}
        {status !== 'FAILED' && (
          <Button
            size="compact-sm"
            variant="default"
            loading={cancel.isPending}
            aria-label={`Cancel the schedule: ${name}`}
            onClick={() => cancel.mutate()}
          >
            Cancel the schedule
          </Button>
        )}
      </Group>
      <FailureNotice error={set.error ?? cancel.error} />
    </>
  )
}

const editVerb = (status: ListedSchedule['status']): string => (status === 'FAILED' ? 'Schedule again' : 'Change')
