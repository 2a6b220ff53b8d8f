import { Text } from '@mantine/core'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import type { Flag } from '../../flags/flags/flag-queries.ts'
import { ScheduleLine } from '../../flags/schedules/schedule-line.tsx'
import { ScheduleForm } from '../../flags/schedules/schedule-panel.tsx'
import { useSchedules } from '../../flags/schedules/schedule-queries.ts'
import type { Experiment } from './experiment.ts'
import { scheduledWords, webScheduledWords } from './experiment-words.ts'

interface ScheduleExperimentProps {
  experiment: Experiment
  /** None for a web experiment. */
  flag?: Flag
  /** The name of the environment. */
  place: string
  canEdit: boolean
  /** Whether the form is open. */
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
}

/** What happens by itself to an experiment, or failed to, and the form for it. */
export function ScheduleExperiment(props: ScheduleExperimentProps) {
  const { experiment, flag, place, canEdit, isOpen, onOpen, onClose } = props
  const { id, name, status, projectId, envId, ruleId } = experiment
  const query = useSchedules(projectId, flag?.id)
  const all = query.data?.data ?? []
  const isThis = (each: (typeof all)[number]) => (flag ? each.ruleId === ruleId : each.experiment?.id === id)
  const current = all.find(isThis)
  const title = `Schedule: ${name}`
  const isPaused = flag?.environments.some((each) => each.envId === envId && !each.enabled)
  return (
    <>
      {current && <ScheduleLine schedule={current} projectId={projectId} mayEdit={canEdit} onEdit={onOpen} />}
      {isOpen && !query.data && (
        <SidePanel title={title} description={place} onClose={onClose}>
          <Loaded query={query}>{() => null}</Loaded>
        </SidePanel>
      )}
      {isOpen && query.data && (
        <ScheduleForm
          // Another schedule was set meanwhile: what is typed is kept, and shown again.
          key={current?.id}
          title={title}
          name={name}
          place={place}
          target={{ projectId, flagId: flag?.id ?? '', envId, ruleId, experimentId: id }}
          isRunning={status === 'RUNNING'}
          current={current}
          others={flag ? all.filter((each) => !isThis(each)) : []}
          consequence={(action) => (
            <Text size="sm" c="dimmed">
              {flag
                ? scheduledWords(action, { status, flag: flag.name, place, isPaused: isPaused === true })
                : webScheduledWords(action, { status, place })}
            </Text>
          )}
          onClose={onClose}
        />
      )}
    </>
  )
}
