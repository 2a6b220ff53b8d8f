import type { Data } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { counted } from '../../../ui/words/lists.ts'
import { type Versioned, versioned } from '../../../versioned.ts'
import { wholeList } from '../references/whole-list.ts'

export type Segment = Data<'/api/v1/projects/{projectId}/segments', 'get'>[number]

export const listPath = '/api/v1/projects/{projectId}/segments'
export const onePath = '/api/v1/projects/{projectId}/segments/{segmentId}'
export const membersPath = '/api/v1/projects/{projectId}/segments/{segmentId}/members'

/** A project has up to 200, so the list is read whole. */
export function useSegments() {
  const { project } = usePlace()
  return useQuery({
    queryKey: ['get', listPath, project.id],
    queryFn: ({ signal }) =>
      wholeList<Segment>(async (cursor) => {
        const query = { limit: 100, ...(cursor !== undefined && { cursor }) }
        const { data } = await api.GET(listPath, { params: { path: { projectId: project.id }, query }, signal })
        return data!
      }),
  })
}

export const readSegment = async (
  projectId: string,
  segmentId: string,
  signal?: AbortSignal,
): Promise<Versioned<Segment>> =>
  versioned(await api.GET(onePath, { params: { path: { projectId, segmentId } }, ...(signal && { signal }) }))

/** The service lists up to so many of each kind. */
const most = 100

/** "3 rules and 1 audience"; undefined if nothing names it. */
export function usesInWords(usedBy: Segment['usedBy']): string | undefined {
  const parts = (['rule', 'audience'] as const).flatMap((type) => {
    const count = usedBy.filter((use) => use.type === type).length
    if (count === 0) return []
    return count >= most ? `${most} ${type}s or more` : counted(count, type)
  })
  return parts.length === 0 ? undefined : parts.join(' and ')
}

/** What a change of the members does, in a sentence. */
export function actsAtOnce({ usedBy }: Pick<Segment, 'usedBy'>): string {
  const uses = usesInWords(usedBy)
  return uses === undefined
    ? 'The segment is unused, so changes have no effect on visitors.'
    : `Changes act at once in ${uses}, without a publish.`
}
