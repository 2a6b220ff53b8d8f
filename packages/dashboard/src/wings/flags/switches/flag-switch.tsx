import { Button, Group } from '@mantine/core'
import type { ApiError } from '@svc/client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLostAt } from '../../../api/connection.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { announce } from '../../../ui/notice/announce.tsx'
import { LiveSwitch, type SwitchAction } from '../../../ui/status/live-switch.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { cancelSchedule, refreshSchedules, setAgain } from '../schedules/schedule-queries.ts'
import { Spread } from './spread.tsx'
import { forget, type SwitchAnswer, switchTo, type Target, useSwitching } from './switching.ts'

interface FlagSwitchProps {
  flag: { key: string; name: string }
  environment: Pick<Environment, 'id' | 'key' | 'name' | 'protected'>
  /** Set for the switch of a rule. */
  rule?: { id: string; name: string }
  /** As the service says. */
  isRunning: boolean
  isArchived: boolean
  /** A run would publish the draft here for the first time. Pausing it again does not take that back. */
  isFirstRun?: boolean
  withWord?: boolean
  /** What each action will do, in sentences. */
  consequence: Record<SwitchAction, ReactNode>
  /** Set by the page for the keys P and R. */
  asked?: SwitchAction | undefined
  onAsk?: (action: SwitchAction | undefined) => void
  /** Shown beside the switch when nothing has happened to it. */
  children?: ReactNode
}

/**
 * The switch of a flag or of a rule in an environment. It acts at once, except in protected environments, where it asks
 * first. The words beside it say how far the change has come, or why it was refused.
 */
export function FlagSwitch(props: FlagSwitchProps) {
  const { flag, environment, rule, isArchived, withWord, consequence, children } = props
  const mayEdit = useMay('flags:write')
  const isAway = useLostAt() !== null
  const [own, setOwn] = useState<SwitchAction>()
  const { target, act, runNow } = useActs(props)
  const { isPending, isRunning = props.isRunning, spread, failure } = useSwitching(target)
  return (
    // In a column there is one line; on a page the words go below the switch where they do not fit beside it.
    <Group gap="xs" wrap={withWord ? 'wrap' : 'nowrap'}>
      <LiveSwitch
        label={`${rule ? `${rule.name} of ${flag.name}` : flag.name} in ${environment.name}`}
        isRunning={isRunning}
        {...(withWord && { withWord })}
        isPending={isPending}
        locked={lockOf({ mayEdit, isArchived, isAway })}
        asks={environment.protected}
        asked={props.asked ?? own}
        onAsk={(action) => {
          setOwn(action)
          props.onAsk?.(action)
        }}
        onSwitch={(action) => void act(action)}
        consequence={consequence}
        refusal={
          // Without an answer, the change can have arrived after all: then the state says so.
          failure &&
          (failure.action === 'run') !== props.isRunning && (
            <Refusal
              error={failure.error}
              action={failure.action}
              isUnsure={failure.isUnsure}
              again={failure.again}
              dismiss={() => forget(target)}
              runNow={runNow}
            />
          )
        }
      />
      {spread ? <Spread state={spread} environment={environment.key} /> : children}
    </Group>
  )
}

/** What the switch does, with what is said of it and the way back. */
function useActs({ flag, environment, rule, isFirstRun = false }: FlagSwitchProps) {
  const client = useQueryClient()
  const { project } = usePlace()
  const target: Target = {
    projectId: project.id,
    flagKey: flag.key,
    environment,
    ...(rule && { ruleId: rule.id }),
  }
  const act = async (action: SwitchAction) => {
    const answer = await switchTo(client, target, action)
    if (answer?.changed) announceSwitch(answer, action, () => void takeBack(answer, action))
  }
  // A run first: it would be refused while a scheduled run is pending.
  const takeBack = async ({ suspendedSchedules }: SwitchAnswer, action: SwitchAction) => {
    const answer = await switchTo(client, target, action === 'run' ? 'pause' : 'run')
    if (answer && isFirstRun) announce(`${flag.name} is paused in ${environment.name}. Its draft stays published.`)
    if (!answer || suspendedSchedules.length === 0) return
    const late = await setAgain(project.id, suspendedSchedules)
    await refreshSchedules(client)
    announce(late === 0 ? 'Runs again, and the schedule is set again.' : 'Runs again. The scheduled time has passed.')
  }
  const announceSwitch = (answer: SwitchAnswer, action: SwitchAction, undo: () => void) => {
    const what = `${rule?.name ?? flag.name} ${action === 'run' ? 'runs' : 'is paused'} in ${environment.name}.`
    const suspended = answer.suspendedSchedules.length
    if (suspended > 0) void refreshSchedules(client)
    if (isFirstRun && action === 'run') return announce(`${what} Its draft is published.`, { undo, verb: 'Pause' })
    const consequence = suspended > 1 ? `${suspended} schedules are suspended.` : 'Its schedule is suspended.'
    announce(suspended > 0 ? `${what} ${consequence}` : what, { undo })
  }
  const runNow = async () => {
    await cancelSchedule({ projectId: project.id, flagId: flag.key, envId: environment.id, ruleId: rule?.id ?? null })
    await refreshSchedules(client)
    await act('run')
  }
  return { target, act, runNow }
}

function lockOf(of: { mayEdit: boolean; isArchived: boolean; isAway: boolean }): string | undefined {
  if (!of.mayEdit) return 'Your role can look at flags, but not run or pause them.'
  if (of.isArchived) return 'This flag is archived. Restore it to run it.'
  return of.isAway ? 'The service does not answer. Wait until it does.' : undefined
}

interface RefusalProps {
  error: ApiError
  action: SwitchAction
  isUnsure: boolean
  again: () => void
  dismiss: () => void
  runNow: () => Promise<void>
}

/** Why a switch went back, and what can be done: a run that is scheduled can be made now instead. */
function Refusal({ error, action, isUnsure, again, dismiss, runNow }: RefusalProps) {
  const { runAt } = error.details
  if (error.code === 'schedule_pending' && typeof runAt === 'string')
    return (
      <>
        It is scheduled to run <Time time={runAt} />.{' '}
        <Button size="compact-sm" onClick={() => void runNow()}>
          Run now, cancel the schedule
        </Button>{' '}
        <Button size="compact-sm" variant="default" onClick={dismiss}>
          Keep the schedule
        </Button>
      </>
    )
  return (
    <>
      {isUnsure ? 'It may not have arrived' : action === 'run' ? 'Not run' : 'Not paused'}: {error.message}{' '}
      <Button size="compact-sm" onClick={again}>
        Try again
      </Button>{' '}
      <Button size="compact-sm" variant="default" onClick={dismiss}>
        Dismiss
      </Button>
    </>
  )
}
