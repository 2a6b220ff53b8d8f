/** An attribute that visitors had lately. */
export interface SeenAttribute {
  name: string
  /** Values that several visitors have, the most frequent first. */
  values: readonly (string | number | boolean)[]
}

/** The names to suggest: those of most visitors first, then others that the project uses already. */
export const namesToSuggest = (seen: readonly SeenAttribute[], used: readonly string[]): string[] => [
  ...new Set([...seen.map(({ name }) => name), ...used]),
]

/** The values of an attribute to suggest. True and false are chosen from a list of their own. */
export const valuesToSuggest = (seen: readonly SeenAttribute[], attribute: string): (string | number)[] =>
  (seen.find(({ name }) => name === attribute)?.values ?? []).filter((value) => typeof value !== 'boolean')

/** Whether visitors have numbers here, and nothing else, so that a person who types one means a number. */
export const areNumbers = (values: readonly unknown[]): boolean =>
  values.length > 0 && values.every((value) => typeof value === 'number')
