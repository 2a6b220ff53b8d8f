import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'

const pageSize = 100
const maxProjects = 1000

export interface NamedProject {
  id: string
  name: string
}

/** Every project that this person can see, for choices and for names. */
export const useAllProjects = () =>
  useQuery({
    queryKey: ['get', '/api/v1/projects', 'all'],
    queryFn: async ({ signal }) => {
      const projects: NamedProject[] = []
      let cursor: string | null = null
      do {
        const query: { limit: number; cursor?: string } = { limit: pageSize, ...(cursor !== null && { cursor }) }
        const answer = (await api.GET('/api/v1/projects', { params: { query }, signal })).data!
        projects.push(...answer.data.map(({ id, name }) => ({ id, name })))
        cursor = answer.page.nextCursor
      } while (cursor !== null && projects.length < maxProjects)
      return projects.sort((one, other) => one.name.localeCompare(other.name))
    },
  })
