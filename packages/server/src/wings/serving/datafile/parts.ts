import { hash } from 'node:crypto'
import { type Condition, hashedIdDigits } from '@svc/core'
import { canonicalJson } from './bytes.ts'
import { type NameOf, renamed } from './names.ts'

/** A piece of a data file beside its flags: a member of one of these sections. */
export interface Part {
  section: 'audiences' | 'segments'
  id: string
  /** With its key, as JSON. */
  part: string
}

/** An audience or a segment, with what the file calls it. */
export interface Numbered {
  id: string
  shortId: number
}

/** What a revision does to a part; null: it leaves the file. */
export type PartChange = Omit<Part, 'part'> & { before: string | null; part: string | null }

export const audiencePart = ({ id, shortId, live }: Numbered & { live: Condition }, nameOf: NameOf): Part => ({
  section: 'audiences',
  id,
  part: `"${shortId}":${canonicalJson(renamed(live, nameOf))}`,
})

/** `hashes`: of its members, in any order. */
export const segmentPart = ({ id, shortId }: Numbered, salt: string, hashes: readonly string[]): Part => ({
  section: 'segments',
  id,
  part: `"${shortId}":${canonicalJson({ ids: [...hashes].sort().join(''), salt })}`,
})

/** Of a segment in an environment: nobody can see from two files that they hold the same visitors. */
export const segmentSalt = (envId: string, segmentId: string): string => `${envId}.${segmentId}.`

/** What `hashId` of core answers, by Node's own means: whole segments are hashed here. Ids leave the service in no other form. */
export const hashVisitor = (salt: string, id: string): string => hash('sha256', salt + id).slice(0, hashedIdDigits)

/** What has to happen to the parts of a file, so that it holds those that are wanted and no others. */
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

/** The value behind the key of a part. */
export const parsePart = (part: string | null): unknown =>
  part === null ? null : Object.values(JSON.parse(`{${part}}`))[0]
