import { api } from '../../../api.ts'
import { startingVariations } from '../variations/new-variations.ts'

export const exampleKey = 'hello'

/**
 * Creates the flag `hello` with a rule in every environment that gives "on" to everyone, so that its switch can be
 * seen in the first program. Nothing is published: the first run of the flag does that.
 */
export async function createExampleFlag(projectId: string, environmentIds: readonly string[]): Promise<void> {
  await api.POST('/api/v1/projects/{projectId}/flags', {
    params: { path: { projectId } },
    body: {
      name: 'Hello',
      key: exampleKey,
      description: 'An example: run it, and see it change in your program.',
      type: 'BOOLEAN',
      variations: [...startingVariations.BOOLEAN],
      defaultVariationKey: 'off',
    },
  })
  const at = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules'
  await Promise.all(
    environmentIds.map((envId) =>
      api.POST(at, {
        params: { path: { projectId, flagId: exampleKey, envId } },
        body: { type: 'TARGETED_DELIVERY', name: 'Everyone', variationKey: 'on' },
      }),
    ),
  )
}
