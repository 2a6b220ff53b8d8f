/** How much of the figures a person wants to see. */
export type View = 'simple' | 'statistics'

/** What the address of results says: a copied link shows the same. */
export interface ResultsSearch {
  /** Default: the simple one. */
  view?: 'statistics'
  /** The attribute by which the results are broken down. */
  by?: string
}

const maxCharacters = 64

/** The part of the search of an address that results use. Everything else is dropped. */
export const resultsSearch = ({ view, by }: Record<string, unknown>): ResultsSearch => ({
  ...(view === 'statistics' && { view }),
  ...(typeof by === 'string' && by !== '' && by.length <= maxCharacters && { by }),
})
