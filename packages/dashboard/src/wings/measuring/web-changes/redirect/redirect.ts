import type { ExperimentOnPages } from '../../experiments/experiment.ts'
import type { Design } from '../design.ts'

type Variation = Pick<ExperimentOnPages['variations'][number], 'key' | 'name' | 'weight' | 'redirect'>

/** As it is typed. Without an address, visitors stay on the page. */
export type RedirectValues = { url: string; keepQuery: boolean }

export const valuesOf = (variations: readonly Variation[], variationKey: string): RedirectValues => {
  const { url, keepQuery } = variations.find(({ key }) => key === variationKey)?.redirect ?? {}
  return { url: url ?? '', keepQuery: keepQuery ?? true }
}

/** The variations with another redirect of one of them. That of the others stays, because their entries leave it out. */
export const withRedirect = (
  variations: readonly Variation[],
  variationKey: string,
  { url, keepQuery }: RedirectValues,
) =>
  variations.map(({ key, name, weight }) => ({
    ...{ key, name, weight },
    ...(key === variationKey && { redirect: url.trim() === '' ? null : { url: url.trim(), keepQuery } }),
  }))

/** What a variation has that visitors of a redirect would never see; undefined if it can have one. */
export function inTheWay({ content, variation }: Pick<Design, 'content' | 'variation'>): string | undefined {
  if (content.changes.length > 0) return 'changes'
  if (content.css !== null) return 'CSS'
  return variation.hasCode ? 'code' : undefined
}
