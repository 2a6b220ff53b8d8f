import type { ApiClient } from '@svc/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

const pageSize = 100
const maxProjects = 1000

export interface NamedProject {
  id: string
  shortId: number
  key: string
  name: string
  type: 'FEATURE_FLAG' | 'WEB'
}

/** Every project that this person can see, for the address, for choices and for names. */
export const useAllProjects = () => useQuery(allProjects)

export const allProjects = queryOptions({
  queryKey: ['get', '/api/v1/projects', 'all'],
  queryFn: ({ signal }) => readProjects(api, signal),
})

/** The projects of the organization that this client names, by name. */
export async function readProjects(client: ApiClient, signal: AbortSignal): Promise<NamedProject[]> {
  const projects: NamedProject[] = []
  let cursor: string | null = null
  do {
    const query: { limit: number; cursor?: string } = { limit: pageSize, ...(cursor !== null && { cursor }) }
    const answer = (await client.GET('/api/v1/projects', { params: { query }, signal })).data!
    projects.push(...answer.data.map(({ id, shortId, key, name, type }) => ({ id, shortId, key, name, type })))
    cursor = answer.page.nextCursor
  } while (cursor !== null && projects.length < maxProjects)
  return projects.sort((one, other) => one.name.localeCompare(other.name))
}
