import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { onlyIf, versioned } from '../../../versioned.ts'

export const environmentPath = '/api/v1/projects/{projectId}/environments/{envId}'

/** Reads an environment with its version. */
export function useReadEnvironment(envId: string) {
  const { project } = usePlace()
  return async () => versioned(await api.GET(environmentPath, { params: { path: { projectId: project.id, envId } } }))
}

/**
 * Returns the header of a write for the version of the environment that was current when the dialog opened. The write is
 * refused if somebody has changed the environment or its keys since, for example if two people revoke a key each.
 */
export function useIfUnchanged(envId: string): () => Promise<ReturnType<typeof onlyIf>> {
  const read = useReadEnvironment(envId)
  // Not below the address, whose reads are repeated after each change of others.
  const queryKey = ['when opened', environmentPath, envId]
  const { data } = useQuery({ queryKey, queryFn: read, gcTime: 0, staleTime: Number.POSITIVE_INFINITY })
  return async () => onlyIf((data ?? (await read())).etag)
}
