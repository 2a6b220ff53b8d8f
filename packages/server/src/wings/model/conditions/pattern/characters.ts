import type { AST } from '@eslint-community/regexpp'
import type { CharSet } from 'refa'

/** The characters that one element of a pattern reads: a letter, a class such as `[^@]`, a set such as `\d`. */
export type ReadCharacters = (element: AST.Element) => CharSet

interface Kinds {
  count: number
  /** The kinds that each element reads. */
  of: ReadonlySet<number>[]
}

/** Divides all characters into kinds, so that each element reads either all characters of a kind or none. */
export function kindsOf(elements: AST.Element[], read: ReadCharacters): Kinds {
  const distinct = new Map(elements.map((element) => [element.raw, element]))
  const changes = new Map<number, bigint>()
  for (const [index, element] of [...distinct.values()].entries())
    for (const { min, max } of read(element).ranges)
      for (const place of [min, max + 1]) changes.set(place, (changes.get(place) ?? 0n) ^ (1n << BigInt(index)))

  // All characters between two boundaries are in the same sets. Each set is one bit.
  let holding = 0n
  const combinations = new Set<bigint>()
  for (const place of [...changes.keys()].sort((one, other) => one - other)) {
    holding ^= changes.get(place)!
    combinations.add(holding)
  }
  combinations.add(0n)
  const kinds = [...combinations]
  const readBy = (bit: bigint) => new Set(kinds.flatMap((bits, kind) => ((bits >> bit) & 1n ? [kind] : [])))
  const of = new Map([...distinct.keys()].map((raw, index) => [raw, readBy(BigInt(index))]))
  return { count: kinds.length, of: elements.map(({ raw }) => of.get(raw)!) }
}
