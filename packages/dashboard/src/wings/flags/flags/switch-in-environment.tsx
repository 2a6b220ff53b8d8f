import { lazy, type ReactNode, Suspense } from 'react'
import type { SwitchAction } from '../../../ui/status/live-switch.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { FlagSwitch } from '../switches/flag-switch.tsx'
import type { IndexedEnvironment, IndexedFlag } from './flag-filter.ts'
import classes from './flags-page.module.css'
import { servingWords } from './serving-words.ts'

// This is loaded only for the question.
const WordsInList = lazy(async () => ({ default: (await import('../switches/words-in-list.tsx')).WordsInList }))

interface SwitchInEnvironmentProps {
  flag: IndexedFlag
  environment: IndexedEnvironment
  state: IndexedFlag['states'][number]
  asked?: SwitchAction | undefined
  onAsk?: (action: SwitchAction | undefined) => void
  withWord?: boolean
}

/** The switch of a flag in a list, with what is unpublished or scheduled beside it. */
export function SwitchInEnvironment({ flag, environment, state, asked, onAsk, withWord }: SwitchInEnvironmentProps) {
  const unpublished = state.unpublished ?? 0
  const changes = `${counted(unpublished, 'unpublished change')}`
  const words = (action: SwitchAction, known: ReactNode) => (
    <Suspense fallback={known}>
      <WordsInList flagKey={flag.key} envId={environment.id} action={action}>
        {known}
      </WordsInList>
    </Suspense>
  )
  return (
    <FlagSwitch
      flag={flag}
      environment={environment}
      isRunning={state.running === true}
      isArchived={flag.status === 'ARCHIVED'}
      isFirstRun={state.firstRun === true}
      {...(onAsk && { asked, onAsk })}
      {...(withWord && { withWord })}
      consequence={{
        pause: words(
          'pause',
          <>
            Every visitor in {environment.name} gets the default of this flag. Its rules stop serving.
            {state.scheduled && ' Its schedule is suspended.'}
          </>,
        ),
        run: words(
          'run',
          state.firstRun ? (
            <>The flag starts in {environment.name}, and its draft is published there.</>
          ) : unpublished > 0 ? (
            <>
              Visitors in {environment.name} get what is published. {changes} {unpublished === 1 ? 'stays' : 'stay'}{' '}
              unpublished.
            </>
          ) : (
            <>The rules of this flag serve in {environment.name}.</>
          ),
        ),
      }}
    >
      <span className={classes.state}>
        {state.serves && <span className={classes.note}>{servingWords(state.serves)}</span>}
        {state.scheduled ? (
          <span className={classes.note}>
            {state.scheduled.action === 'RUN' ? 'runs' : 'pauses'} <Time time={state.scheduled.runAt} />
          </span>
        ) : (
          unpublished > 0 && <span className={classes.unpublished}>{unpublished.toLocaleString('en')} unpublished</span>
        )}
      </span>
    </FlagSwitch>
  )
}
