import type { Data } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { type Versioned, versioned } from '../../../versioned.ts'
import { wholeList } from '../references/whole-list.ts'

export type Segment = Data<'/api/v1/projects/{projectId}/segments', 'get'>[number]

export const listPath = '/api/v1/projects/{projectId}/segments'
export const onePath = '/api/v1/projects/{projectId}/segments/{segmentId}'
export const membersPath = '/api/v1/projects/{projectId}/segments/{segmentId}/members'
export const exportPath = '/api/v1/projects/{projectId}/segments/{segmentId}/members/export'

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
