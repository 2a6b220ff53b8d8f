import type { QueryClient } from '@tanstack/react-query'
import { server } from '../api.ts'
import { numberIn } from './address.ts'
import { allProjects, type NamedProject } from './all-projects.ts'
import { projectIndex } from './index-query.ts'

/** The environments of a project. */
export const environmentsOf = (projectId: string) =>
  server.queryOptions('get', '/api/v1/projects/{projectId}/environments', { params: { path: { projectId } } })

/**
 * Reads what every page of a project needs, while the code of the page still loads. A failure is the page's own: it reads
 * again and shows it.
 */
export async function readProjectAhead(client: QueryClient, segment: string): Promise<void> {
  const project = await projectAt(client, segment)
  if (project) await client.prefetchQuery(environmentsOf(project.id))
}

/** The same for pages that show the flags of a project. */
export async function readIndexAhead(client: QueryClient, segment: string): Promise<void> {
  const project = await projectAt(client, segment)
  if (project) await client.prefetchQuery(projectIndex(client, project.id))
}

async function projectAt(client: QueryClient, segment: string): Promise<NamedProject | undefined> {
  const number = numberIn(segment)
  const projects = await client.ensureQueryData(allProjects).catch((): NamedProject[] => [])
  return projects.find(({ shortId }) => shortId === number)
}
