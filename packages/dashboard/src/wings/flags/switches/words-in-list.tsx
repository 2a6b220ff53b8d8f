import type { ReactNode } from 'react'
import { type Environment, usePlace } from '../../../shell/place.ts'
import type { SwitchAction } from '../../../ui/status/live-switch.tsx'
import { type Flag, useFlag, useFlagEnvironment, useRules } from '../flags/flag-queries.ts'
import { TargetingPlace } from '../flags/targeting-place.ts'
import { PauseWords, RunWords } from './switch-words.tsx'

interface WordsInListProps {
  flagKey: string
  envId: string
  action: SwitchAction
  /** What is known without reading the flag. The question never waits for more. */
  children: ReactNode
}

/** What a switch in a list will do, as the page of the flag says it. It is read when the question is asked. */
export function WordsInList({ flagKey, envId, action, children }: WordsInListProps) {
  const { environments } = usePlace()
  const { data } = useFlag(flagKey)
  const environment = environments.find(({ id }) => id === envId)
  if (!data || !environment) return children
  return (
    <Read flag={data.content} environment={environment} action={action}>
      {children}
    </Read>
  )
}

interface ReadProps extends Pick<WordsInListProps, 'action' | 'children'> {
  flag: Flag
  environment: Environment
}

function Read({ flag, environment, action, children }: ReadProps) {
  const inEnvironment = useFlagEnvironment(flag, environment.id).data
  const rules = useRules(flag, environment.id).data
  if (!inEnvironment || !rules) return children
  return (
    <TargetingPlace
      value={{
        flag,
        environment,
        inEnvironment: inEnvironment.content,
        etag: inEnvironment.etag,
        rules: rules.data,
        mayEdit: true,
        isLiveOnly: false,
        index: undefined,
        names: { rules: new Map() },
      }}
    >
      {action === 'run' ? <RunWords /> : <PauseWords />}
    </TargetingPlace>
  )
}
