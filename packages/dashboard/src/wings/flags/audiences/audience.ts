import type { Data } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import type { ProjectIndex } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import type { ConditionNames } from '../../../ui/conditions/condition-words.ts'
import type { Condition } from '../../../ui/conditions/conditions.ts'
import { counted } from '../../../ui/words/lists.ts'
import { type Versioned, versioned } from '../../../versioned.ts'
import { wholeList } from '../references/whole-list.ts'

export type Audience = Data<'/api/v1/projects/{projectId}/audiences', 'get'>[number]

export const listPath = '/api/v1/projects/{projectId}/audiences'
export const onePath = '/api/v1/projects/{projectId}/audiences/{audienceId}'

/** A project has up to 500, so the list is read whole. */
export function useAudiences() {
  const { project } = usePlace()
  return useQuery({
    queryKey: ['get', listPath, project.id],
    queryFn: ({ signal }) =>
      wholeList<Audience>(async (cursor) => {
        const query = { limit: 100, ...(cursor !== undefined && { cursor }) }
        const { data } = await api.GET(listPath, { params: { path: { projectId: project.id }, query }, signal })
        return data!
      }),
  })
}

export const readAudience = async (
  projectId: string,
  audienceId: string,
  signal?: AbortSignal,
): Promise<Versioned<Audience>> =>
  versioned(await api.GET(onePath, { params: { path: { projectId, audienceId } }, ...(signal && { signal }) }))

/** The API describes conditions as a tree that its clients need not know. */
export const conditionOf = ({ conditions }: Audience): Condition => conditions as Condition

export const namesIn = (index: Pick<ProjectIndex, 'segments'> | undefined): ConditionNames => ({
  segments: new Map((index?.segments ?? []).map(({ id, name }) => [id, name])),
})

/** Ids of the environments in which rules use the audience, in their order on every page. */
export const environmentsOf = <Environment extends { id: string }>(
  { usedBy }: Pick<Audience, 'usedBy'>,
  environments: readonly Environment[],
): Environment[] => environments.filter(({ id }) => usedBy.some(({ envId }) => envId === id))

/** "3 rules of 2 flags", or "2 experiments" in a project of web experiments. The service lists up to 100. */
export function usesInWords(usedBy: Audience['usedBy']): string {
  if (usedBy.length === 0) return 'Nothing'
  if (usedBy.every(({ type }) => type === 'experiment'))
    return usedBy.length >= 100 ? '100 experiments or more' : counted(usedBy.length, 'experiment')
  const rules = usedBy.length >= 100 ? '100 rules or more' : counted(usedBy.length, 'rule')
  return `${rules} of ${counted(new Set(usedBy.flatMap((use) => (use.type === 'rule' ? use.flagId : []))).size, 'flag')}`
}
