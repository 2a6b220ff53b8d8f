import type { Data } from '@svc/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'

export type Group = Data<'/api/v1/projects/{projectId}/exclusion-groups', 'get'>[number]
export type Holdout = Data<'/api/v1/projects/{projectId}/holdouts', 'get'>[number]

export const groupsPath = '/api/v1/projects/{projectId}/exclusion-groups'
export const holdoutsPath = '/api/v1/projects/{projectId}/holdouts'

/** A project has up to 100, which is one page. */
export function useGroups() {
  const { project } = usePlace()
  return useQuery({
    queryKey: ['get', groupsPath, project.id],
    queryFn: async ({ signal }) => {
      const params = { path: { projectId: project.id }, query: { limit: 100 } }
      return (await api.GET(groupsPath, { params, signal })).data!.data
    },
  })
}

/** A project has up to 20. */
export function useHoldouts() {
  const { project } = usePlace()
  return useQuery({
    queryKey: ['get', holdoutsPath, project.id],
    queryFn: async ({ signal }) => {
      const params = { path: { projectId: project.id }, query: { limit: 100 } }
      return (await api.GET(holdoutsPath, { params, signal })).data!.data
    },
  })
}
