import type { Data } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { usePlace } from '../../shell/place.ts'

type ListPath =
  | '/api/v1/projects/{projectId}/catalog/sources'
  | '/api/v1/projects/{projectId}/datasets'
  | '/api/v1/projects/{projectId}/recommendations/models'
  | '/api/v1/projects/{projectId}/recommendations/placements'

/** A list of the project that is read whole: a project can have 100 of such things at most. */
export function useWholeList<Path extends ListPath>(path: Path) {
  const { project } = usePlace()
  return useQuery({
    queryKey: ['get', path, project.id],
    queryFn: async ({ signal }): Promise<Data<Path, 'get'>> => {
      // All of them have these parameters.
      const { data } = await api.GET(path as '/api/v1/projects/{projectId}/datasets', {
        params: { path: { projectId: project.id }, query: { limit: 100 } },
        signal,
      })
      return data!.data as unknown as Data<Path, 'get'>
    },
  })
}
