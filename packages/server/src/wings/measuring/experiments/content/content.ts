import { type Refusal, refuseIssues } from '../../../../catalogue/refusals.ts'
import type { Experiment } from '../../../model/experiments/index.ts'
import { webOf } from '../../../model/versions/index.ts'
import {
  contentFaults,
  noContent,
  type Redirect,
  type VariationContent,
  type WebContent,
} from '../../../model/web/index.ts'
import { type FinalDefinition, testIn } from '../present.ts'
import type { Place } from '../queries.ts'

/** The fields of a request that change what a web experiment does to pages. Omitted ones stay. */
interface ContentRequest {
  pages?: WebContent['pages'] | undefined
  activation?: WebContent['activation'] | undefined
  activationSelector?: string | null | undefined
  applyAt?: WebContent['applyAt'] | undefined
  variations?: readonly { key: string; redirect?: Redirect | null | undefined }[] | undefined
}

/**
 * The content after a request. Of variations that stay, it keeps what they do; of those that are gone, nothing.
 *
 * @param contents what variations do, by key, for a copy
 */
export function editedContent(
  web: WebContent,
  { variations: wanted, pages, activation, activationSelector, applyAt }: ContentRequest,
  variations: readonly { id: string; key: string }[],
  contents?: ReadonlyMap<string, VariationContent>,
): WebContent {
  const redirects = new Map(wanted?.map(({ key, redirect }) => [key, redirect]))
  return {
    pages: pages ?? web.pages,
    activation: activation ?? web.activation,
    activationSelector: activationSelector === undefined ? web.activationSelector : activationSelector,
    applyAt: applyAt ?? web.applyAt,
    variations: Object.fromEntries(
      variations.flatMap(({ id, key }) => {
        const before = contents?.get(key) ?? web.variations[id]
        const redirect = redirects.get(key)
        if (redirect === undefined) return before ? [[id, before]] : []
        return before || redirect ? [[id, { ...(before ?? noContent), redirect }]] : []
      }),
    ),
  }
}

/** The refusal of a content whose parts do not fit together. */
export const refusesContent = (
  web: WebContent,
  variations: readonly { id: string; key: string }[],
): Refusal | undefined => refuseIssues(contentFaults(web, variations))

/** What an experiment does to pages: as it ran, once it is completed, otherwise as drafted or as it is live. */
export function contentOfVersion(
  { ruleId, finalDefinition }: Pick<Experiment, 'ruleId' | 'finalDefinition'>,
  { draft, live }: Pick<Place, 'draft' | 'live'>,
  version: 'DRAFT' | 'LIVE',
): WebContent {
  const { web } = (finalDefinition ?? {}) as Partial<FinalDefinition>
  if (web) return web
  if (version === 'LIVE') return webOf(live)
  return webOf(testIn(draft, ruleId) ? draft : live)
}

/** What the variations of an experiment do, by key, for a copy of it. */
export function contentByKey(experiment: Experiment, place: Place): Map<string, VariationContent> {
  const { variations } = contentOfVersion(experiment, place, 'DRAFT')
  const keys = new Map(place.draft.variations.map(({ id, key }) => [id, key]))
  return new Map(
    Object.entries(variations).flatMap(([id, content]) => (keys.has(id) ? [[keys.get(id)!, content]] : [])),
  )
}
