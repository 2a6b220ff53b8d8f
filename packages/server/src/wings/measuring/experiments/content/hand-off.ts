import type { Experiment } from '../../../model/experiments/index.ts'
import { type HandOff, type HandOffSource, handOff, noContent } from '../../../model/web/index.ts'
import { shownDefinition } from '../present.ts'
import type { Place } from '../queries.ts'
import { contentOfVersion } from './content.ts'

/**
 * What to build into the site for a variation; undefined if the experiment has no such variation. A draft that visitors
 * have never got is shown only before the launch.
 */
export function handOffOf(experiment: Experiment, place: Place, variationKey: string): HandOff | undefined {
  const variation = shownDefinition(experiment, place).variations.find(({ key }) => key === variationKey)
  if (!variation) return undefined
  const source = sourceOf(experiment)
  const { pages, variations } = contentOfVersion(experiment, place, source === 'DRAFT' ? 'DRAFT' : 'LIVE')
  return handOff({ experiment, variation, source, pages, content: variations[variation.id] ?? noContent })
}

function sourceOf({ completedAt, launchedAt }: Experiment): HandOffSource {
  if (completedAt !== null) return 'FINAL'
  return launchedAt === null ? 'DRAFT' : 'LIVE'
}
