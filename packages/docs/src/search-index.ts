import MiniSearch, { type Options } from 'minisearch'

/** A heading with the text below it. */
export interface Entry {
  id: number
  address: string
  /** The title of its page. */
  page: string
  heading: string
  text: string
}

/** Used to build the index and to search it. Both must use the same options. */
export const searchOptions: Options<Entry> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['address', 'page', 'heading', 'text'],
  searchOptions: {
    boost: { heading: 4, page: 2 },
    // Pages rank above their sections.
    boostDocument: (_id, _term, stored) => (String(stored?.address).includes('#') ? 1 : 2),
    combineWith: 'AND',
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  },
}

export function searchIndex(entries: Entry[]): string {
  const index = new MiniSearch(searchOptions)
  index.addAll(entries)
  return JSON.stringify(index)
}
