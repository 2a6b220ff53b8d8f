import { createContext, useContext } from 'react'
import type { ProjectIndex } from '../../../shell/index-query.ts'
import type { Environment } from '../../../shell/place.ts'
import type { ConditionNames } from '../../../ui/conditions/condition-words.ts'
import type { FlagInEnvironment, Rule } from '../rules/rule-rows.ts'
import type { Flag } from './flag-queries.ts'

/** A flag in an environment, for the parts of its page. */
export interface TargetingContext {
  flag: Flag
  /** The variations belong to a web experiment, which tests all of them. */
  hasOwnVariations?: boolean
  environment: Environment
  inEnvironment: FlagInEnvironment
  /** The version of the flag, for writes that replace something whole. */
  etag: string
  rules: readonly Rule[]
  /** False for viewers, for archived flags, and while only what is live is shown. */
  mayEdit: boolean
  isLiveOnly: boolean
  index: ProjectIndex | undefined
  /** Names by id, of audiences, segments and rules. */
  names: ConditionNames & { rules: ReadonlyMap<string, string> }
}

export const TargetingPlace = createContext<TargetingContext | null>(null)

export function useTargeting(): TargetingContext {
  const place = useContext(TargetingPlace)
  if (!place) throw new Error('this is a part of the page of a flag')
  return place
}

/** The parameters of calls about this flag here. */
export const pathOf = ({ flag, environment }: Pick<TargetingContext, 'flag' | 'environment'>) => ({
  projectId: flag.projectId,
  flagId: flag.id,
  envId: environment.id,
})
