import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { type NamedProject, useAllProjects } from '../../../shell/all-projects.ts'
import { inTurns } from '../switches/in-turns.ts'

const projectsMax = 20

/** Other projects that have a flag with exactly this key. */
export function useElsewhere(flagKey: string, projectId: string): NamedProject[] {
  const { data: projects } = useAllProjects()
  const { data = [] } = useQuery({
    queryKey: ['flag elsewhere', flagKey, projectId],
    enabled: projects !== undefined,
    queryFn: async () => {
      const found: NamedProject[] = []
      const others = projects!.filter(({ id }) => id !== projectId).slice(0, projectsMax)
      await inTurns(others, async (project) => {
        const params = { path: { projectId: project.id }, query: { q: flagKey, limit: 100 } }
        const { data } = await api.GET('/api/v1/projects/{projectId}/flags', { params })
        if (data!.data.some(({ key }) => key === flagKey)) found.push(project)
      })
      return found.sort((one, other) => one.name.localeCompare(other.name))
    },
  })
  return data
}
