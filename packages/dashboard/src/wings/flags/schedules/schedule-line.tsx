import { Group, Text } from '@mantine/core'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import { statusOf } from '../../../ui/status/status-words.ts'
import { useNow } from '../../../ui/time/time.tsx'
import { ownZone } from '../../../ui/time/zoned-time.ts'
import { ScheduleButtons } from './schedule-buttons.tsx'
import type { ListedSchedule } from './schedule-queries.ts'
import { scheduleSentence, suspensionWords } from './schedule-words.ts'

interface ScheduleLineProps {
  schedule: ListedSchedule
  projectId: string
  mayEdit: boolean
  /** Opens the form. */
  onEdit: () => void
}

/** A schedule in a sentence, with its buttons. */
export function ScheduleLine({ schedule, projectId, mayEdit, onEdit }: ScheduleLineProps) {
  const now = useNow()
  return (
    <Group gap="xs">
      <StatusDot tone={statusOf('schedule', schedule.status).tone}>
        {scheduleSentence(schedule, now, ownZone())}
        {schedule.note && (
          <Text span c="dimmed" inherit>
            {' '}
            “{schedule.note}”
          </Text>
        )}
      </StatusDot>
      {mayEdit && <ScheduleButtons projectId={projectId} schedule={schedule} onEdit={onEdit} />}
    </Group>
  )
}

export function SuspensionWords({ schedules }: { schedules: readonly ListedSchedule[] }) {
  const words = suspensionWords(schedules)
  return words && <> {words}</>
}
