import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { lastEnvironment } from '../../../shell/environment.ts'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import type { SeenAttribute } from '../../../ui/conditions/seen.ts'

const seenPath = '/api/v1/projects/{projectId}/environments/{envId}/attributes'
const staleAfterMs = 60_000
const none: readonly SeenAttribute[] = []

/**
 * The attributes that visitors had lately in the environment that the person chose last, to suggest for conditions. There
 * are none until they are loaded, because a form does not wait for them.
 */
export function useSeenAttributes(): readonly SeenAttribute[] {
  const { project, environments } = usePlace()
  const mayRead = useMay('flags:read')
  const environment = lastEnvironment(project.id, environments)
  const path = { projectId: project.id, envId: environment?.id ?? '' }
  const { data = none } = useQuery({
    queryKey: ['get', seenPath, { params: { path } }],
    queryFn: async ({ signal }) => (await api.GET(seenPath, { params: { path }, signal })).data!.data.attributes,
    enabled: mayRead && environment !== undefined,
    staleTime: staleAfterMs,
  })
  return data
}
