import { hash } from 'node:crypto'
import { type Condition, hashedIdDigits } from '@svc/core'
import { canonicalJson } from './bytes.ts'
import { type NameOf, renamed } from './names.ts'

/** A part of a data file: a member of one of the sections other than `flags`. */
export interface Part {
  section: 'audiences' | 'segments'
  id: string
  /** The member with its key, as JSON. */
  part: string
}

/** An audience or a segment, with the short id that names it in the file. */
export interface Numbered {
  id: string
  shortId: number
}

/** What a revision does to a part. Null removes it from the file. */
export type PartChange = Omit<Part, 'part'> & { before: string | null; part: string | null }

export const audiencePart = ({ id, shortId, live }: Numbered & { live: Condition }, nameOf: NameOf): Part => ({
  section: 'audiences',
  id,
  part: `"${shortId}":${canonicalJson(renamed(live, nameOf))}`,
})

/** The part of a segment. `hashes` are those of its members, in any order. */
export const segmentPart = ({ id, shortId }: Numbered, salt: string, hashes: readonly string[]): Part => ({
  section: 'segments',
  id,
  part: `"${shortId}":${canonicalJson({ ids: [...hashes].sort().join(''), salt })}`,
})

/** The salt of a segment. It differs per environment, so that two files do not reveal common visitors. */
export const segmentSalt = (envId: string, segmentId: string): string => `${envId}.${segmentId}.`

/** `hashId` of core with Node's crypto, which is fast enough for whole segments. Ids leave the service only hashed. */
export const hashVisitor = (salt: string, id: string): string => hash('sha256', salt + id).slice(0, hashedIdDigits)

/** The changes after which a file contains exactly the wanted parts. */
export function partChanges(held: readonly Part[], wanted: readonly Part[]): PartChange[] {
  const before = new Map(held.map(({ id, part }) => [id, part]))
  const kept = new Set(wanted.map(({ id }) => id))
  const leaving = held.filter(({ id }) => !kept.has(id))
  return [
    ...wanted
      .filter(({ id, part }) => before.get(id) !== part)
      .map((each) => ({ ...each, before: before.get(each.id) ?? null })),
    ...leaving.map(({ section, id, part }) => ({ section, id, before: part, part: null })),
  ]
}

/** The value of a part without its key. */
export const parsePart = (part: string | null): unknown =>
  part === null ? null : Object.values(JSON.parse(`{${part}}`))[0]
