import type { FlagType } from '@svc/core'
import { type Issue, invalid, type Refusal, refuse, refuseIssues } from '../../../catalogue/refusals.ts'
import { referencesTo, type Version } from '../../model/versions/index.ts'
import { canonicalValue } from './value.ts'

export interface Variation {
  id: string
  name: string
  key: string
  value: string
}

export const maxFlagsPerProject = 10_000

/** Of flags that are asked for at once, those that the project can have: a key belongs to the first who asks for it. */
export function refusesCreation(
  wanted: readonly { key: string }[],
  { taken, room }: { taken: ReadonlySet<string>; room: number },
): (Refusal | undefined)[] {
  const keys = new Set(taken)
  let free = room
  return wanted.map(({ key }) => {
    if (keys.has(key)) return keyTaken(key)
    if (free <= 0) return invalid({ path: [], message: `A project may have up to ${maxFlagsPerProject} flags.` })
    keys.add(key)
    free -= 1
    return undefined
  })
}

export function keyTaken(key: string): Refusal {
  const message = `The key ${key} is taken in this project.`
  return refuse('already_exists', message, { issues: [{ path: ['key'], message }] })
}

/** SDKs ask for a flag by its key: from the first run on, it stays. */
export function refusesKey(flag: { key: string; everEnabled: boolean }, key: string): Refusal | undefined {
  if (key === flag.key || !flag.everEnabled) return undefined
  return refuse('invalid_state', 'The flag has been enabled: its key can no longer change.', {
    current: flag.key,
    allowed: [flag.key],
  })
}

/**
 * The variations with their values as they are kept, or what they break beyond their shape; the paths lie under
 * `variations`.
 */
export function readVariations<Wanted extends { key: string; value: string }>(
  type: FlagType,
  wanted: readonly Wanted[],
): { variations: Wanted[] } | Refusal {
  const issues: Issue[] = []
  const keys = new Set<string>()
  const variations = wanted.map((variation, index) => {
    const { key } = variation
    if (keys.has(key))
      issues.push({ path: ['variations', index, 'key'], message: `Two variations have the key ${key}.` })
    keys.add(key)
    const read = canonicalValue(type, variation.value)
    if ('value' in read) return { ...variation, value: read.value }
    const path = ['variations', index, 'value']
    issues.push({ path, message: `variations[${index}].value ${read.rule}` })
    return variation
  })
  const isEachOnce = variations.length === 2 && variations[0]!.value !== variations[1]!.value
  if (type === 'BOOLEAN' && issues.length === 0 && !isEachOnce)
    issues.push({
      path: ['variations'],
      message: 'A BOOLEAN flag has exactly 2 variations, with the values "true" and "false".',
    })
  return refuseIssues(issues) ?? { variations }
}

export function unknownVariation(field: string): Refusal {
  return invalid({ path: [field], message: `${field} names none of the variations.` })
}

/** New variations keep the id of the one that they name by id, else by key. */
export function matchVariations(
  current: readonly Variation[],
  wanted: readonly { id?: string | undefined; name: string; key: string; value: string }[],
  newId: () => string,
): { variations: Variation[] } | Refusal {
  const issues: Issue[] = []
  const taken = new Set<string>()
  const variations = wanted.map(({ id, ...rest }, index) => {
    const match =
      id === undefined ? current.find(({ key }) => key === rest.key) : current.find((each) => each.id === id)
    if (id !== undefined && !match)
      issues.push({ path: ['variations', index, 'id'], message: 'The flag has no variation with this id.' })
    if (match && taken.has(match.id))
      issues.push({ path: ['variations', index], message: 'Two items name the same variation.' })
    const matchedId = match?.id ?? newId()
    taken.add(matchedId)
    return { id: matchedId, ...rest }
  })
  return refuseIssues(issues) ?? { variations }
}

/** A draft with the flag's new variations in it. */
export function withVariations(draft: Version, variations: readonly Variation[], defaultVariationId: string): Version {
  return {
    ...draft,
    variations: variations.map(({ id, key, value }) => ({ id, key, value })),
    pausedVariationId: defaultVariationId,
  }
}

/** A variation that something still uses cannot go; `drafts` are those with the new variations. */
export function refusesRemoval(
  removed: readonly Variation[],
  drafts: readonly { envId: string; draft: Version }[],
): Refusal | undefined {
  const references = drafts.flatMap(({ envId, draft }) =>
    removed.flatMap((variation) =>
      referencesTo(draft, variation.id).map((reference) => ({ ...reference, envId, variationKey: variation.key })),
    ),
  )
  if (references.length === 0) return undefined
  const keys = [...new Set(references.map(({ variationKey }) => variationKey))].join(', ')
  return refuse('invalid_state', `Still in use: ${keys}. Change what refers to it first.`, { references })
}

const dayMs = 24 * 3_600_000

/** A flag that is worth a look: nobody has edited or switched it for long, or SDKs have stopped asking for it. */
export interface StaleBounds {
  editedBefore: Date
  /** Nor edited since: whoever has just worked on a flag is about to use it. */
  evaluatedBefore: Date
}

export const staleBounds = (now: Date): StaleBounds => ({
  editedBefore: new Date(now.getTime() - 90 * dayMs),
  evaluatedBefore: new Date(now.getTime() - 30 * dayMs),
})

export function isStale(
  { archivedAt, permanent, updatedAt }: { archivedAt: Date | null; permanent: boolean; updatedAt: Date },
  lastEvaluatedAt: Date | null,
  { editedBefore, evaluatedBefore }: StaleBounds,
): boolean {
  if (archivedAt || permanent) return false
  if (updatedAt < editedBefore) return true
  // SDKs that do not say what they evaluate leave it open.
  return updatedAt < evaluatedBefore && lastEvaluatedAt !== null && lastEvaluatedAt < evaluatedBefore
}
