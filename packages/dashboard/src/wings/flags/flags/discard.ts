import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import type { StagedChange } from '../rules/rule-rows.ts'
import { refreshFlag } from './flag-queries.ts'
import { pathOf, type TargetingContext } from './targeting-place.ts'

/** Takes changes out of the draft: what they concern becomes what visitors get now. */
export async function discard(
  client: QueryClient,
  place: TargetingContext,
  changes: readonly StagedChange[],
): Promise<void> {
  const { projectId, envId, flagId } = pathOf(place)
  await api.POST('/api/v1/projects/{projectId}/environments/{envId}/staged/discard', {
    params: { path: { projectId, envId } },
    body: { flagId, paths: changes.map(({ path }) => path) },
  })
  await refreshFlag(client)
}
