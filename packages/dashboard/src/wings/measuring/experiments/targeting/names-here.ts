import { useProjectIndex } from '../../../../shell/index-query.ts'
import { useGroups, useHoldouts } from '../../../flags/references/kept-apart.ts'

/** Names by id, for sentences. */
export function useNamesHere() {
  const { data: index } = useProjectIndex()
  const { data: groups = [] } = useGroups()
  const { data: holdouts = [] } = useHoldouts()
  const named = (list: readonly { id: string; name: string }[] | null | undefined) =>
    new Map((list ?? []).map(({ id, name }) => [id, name]))
  return {
    ...{ audiences: named(index?.audiences), segments: named(index?.segments) },
    ...{ groups: named(groups), holdouts: named(holdouts) },
  }
}
