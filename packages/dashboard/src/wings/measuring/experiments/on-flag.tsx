import type { ReactNode } from 'react'
import { useProjectIndex } from '../../../shell/index-query.ts'
import type { Environment } from '../../../shell/place.ts'
import { namesById } from '../../../ui/conditions/condition-words.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { type Flag, useFlagEnvironment, useRules } from '../../flags/flags/flag-queries.ts'
import { type TargetingContext, TargetingPlace } from '../../flags/flags/targeting-place.ts'
import type { Experiment } from './experiment.ts'

/** Gives the fields of a rule the flag and the environment that they are about. */
export function OnFlag({
  flag,
  environment,
  children,
}: {
  flag: Flag
  environment: Environment
  children: (place: TargetingContext) => ReactNode
}) {
  const index = useProjectIndex().data
  const query = useFlagEnvironment(flag, environment.id)
  const rules = useRules(flag, environment.id)
  return (
    <Loaded query={query} lines={4}>
      {({ content, etag }) => {
        const place: TargetingContext = {
          flag,
          environment,
          inEnvironment: content,
          etag,
          rules: rules.data?.data ?? [],
          mayEdit: true,
          isLiveOnly: false,
          index,
          names: { audiences: namesById(index?.audiences), segments: namesById(index?.segments), rules: new Map() },
        }
        return <TargetingPlace value={place}>{children(place)}</TargetingPlace>
      }}
    </Loaded>
  )
}

interface OnPagesProps {
  experiment: Experiment
  environment: Environment
  children: (place: TargetingContext) => ReactNode
}

/** The same for a web experiment. Its variations are its own, and no rule is below it. */
export function OnPages({ experiment, environment, children }: OnPagesProps) {
  const index = useProjectIndex().data
  const { variations } = experiment
  const place: TargetingContext = {
    // The fields of a test read the variations only.
    flag: { variations } as unknown as Flag,
    hasOwnVariations: true,
    environment,
    inEnvironment: { live: { rules: [] } } as unknown as TargetingContext['inEnvironment'],
    ...{ etag: '', rules: [], mayEdit: true, isLiveOnly: false, index },
    names: { audiences: namesById(index?.audiences), segments: namesById(index?.segments), rules: new Map() },
  }
  return <TargetingPlace value={place}>{children(place)}</TargetingPlace>
}
