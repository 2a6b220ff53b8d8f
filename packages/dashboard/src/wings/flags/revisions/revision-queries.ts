import type { Data } from '@svc/client'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, server } from '../../../api.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { versioned } from '../../../versioned.ts'
import { stagedPath } from '../publishing/staged-query.ts'
import { type Place, stateOf } from './revision-words.ts'

export type RevisionChanges = Data<'/api/v1/projects/{projectId}/environments/{envId}/revisions/{revision}', 'get'>

export const revisionsPath = '/api/v1/projects/{projectId}/environments/{envId}/revisions'

const pageSize = 20

export interface RevisionFilter {
  /** An id or a key. */
  flagId?: string | undefined
  /** The id of a person or a token. */
  by?: string | undefined
}

/**
 * The revisions of an environment, or those of one flag or person. The rows stay while a person reads them: `newest` has
 * the newest rows of the service, and `showNewest` reads the list again.
 */
export function useRevisions({ id: envId }: Environment, { flagId, by }: RevisionFilter) {
  const { project } = usePlace()
  const client = useQueryClient()
  const path = { projectId: project.id, envId }
  const filter = { limit: pageSize, ...(flagId !== undefined && { flagId }), ...(by !== undefined && { by }) }
  // The key is not the path of the call, because live messages must not move the rows.
  const queryKey = ['revisions', envId, flagId, by]
  const list = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filter, include: 'changes' as const, ...(pageParam !== null && { cursor: pageParam }) }
      const { data } = await api.GET(revisionsPath, { params: { path, query }, signal })
      return data!
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ page }) => page.nextCursor,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  })
  const newest = server.useQuery('get', revisionsPath, { params: { path, query: filter } })
  const showNewest = async () => {
    client.setQueryData<typeof list.data>(
      queryKey,
      (old) => old && { pages: old.pages.slice(0, 1), pageParams: old.pageParams.slice(0, 1) },
    )
    await list.refetch()
  }
  return { list, newest: newest.data?.data ?? [], showNewest }
}

/** The number of the newest revision. */
export function useNewest({ id: envId, dataFile }: Environment): number {
  const { project } = usePlace()
  const params = { path: { projectId: project.id, envId }, query: { limit: 1 } }
  return server.useQuery('get', revisionsPath, { params }).data?.data[0]?.revision ?? dataFile.revision
}

/** A revision with what it changed, in all flags or in one. */
export function useRevision({ id: envId }: Environment, revision: string, flagId: string | undefined) {
  const { project } = usePlace()
  const path = { projectId: project.id, envId, revision }
  return server.useQuery(
    'get',
    `${revisionsPath}/{revision}`,
    { params: { path, query: flagId === undefined ? {} : { flagId } } },
    { retry: false },
  )
}

export interface Restore {
  environment: Environment
  place: Place
  /** Only these flags; null for all that still exist. */
  flagIds: readonly string[] | null
}

/** What a restore would stage, and the unpublished work that is there now, with the version of the latter. */
export function useTrial({ environment: { id: envId }, place, flagIds }: Restore) {
  const { project } = usePlace()
  const path = { projectId: project.id, envId }
  return useQuery({
    queryKey: ['trial of a restore', envId, stateOf(place), flagIds],
    queryFn: async ({ signal }) => {
      // First: if something is staged in between, the restore is refused, and the person looks again.
      const staged = versioned(await api.GET(stagedPath, { params: { path }, signal }))
      const { data } = await api.POST(`${revisionsPath}/{revision}/restore`, {
        params: { path: { ...path, revision: stateOf(place) } },
        body: { flagIds: flagIds && [...flagIds], dryRun: true },
        signal,
      })
      return {
        staged: staged.content.flags,
        etag: staged.etag,
        flags: data!.data.flags,
        switches: data!.data.switches,
        experiments: data!.data.experiments,
      }
    },
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
}
