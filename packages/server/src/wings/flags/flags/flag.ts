import type { FlagType } from '@svc/core'
import { type Issue, invalid, type Refusal, refuse, refuseIssues } from '../../../catalogue/refusals.ts'
import { referencesTo, type Version } from '../../model/versions/index.ts'
import { canonicalValue } from './value.ts'
import { type ValueSchema, valueFault } from './value-schema.ts'

export interface Variation {
  id: string
  name: string
  key: string
  value: string
}

export const maxFlagsPerProject = 10_000

/** Which of several new flags a project can have. If two have the same key, the first one gets it. */
export function refusesCreation(
  wanted: readonly { key: string }[],
  { taken, room }: { taken: ReadonlySet<string>; room: number },
): (Refusal | undefined)[] {
  const keys = new Set(taken)
  let free = room
  return wanted.map(({ key }) => {
    if (keys.has(key)) return keyTaken(key)
    if (free <= 0) return invalid({ path: [], message: `A project can have up to ${maxFlagsPerProject} flags.` })
    keys.add(key)
    free -= 1
    return undefined
  })
}

export function keyTaken(key: string): Refusal {
  const message = `The key ${key} is taken in this project.`
  return refuse('already_exists', message, { issues: [{ path: ['key'], message }] })
}

/** SDKs find a flag by its key, so the key is fixed after the first run. */
export function refusesKey(flag: { key: string; everEnabled: boolean }, key: string): Refusal | undefined {
  if (key === flag.key || !flag.everEnabled) return undefined
  return refuse('invalid_state', 'The flag has been enabled: its key can no longer change.', {
    current: flag.key,
    allowed: [flag.key],
  })
}

/**
 * The variations with canonical values, or the rules that they break. The paths of the issues begin with `variations`.
 */
export function readVariations<Wanted extends { key: string; value: string }>(
  { type, valueSchema }: Typed,
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
    const path = ['variations', index, 'value']
    const rule = 'rule' in read ? read.rule : unfit(valueSchema, read.value)
    if ('value' in read && rule === undefined) return { ...variation, value: read.value }
    issues.push({ path, message: `variations[${index}].value ${rule}` })
    return variation
  })
  const isEachOnce = variations.length === 2 && variations[0]!.value !== variations[1]!.value
  if (type === 'BOOLEAN' && issues.length === 0 && !isEachOnce)
    issues.push({
      path: ['variations'],
      message: 'must be exactly two, with the values "true" and "false", for a BOOLEAN flag.',
    })
  return refuseIssues(issues) ?? { variations }
}

/** The type of a flag, with what its values must look like. */
export interface Typed {
  type: FlagType
  valueSchema: ValueSchema | null
}

/** The rule of the schema that a value breaks. The text begins with its place in the value. */
function unfit(schema: ValueSchema | null, value: string): string | undefined {
  const fault = schema && valueFault(schema, JSON.parse(value))
  if (!fault) return undefined
  const place = fault.path.length > 0 ? ` at ${fault.path.join('.')}` : ''
  return `does not fit the schema of the flag${place}: ${fault.message}`
}

/** A schema is for JSON flags, and the values that the flag has must fit it. */
export function refusesSchema({
  type,
  valueSchema,
  variations,
}: Typed & { variations: readonly Pick<Variation, 'key' | 'value'>[] }): Refusal | undefined {
  if (valueSchema === null) return undefined
  const path = ['valueSchema']
  if (type !== 'JSON') return invalid({ path, message: 'Only a JSON flag can have a schema of its values.' })
  return refuseIssues(
    variations.flatMap(({ key, value }) => {
      const rule = unfit(valueSchema, value)
      return rule ? [{ path, message: `The value of the variation ${key} ${rule}` }] : []
    }),
  )
}

export function unknownVariation(field: string): Refusal {
  return invalid({ path: [field], message: `${field} must be the key of one of the variations.` })
}

/** A new variation keeps the id of the current variation with its id, or else with its key. */
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
      issues.push({ path: ['variations', index], message: 'must not refer to the same variation as a different item.' })
    const matchedId = match?.id ?? newId()
    taken.add(matchedId)
    return { id: matchedId, ...rest }
  })
  return refuseIssues(issues) ?? { variations }
}

/** A draft with the new variations of its flag. */
export function withVariations(draft: Version, variations: readonly Variation[], defaultVariationId: string): Version {
  return {
    ...draft,
    variations: variations.map(({ id, key, value }) => ({ id, key, value })),
    pausedVariationId: defaultVariationId,
  }
}

/** Refuses to remove variations that are still in use. `drafts` have the new variations. */
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
  return refuse(
    'invalid_state',
    `Variations are still in use: ${keys}. Change the rules, overrides or defaults that use them first.`,
    { references },
  )
}

const dayMs = 24 * 3_600_000

/** A flag is stale if it was not edited or switched for a long time, or if SDKs no longer evaluate it. */
export interface StaleBounds {
  editedBefore: Date
  /** Only flags that were not edited after this time either: a recently edited flag is about to be used. */
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
  // Unknown if the SDKs do not report evaluations.
  return updatedAt < evaluatedBefore && lastEvaluatedAt !== null && lastEvaluatedAt < evaluatedBefore
}
