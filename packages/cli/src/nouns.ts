import { nouns } from '@svc/client'

type Nouns = typeof nouns

/** The nouns that the index of a project lists. */
export type IndexedNoun = { [N in keyof Nouns]: Nouns[N] extends { index: string } ? N : never }[keyof Nouns]

/** Those that a command can also call by name. */
export type ObjectNoun = Exclude<IndexedNoun, 'flag' | 'environment'>

/** The field of the index: `exclusionGroups`. */
export const fieldOf = <N extends IndexedNoun>(noun: N): Nouns[N]['index'] => nouns[noun].index

/** The names for people, in singular and plural: `exclusion groups`. */
export const singular = (noun: IndexedNoun): string => nouns[noun].label.toLowerCase()
export const plural = (noun: IndexedNoun): string => nouns[noun].plural.toLowerCase()
