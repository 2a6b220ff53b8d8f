import { useProjectIndex } from '../../../../shell/index-query.ts'
import { namesById } from '../../../../ui/conditions/condition-words.ts'
import { useGroups, useHoldouts } from '../../../flags/references/kept-apart.ts'

/** Names by id, for sentences. */
export function useNamesHere() {
  const { data: index } = useProjectIndex()
  const { data: groups = [] } = useGroups()
  const { data: holdouts = [] } = useHoldouts()
  return {
    ...{ audiences: namesById(index?.audiences), segments: namesById(index?.segments) },
    ...{ groups: namesById(groups), holdouts: namesById(holdouts) },
  }
}
