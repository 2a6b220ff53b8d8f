import type { FlagSearch, IndexedEnvironment } from './flag-filter.ts'

/** A view of the list that many people look for: its filters are in the address like any others. */
export interface FlagView {
  name: string
  search: FlagSearch
}

/** The views of a person. Everyone has all flags, the stale ones and those with unpublished changes. */
export function flagViews(environments: readonly Pick<IndexedEnvironment, 'key'>[], userId: string): FlagView[] {
  const everywhere = environments.map(({ key }) => encodeURIComponent(key)).join(',')
  return [
    { name: 'All', search: {} },
    { name: 'Mine', search: { owner: userId } },
    { name: 'Stale', search: { use: 'stale' } },
    { name: 'Unpublished', search: { unpublished: everywhere } },
  ]
}
