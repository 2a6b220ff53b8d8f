import { Button, Popover } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import classes from './live-switch.module.css'

export type SwitchAction = 'run' | 'pause'

interface LiveSwitchProps {
  /** What is switched, and where: "One-page checkout in Production". Screen readers get it. */
  label: string
  isRunning: boolean
  /** Shows "Running" or "Paused" beside the switch. In a column with a heading, the switch is enough. */
  withWord?: boolean
  /** The switch has moved, and the service has not answered yet. */
  isPending?: boolean
  /** Why the person cannot switch, in a sentence. Also the tooltip of the switch. */
  locked?: string | undefined
  /** Called when the action is decided: at once, or from the popover. */
  onSwitch: (action: SwitchAction) => void
  /** A click asks first, as in protected environments. */
  asks?: boolean
  /** The action that the popover asks about. The page can set it, for the keys P and R. */
  asked?: SwitchAction | undefined
  onAsk: (action: SwitchAction | undefined) => void
  /** What each action will do, for the popover: "Every visitor gets off. 2 rules stop serving." */
  consequence: Record<SwitchAction, ReactNode>
  /** Why the service refused the last action, with what can be done instead. The switch has gone back. */
  refusal?: ReactNode
}

const verbs: Record<SwitchAction, string> = { run: 'Run', pause: 'Pause' }

/**
 * Runs or pauses a flag or a rule. The state is a value, so the page shows a change before the answer comes and takes it
 * back on a refusal. "Running" and "paused" are never "on" and "off", because variations are often called that.
 */
export function LiveSwitch(props: LiveSwitchProps) {
  const { label, isRunning, withWord, isPending = false, locked, onSwitch, asks, asked, onAsk, refusal } = props
  const action: SwitchAction = isRunning ? 'pause' : 'run'
  const state = isRunning ? 'Running' : 'Paused'
  const click = (event: MouseEvent) => {
    // The second click of a double click is not meant.
    if (locked !== undefined || event.detail > 1) return
    if (asks) onAsk(action)
    else onSwitch(action)
  }
  // A key asks for the present state: a message says so, and the switch stays.
  const isSo = asked !== undefined && asked !== action
  return (
    <span className={classes.frame}>
      <Popover
        opened={asked !== undefined}
        onChange={(isOpen) => !isOpen && onAsk(undefined)}
        position="bottom-start"
        width="max-content"
        trapFocus
        returnFocus
        // Its own role would name the dialog after the switch.
        withRoles={false}
        withinPortal
        shadow="md"
        radius="md"
        transitionProps={{ duration: 0 }}
      >
        <Popover.Target>
          <button
            type="button"
            role="switch"
            className={classes.switch}
            aria-label={`${label}: ${state.toLowerCase()}`}
            aria-checked={isRunning}
            aria-disabled={locked !== undefined}
            aria-busy={isPending}
            title={locked}
            onClick={click}
          >
            <Track />
            {withWord && (
              <span className={classes.word} aria-hidden>
                {state}
              </span>
            )}
          </button>
        </Popover.Target>
        <Popover.Dropdown maw="22rem" p="md" role="dialog" aria-label={asked && `${verbs[asked]} ${label}`}>
          {asked && (
            <Question
              words={locked ?? (isSo ? `It is already ${isRunning ? 'running' : 'paused'}.` : props.consequence[asked])}
              verb={locked === undefined && !isSo ? verbs[asked] : undefined}
              onDecide={() => {
                onAsk(undefined)
                onSwitch(asked)
              }}
              onClose={() => onAsk(undefined)}
            />
          )}
        </Popover.Dropdown>
      </Popover>
      {refusal && (
        <span className={classes.refusal} role="alert">
          {refusal}
        </span>
      )}
    </span>
  )
}

const Track = () => (
  <span className={classes.track} aria-hidden>
    <span className={classes.thumb} />
  </span>
)

interface QuestionProps {
  words: ReactNode
  /** What can be decided; nothing without it. */
  verb: string | undefined
  onDecide: () => void
  onClose: () => void
}

const Question = ({ words, verb, onDecide, onClose }: QuestionProps) => (
  <div className={classes.question}>
    <div>{words}</div>
    <div className={classes.buttons}>
      {verb && (
        <Button data-autofocus onClick={onDecide}>
          {verb}
        </Button>
      )}
      <Button variant="default" {...(!verb && { 'data-autofocus': true })} onClick={onClose}>
        {verb ? 'Cancel' : 'Close'}
      </Button>
    </div>
  </div>
)
