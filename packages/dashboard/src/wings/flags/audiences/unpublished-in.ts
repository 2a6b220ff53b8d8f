import { useQueries } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'

export const stagedPath = '/api/v1/projects/{projectId}/environments/{envId}/staged'

/** The environments whose visitors get an audience as it was before its last edits, by the id of the audience. */
export function useUnpublishedIn(): (audienceId: string) => Environment[] {
  const { project, environments } = usePlace()
  const mayRead = useMay('flags:read')
  const staged = environments.filter(({ hasStagedChanges }) => hasStagedChanges)
  const lists = useQueries({
    queries: staged.map(({ id: envId }) => ({
      queryKey: ['get', stagedPath, 'audiences', { params: { path: { projectId: project.id, envId } } }],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { data } = await api.GET(stagedPath, { params: { path: { projectId: project.id, envId } }, signal })
        return data!.data.audiences.map(({ audienceId }) => audienceId)
      },
      enabled: mayRead,
    })),
  })
  return (audienceId) => staged.filter((_, at) => lists[at]?.data?.includes(audienceId))
}
