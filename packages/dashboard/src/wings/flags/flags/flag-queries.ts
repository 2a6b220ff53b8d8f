import type { Data } from '@svc/client'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api, server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { refresh, versioned } from '../../../versioned.ts'

export type Flag = Data<'/api/v1/projects/{projectId}/flags/{flagId}', 'get'>

const flagPath = '/api/v1/projects/{projectId}/flags/{flagId}'
const environmentPath = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}'
const rulesPath = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules'
const rulesMax = 100

/** The flag with this key, id or short number, with its version. */
export function useFlag(flagId: string) {
  const { project } = usePlace()
  const path = { projectId: project.id, flagId }
  return useQuery({
    queryKey: ['get', flagPath, { params: { path } }],
    queryFn: async ({ signal }) => versioned(await api.GET(flagPath, { params: { path }, signal })),
    retry: false,
  })
}

interface WhichEnvironment {
  projectId: string
  flagId: string
  envId: string
}

export const flagEnvironmentOptions = (path: WhichEnvironment) =>
  queryOptions({
    queryKey: ['get', environmentPath, { params: { path } }],
    queryFn: async ({ signal }) => versioned(await api.GET(environmentPath, { params: { path }, signal })),
  })

/** The draft and the live version of a flag in an environment, with the version that a write can depend on. */
export function useFlagEnvironment(flag: Flag, envId: string) {
  return useQuery(flagEnvironmentOptions({ projectId: flag.projectId, flagId: flag.id, envId }))
}

/** The drafted rules with their switches and schedules. */
export function useRules(flag: Flag, envId: string) {
  const path = { projectId: flag.projectId, flagId: flag.id, envId }
  return server.useQuery('get', rulesPath, { params: { path, query: { limit: rulesMax } } })
}

/** Reads everything again that an edit of a flag changes. */
export const refreshFlag = (client: QueryClient): Promise<void> =>
  refresh(
    client,
    ...[flagPath, environmentPath, rulesPath],
    '/api/v1/projects/{projectId}/index',
    // A run is a new revision of the environment.
    '/api/v1/projects/{projectId}/environments',
  )

/** Shows the rules in this order before the service has answered. */
export function showOrder(client: QueryClient, path: WhichEnvironment, ids: readonly string[]): void {
  client.setQueryData(flagEnvironmentOptions(path).queryKey, (old) => {
    if (!old) return old
    const { draft } = old.content
    const rules = ids.flatMap((id) => draft.rules.find((rule) => rule.id === id) ?? [])
    return { ...old, content: { ...old.content, draft: { ...draft, rules } } }
  })
}
