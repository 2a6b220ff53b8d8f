import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { type Place, putBack, readDraft } from '../drafts/stage.ts'
import { refreshFlag } from './flag-queries.ts'

const flagPath = '/api/v1/projects/{projectId}/flags/{flagId}'

/** Takes changes out of the draft: what they concern becomes what visitors get now. Returns what stages them again. */
export async function discard(
  client: QueryClient,
  place: Place,
  paths: readonly string[],
): Promise<() => Promise<void>> {
  const { projectId, envId, flagId } = place
  const [{ draft }, variations] = await Promise.all([
    readDraft(place),
    paths.some(isOfVariations) ? readVariations(place) : undefined,
  ])
  await api.POST('/api/v1/projects/{projectId}/environments/{envId}/staged/discard', {
    params: { path: { projectId, envId } },
    body: { flagId, paths: [...paths] },
  })
  await refreshFlag(client)
  return async () => {
    // Rules can name variations that come back.
    if (variations)
      await api.PUT(`${flagPath}/variations`, { params: { path: { projectId, flagId } }, body: variations })
    await putBack(client, place, draft, paths)
  }
}

/** Variations belong to the flag, so a change of one is the same in every environment. */
export const isOfVariations = (path: string): boolean =>
  path.startsWith('variations.') || path === 'variationOrder' || path === 'pausedVariationKey'

async function readVariations({ projectId, flagId }: Place) {
  const { data } = await api.GET(flagPath, { params: { path: { projectId, flagId } } })
  const { variations, defaultVariationKey } = data!.data
  return { variations, defaultVariationKey }
}
