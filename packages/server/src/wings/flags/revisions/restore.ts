import { isDeepStrictEqual } from 'node:util'
import { type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { placeAmong, type Reference, referencesTo, ruleReferences, type Version } from '../../model/versions/index.ts'
import { servedBy } from '../../serving/datafile/index.ts'
import { withFreeKeys } from '../rules/index.ts'

/** The draft of a flag, and its state in a revision. */
export interface Restorable {
  flagId: string
  key: string
  draft: Version
  live: Version
  past: { fragment: string | null; live: Version }
  ruleIds: readonly string[]
}

/** Ids of rules of experiments, also of ended ones. */
interface Owned {
  ownedIds: readonly string[]
  /** Of those that were never launched. */
  unlaunchedIds: readonly string[]
}

/**
 * A restore leaves experiments alone: their rules stay in the draft, also if the revision does not have them, and the
 * rule of an experiment that has ended for good does not return. A test that was never launched was served to no
 * visitor, so it stays as it is drafted, whatever the revision says.
 */
export function besideExperiments<Row extends Restorable & Owned>(row: Row): Row {
  const { past, draft, ruleIds, ownedIds, unlaunchedIds } = row
  if (ownedIds.length === 0) return row
  const isGone = (id: string) => (ownedIds.includes(id) && !ruleIds.includes(id)) || unlaunchedIds.includes(id)
  const present = past.live.rules.filter(({ id }) => !isGone(id))
  const kept = draft.rules.filter(({ id }) => ownedIds.includes(id) && !present.some((rule) => rule.id === id))
  // The rule of an experiment can have the key of a rule that was deleted before.
  const returning = withFreeKeys(present, new Set(kept.map(({ key }) => key)))
  const isKept = ({ ruleId }: { ruleId: string }) => kept.some(({ id }) => id === ruleId)
  const ruleAllowlists = [
    ...past.live.overrides.ruleAllowlists.filter(({ ruleId }) => !isGone(ruleId)),
    ...draft.overrides.ruleAllowlists.filter(isKept),
  ]
  const rules = kept.reduce((list, rule) => placeAmong(list, draft.rules, rule), returning)
  const live = { ...past.live, overrides: { ...past.live.overrides, ruleAllowlists }, rules }
  return { ...row, past: { ...past, live } }
}

/** Restores everything except the keys and values of variations, which belong to the flag. */
export function restoredDraft({ draft, past }: Pick<Restorable, 'draft' | 'past'>): Version {
  const { defaultVariationId, overrides, rules, web } = past.live
  const { web: _drafted, ...kept } = draft
  return { ...kept, defaultVariationId, overrides, rules, ...(web && { web }) }
}

/** Refuses to restore a variation that no longer exists. It must be created again first. */
export function refusesRestore(flags: readonly Restorable[]): Refusal | undefined {
  const references = flags.flatMap((flag) => {
    const kept = new Set(flag.draft.variations.map(({ id }) => id))
    return flag.past.live.variations
      .filter(({ id }) => !kept.has(id))
      .flatMap(({ id, key }) =>
        referencesTo(restoredDraft(flag), id).map((reference) => ({
          ...reference,
          flagId: flag.flagId,
          flagKey: flag.key,
          variationKey: key,
        })),
      )
  })
  if (references.length === 0) return undefined
  const names = [...new Set(references.map(({ flagKey, variationKey }) => `${variationKey} of ${flagKey}`))].join(', ')
  return refuse('invalid_state', `The revision serves variations that no longer exist: ${names}.`, { references })
}

/** The audiences and segments that the restored drafts name. */
export const restoredReferences = (flags: readonly Pick<Restorable, 'past'>[]): Reference[] =>
  flags.flatMap(({ past }) => past.live.rules.flatMap(ruleReferences))

/** Refuses references to deleted audiences and segments: their rules would match no visitor. `known` still exist. */
export function refusesUnknown(references: readonly Reference[], known: ReadonlySet<string>): Refusal | undefined {
  const gone = new Map(references.filter(({ id }) => !known.has(id)).map(({ kind, id }) => [id, { type: kind, id }]))
  if (gone.size === 0) return undefined
  const message = 'The revision serves audiences or segments that no longer exist.'
  return refuse('invalid_state', message, { references: [...gone.values()] })
}

/** Deleted rules that are restored, with their old ids. Their switch is on if the revision served them. */
export function returningRules({
  past,
  ruleIds,
}: Pick<Restorable, 'past' | 'ruleIds'>): { id: string; enabled: boolean }[] {
  const isServed = servedBy(past.fragment)
  return past.live.rules
    .filter(({ id }) => !ruleIds.includes(id))
    .map((rule) => ({ id: rule.id, enabled: isServed(rule) }))
}

/** Rules of the draft whose definition the restore changes. */
export function changedRules({ draft, past }: Pick<Restorable, 'draft' | 'past'>): string[] {
  const restored = new Map(past.live.rules.map((rule) => [rule.id, rule]))
  return draft.rules
    .filter((rule) => restored.has(rule.id) && !isDeepStrictEqual(rule, restored.get(rule.id)))
    .map(({ id }) => id)
}

/** Tests of web experiments that do something else to pages after the restore. */
export const changedContents = ({
  draft,
  past,
  experiment,
}: Pick<Restorable, 'draft' | 'past'> & { experiment: { ruleId: string } | null }): string[] =>
  experiment && !isDeepStrictEqual(draft.web, past.live.web) ? [experiment.ruleId] : []

/** Rules that neither the live version nor the restored draft contains. */
export function leavingRules({ live, past, ruleIds }: Pick<Restorable, 'live' | 'past' | 'ruleIds'>): string[] {
  const kept = new Set([...live.rules, ...past.live.rules].map(({ id }) => id))
  return ruleIds.filter((id) => !kept.has(id))
}
