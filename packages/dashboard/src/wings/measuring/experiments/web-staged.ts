import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { useMay } from '../../../shell/session.ts'
import { type Versioned, versioned } from '../../../versioned.ts'
import type { Staged } from '../../flags/publishing/staged.ts'
import type { Experiment } from './experiment.ts'

export const stagedPath = '/api/v1/projects/{projectId}/environments/{envId}/staged'

/** What a publish of a web experiment would change for visitors. */
export interface StagedExperiment {
  changes: Staged['experiments'][number]['changes']
}

export const readStaged = async (
  { id, projectId, envId }: Experiment,
  signal?: AbortSignal,
): Promise<Versioned<StagedExperiment>> => {
  const params = { path: { projectId, envId }, query: { experimentId: id } }
  const { content, etag } = versioned(await api.GET(stagedPath, { params, ...(signal && { signal }) }))
  return { content: { changes: content.experiments.flatMap(({ changes }) => changes) }, etag }
}

/** The staged changes of a web experiment, while there are some. */
export function useStaged(experiment: Experiment) {
  const { id, projectId, envId, hasStagedChanges } = experiment
  return useQuery({
    queryKey: ['get', stagedPath, { params: { path: { projectId, envId }, query: { experimentId: id } } }],
    queryFn: ({ signal }) => readStaged(experiment, signal),
    enabled: useMay('flags:read') && hasStagedChanges,
  })
}
