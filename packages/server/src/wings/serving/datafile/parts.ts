import { hash } from 'node:crypto'
import { type Condition, type DataFile, hashedIdDigits } from '@svc/core'
import type { Goal } from '@svc/web'
import { canonicalJson } from '../../../canonical-json.ts'
import { type AbTestRule, type RuleDefinition, type Version, webOf } from '../../model/versions/index.ts'
import { contentMember, settingsMember, type WebSettings } from '../../model/web/index.ts'
import type { Sections } from './file.ts'
import { type NameOf, renamed } from './names.ts'

/** A part of a data file: a member of one of the sections other than `flags`. Data files leave out `web`. */
export interface Part {
  section: keyof Sections
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

/** What a served web experiment does to pages, and what they tell for it. Its id is that of its hidden flag. */
export const contentPart = (
  { id, key, live }: { id: string; key: string; live: Version },
  goals: readonly Goal[],
): Part => ({
  section: 'web',
  id,
  part: contentMember(key, webOf(live), live.variations, goals),
})

/** The settings of a web project, which every environment of it needs. */
export const settingsPart = (projectId: string, settings: WebSettings): Part => ({
  section: 'web',
  id: projectId,
  part: settingsMember(settings),
})

/** The part of a segment. `hashes` are those of its members, in any order. */
export const segmentPart = ({ id, shortId }: Numbered, salt: string, hashes: readonly string[]): Part => ({
  section: 'segments',
  id,
  part: `"${shortId}":${canonicalJson({ ids: [...hashes].sort().join(''), salt })}`,
})

/**
 * What a fragment needs of an exclusion group or a holdout, as text among the references of the fragment. It is whole,
 * so that the parts of a file follow from what its fragments need.
 */
export function neededBy({ shortId: ruleId, exclusion, holdout }: AbTestRule): string[] {
  const needed: Needed[] = []
  if (exclusion) {
    const { groupId: id, shortId, salt, from, to } = exclusion
    needed.push({ section: 'exclusionGroups', id, shortId, salt, slot: { from, ruleId: String(ruleId), to } })
  }
  if (holdout) needed.push({ section: 'holdouts', ...holdout })
  return needed.map((each) => JSON.stringify(each))
}

type Needed = Numbered & { salt: string } & (
    | { section: 'exclusionGroups'; slot: { from: number; ruleId: string; to: number } }
    | { section: 'holdouts'; share: number }
  )

/** The groups and holdouts of these rules in the form of a data file, with rules by id. */
export function sharedBy(rules: readonly RuleDefinition[]): Required<Pick<DataFile, 'exclusionGroups' | 'holdouts'>> {
  const tests = rules.filter((rule) => rule.type === 'AB_TEST')
  const slots = tests.flatMap(({ id, exclusion }) => (exclusion ? { ...exclusion, ruleId: id } : []))
  const groups = [...Map.groupBy(slots, ({ shortId }) => shortId)].map(([shortId, members]) => [
    shortId,
    { salt: members[0]!.salt, slots: members.map(({ ruleId, from, to }) => ({ ruleId, from, to })) },
  ])
  const holdouts = tests.flatMap(({ holdout }) =>
    holdout ? [[holdout.shortId, { salt: holdout.salt, share: holdout.share }]] : [],
  )
  return { exclusionGroups: Object.fromEntries(groups), holdouts: Object.fromEntries(holdouts) }
}

const isNeed = (reference: string): boolean => reference.startsWith('{')

/** The ids of audiences and segments among the references of fragments. */
export const idsAmong = (references: readonly string[]): string[] => references.filter((each) => !isNeed(each))

/** The parts of exclusion groups and holdouts that these fragments need: of a group, the slots of rules that are served. */
export function partsAmong(references: readonly string[]): Part[] {
  const needs = [...new Set(references)].filter(isNeed).map((text) => JSON.parse(text) as Needed)
  return [...Map.groupBy(needs, ({ id }) => id).values()].map(([first, ...others]) => {
    const { section, id, shortId, salt } = first!
    const value =
      first!.section === 'holdouts'
        ? { salt, share: first!.share }
        : { salt, slots: [first!, ...others].flatMap((each) => ('slot' in each ? each.slot : [])).sort(byPlace) }
    return { section, id, part: `"${shortId}":${canonicalJson(value)}` }
  })
}

const byPlace = (one: { from: number }, other: { from: number }): number => one.from - other.from

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
