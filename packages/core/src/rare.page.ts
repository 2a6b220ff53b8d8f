/** As in `rare.ts`, but undefined until a data file needs it. Conditions that use it then give PARSE_ERROR. */
export let rare: typeof import('./rare-parts.ts') | undefined

/** Whether the file names what is in the second file. A value with such a name costs a page only the request. */
export const needsRare = (file: object): boolean =>
  /"((\w*atches|before|after|semver\w+|inCidr|includes\w+|segment|overrideSalt|group|holdout)"|caseSensitive":false)/.test(
    JSON.stringify(file),
  )

/** Loads the second file if this data file needs it; undefined if it does not, or if it is loaded. */
export const loadRare = (file: object): Promise<unknown> | undefined =>
  rare || !needsRare(file)
    ? undefined
    : import('./rare-parts.ts').then((parts) => {
        rare = parts
      })
