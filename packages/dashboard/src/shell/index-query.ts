import { ApiError, type Data } from '@svc/client'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { type Versioned, versioned } from '../versioned.ts'
import { usePlace } from './place.ts'

export const indexPath = '/api/v1/projects/{projectId}/index'

export type ProjectIndex = Data<typeof indexPath, 'get'>

/**
 * Every flag of the project with its state in each environment, and the names of the environments, audiences, segments
 * and attributes. To read it again, refresh `indexPath`; unchanged content is not sent again.
 */
export function useProjectIndex({ isWanted = true }: { isWanted?: boolean } = {}) {
  const client = useQueryClient()
  const { project } = usePlace()
  return useQuery({ ...projectIndex(client, project.id), enabled: isWanted, select: ({ content }) => content })
}

/** The index of this project, for parts of the shell around the pages. */
export function projectIndex(client: QueryClient, projectId: string) {
  const queryKey = ['get', indexPath, { params: { path: { projectId } } }]
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Versioned<ProjectIndex>> => {
      const known = client.getQueryData<Versioned<ProjectIndex>>(queryKey)
      try {
        return versioned(
          await api.GET(indexPath, {
            params: { path: { projectId }, ...(known && { header: { 'if-none-match': known.etag } }) },
            signal,
          }),
        )
      } catch (error) {
        if (known && error instanceof ApiError && error.status === 304) return known
        throw error
      }
    },
  })
}
