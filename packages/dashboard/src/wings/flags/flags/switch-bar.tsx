import { Button, Group, List, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { counted } from '../../../ui/lists.ts'
import type { SwitchAction } from '../../../ui/live-switch.tsx'
import { consequenceOf } from '../rules/rule-words.tsx'
import { ScheduleHere, Suspension } from '../schedules/schedules-here.tsx'
import { useOpenSchedule } from '../schedules/use-open-schedule.ts'
import { FlagSwitch } from '../switches/flag-switch.tsx'
import { useTargeting } from './targeting-place.ts'

// The page is there without it.
const Reached = lazy(async () => ({ default: (await import('./reached.tsx')).Reached }))

interface SwitchBarProps {
  asked: SwitchAction | undefined
  onAsk: (action: SwitchAction | undefined) => void
}

/** Whether the flag runs here, how far the last switch has come, and what happens by itself. */
export function SwitchBar({ asked, onAsk }: SwitchBarProps) {
  const { flag, environment, inEnvironment, mayEdit } = useTargeting()
  const openSchedule = useOpenSchedule()
  const { enabled, revision, schedule, lastPublishedRevision } = inEnvironment
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
        consequence={{ run: <RunWords />, pause: <PauseWords /> }}
      >
        <Suspense>
          <Reached />
        </Suspense>
      </FlagSwitch>
      <Text size="sm" c="dimmed">
        {lastPublishedRevision === null
          ? 'Not published here yet'
          : `Published in revision ${lastPublishedRevision} of ${revision}`}
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

function PauseWords() {
  const { environment, inEnvironment, rules } = useTargeting()
  const serving = inEnvironment.live.rules.filter(({ id }) => rules.find((rule) => rule.id === id)?.enabled)
  return (
    <>
      Every visitor in {environment.name} gets <strong>{usePausedVariation()}</strong>.
      {serving.length > 0 && ` ${counted(serving.length, 'rule')} ${serving.length === 1 ? 'stops' : 'stop'} serving.`}
      <Suspension />
    </>
  )
}

function RunWords() {
  const { environment, inEnvironment, rules } = useTargeting()
  const { lastPublishedRevision, draft, live, changes } = inEnvironment
  const isFirst = lastPublishedRevision === null
  const { defaultVariationKey, rules: served } = isFirst ? draft : live
  const enabled = served.filter(({ id }) => rules.find((rule) => rule.id === id)?.enabled)
  return (
    <>
      {isFirst && (
        <Text size="sm" mb="xs">
          This publishes the draft in {environment.name}: {counted(draft.rules.length, 'rule')}.
        </Text>
      )}
      {enabled.length > 0 && (
        <List size="sm">
          {enabled.map((rule) => (
            <List.Item key={rule.id}>{consequenceOf(rule)}</List.Item>
          ))}
        </List>
      )}
      <Text size="sm">
        {enabled.length > 0 ? 'Everybody else' : `Every visitor in ${environment.name}`} gets{' '}
        <strong>{defaultVariationKey}</strong>.
        {!isFirst &&
          changes.length > 0 &&
          ` ${counted(changes.length, 'unpublished change')} ${changes.length === 1 ? 'stays' : 'stay'} unpublished.`}
      </Text>
    </>
  )
}

/** What visitors get while the flag is paused: the default of the flag, as it was last published. */
export function usePausedVariation(): string {
  const { flag, inEnvironment } = useTargeting()
  const change = inEnvironment.changes.find(({ path }) => path === 'pausedVariationKey')
  return typeof change?.from === 'string' ? change.from : flag.defaultVariationKey
}
