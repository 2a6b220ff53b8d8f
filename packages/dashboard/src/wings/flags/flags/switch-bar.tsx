import { Button, Group, Text } from '@mantine/core'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import type { SwitchAction } from '../../../ui/status/live-switch.tsx'
import { ScheduleHere } from '../schedules/schedules-here.tsx'
import { useOpenSchedule } from '../schedules/use-open-schedule.ts'
import { FlagSwitch } from '../switches/flag-switch.tsx'
import { useTargeting } from './targeting-place.ts'

// The page is shown before it is loaded.
const Reached = lazy(async () => ({ default: (await import('./reached.tsx')).Reached }))

// For the question, which can be answered before its words are there.
const loadWords = () => import('../switches/switch-words.tsx')
const RunWords = lazy(async () => ({ default: (await loadWords()).RunWords }))
const PauseWords = lazy(async () => ({ default: (await loadWords()).PauseWords }))

interface SwitchBarProps {
  asked: SwitchAction | undefined
  onAsk: (action: SwitchAction | undefined) => void
}

/** Whether the flag runs here, how far the last switch has come, and what happens by itself. */
export function SwitchBar({ asked, onAsk }: SwitchBarProps) {
  const { flag, environment, inEnvironment, mayEdit } = useTargeting()
  const openSchedule = useOpenSchedule()
  const { enabled, schedule, lastPublishedRevision } = inEnvironment
  useEffect(() => void loadWords(), [])
  return (
    <Group gap="md">
      <FlagSwitch
        flag={flag}
        environment={environment}
        isRunning={enabled && flag.status !== 'ARCHIVED'}
        isArchived={flag.status === 'ARCHIVED'}
        isFirstRun={lastPublishedRevision === null}
        withWord
        asked={asked}
        onAsk={onAsk}
        consequence={{ run: <Words is={RunWords} />, pause: <Words is={PauseWords} /> }}
      >
        <Suspense>
          <Reached />
        </Suspense>
      </FlagSwitch>
      <Text size="sm" c="dimmed">
        {lastPublishedRevision === null
          ? 'Not published here yet'
          : `Last published in revision ${lastPublishedRevision}`}
      </Text>
      {mayEdit && !schedule && (
        <Button variant="default" size="compact-sm" onClick={() => openSchedule('flag')}>
          Schedule
        </Button>
      )}
      <ScheduleHere ruleId={null} />
    </Group>
  )
}

const Words = ({ is: Which }: { is: ComponentType }) => (
  <Suspense>
    <Which />
  </Suspense>
)
