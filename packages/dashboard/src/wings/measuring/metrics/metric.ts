import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { type Versioned, versioned } from '../../../versioned.ts'
import { wholeList } from '../../flags/references/whole-list.ts'
import type { Metric } from './metric-words.ts'

export const listPath = '/api/v1/projects/{projectId}/metrics'
export const onePath = '/api/v1/projects/{projectId}/metrics/{metricId}'

/** A project has up to 500, so the list is read whole. */
export function useMetrics() {
  const { project } = usePlace()
  return useQuery({
    queryKey: ['get', listPath, project.id],
    queryFn: ({ signal }) =>
      wholeList<Metric>(async (cursor) => {
        const query = { limit: 100, ...(cursor !== undefined && { cursor }) }
        const { data } = await api.GET(listPath, { params: { path: { projectId: project.id }, query }, signal })
        return data!
      }),
  })
}

/** `metricId` is an id or a key. */
export const readMetric = async (
  projectId: string,
  metricId: string,
  signal?: AbortSignal,
): Promise<Versioned<Metric>> =>
  versioned(await api.GET(onePath, { params: { path: { projectId, metricId } }, ...(signal && { signal }) }))
