import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { versioned } from '../../../versioned.ts'

export const stagedPath = '/api/v1/projects/{projectId}/environments/{envId}/staged'

/** What is staged in an environment, with its version. */
export function stagedQuery(projectId: string, envId: string) {
  const params = { path: { projectId, envId } }
  return queryOptions({
    queryKey: ['get', stagedPath, { params }],
    queryFn: async ({ signal }) => versioned(await api.GET(stagedPath, { params, signal })),
  })
}
