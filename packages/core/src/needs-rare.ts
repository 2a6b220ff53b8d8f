/** Whether the file names what is in the second file. A value with such a name costs a page only the request. */
export const needsRare = (file: object): boolean =>
  /"((\w*atches|before|after|semver\w+|inCidr|includes\w+|segment|overrideSalt|group|holdout)"|caseSensitive":false)/.test(
    JSON.stringify(file),
  )
