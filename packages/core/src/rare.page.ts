import { needsRare } from './needs-rare.ts'

/** As in `rare.ts`, but undefined until a data file needs it. Conditions that use it then give PARSE_ERROR. */
export let rare: typeof import('./rare-parts.ts') | undefined

/** Loads the second file if this data file needs it; undefined if it does not, or if it is loaded. */
export const loadRare = (file: object): Promise<unknown> | undefined =>
  rare || !needsRare(file)
    ? undefined
    : import('./rare-parts.ts').then((parts) => {
        rare = parts
      })
