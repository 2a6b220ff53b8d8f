import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import type { Context } from './visitor.ts'

const path = '/api/v1/projects/{projectId}/environments/{envId}/evaluate'

interface Question {
  context: Context
  flagKeys?: string[]
  draft?: boolean
  revision?: number
  at?: string
}

/** What a visitor gets. It is a read, so live messages (`refreshes` of the door) and the focus read it again. */
export function useEvaluation(projectId: string, envId: string, body: Question) {
  const place = { params: { path: { projectId, envId } } }
  return useQuery({
    queryKey: ['get', path, { ...place, body }],
    queryFn: async ({ signal }) => (await api.POST(path, { ...place, body, signal })).data!.data.flags,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  })
}
