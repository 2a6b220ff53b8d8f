import { isDeepStrictEqual } from 'node:util'
import type { ActionOn } from '../../../catalogue/actions.ts'
import type { PublishReason } from '../../../catalogue/payloads.ts'
import { isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import { type IfMatch, versionEtag } from '../../../http/etag.ts'
import { constraintOf, type Db, type Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import type { Author, Event, ProjectChange } from '../../../platform/outbox.ts'
import { inOneTrip, inTransaction } from '../../../platform/transaction.ts'
import { refusesWithExperiments, unarchivedExperiments } from '../../model/experiments/index.ts'
import {
  flagSummary,
  type LockedFlagEnvironment,
  lockFlagEnvironments,
  saveDraft,
} from '../../model/flag-environments/index.ts'
import {
  type FlagEnvironment,
  type FlagSummary,
  type RuleSummary,
  refusesTransition,
  ruleSummary,
  withDraft,
} from '../../model/versions/index.ts'
import {
  lockEnvironments,
  type PublicationEvent,
  type Publishing,
  type RepublishedFlags,
} from '../../serving/datafile/index.ts'
import { shareProject } from '../projects/index.ts'
import {
  keyTaken,
  matchVariations,
  readVariations,
  refusesKey,
  refusesRemoval,
  refusesSchema,
  unknownVariation,
  withVariations,
} from './flag.ts'
import { deleteFlagRow, type Flag, lockFlag, lockFlagIn, saveFlag } from './queries.ts'
import type { ValueSchema } from './value-schema.ts'

const elseKeyTaken = (key: string) => (error: unknown) => {
  if (constraintOf(error) === 'flags_key_key') return keyTaken(key)
  throw error
}

export interface FlagUpdate {
  name?: string | undefined
  key?: string | undefined
  description?: string | null | undefined
  tags?: string[] | undefined
  ownerId?: string | null | undefined
  permanent?: boolean | undefined
  valueSchema?: ValueSchema | null | undefined
}

export async function updateFlag(
  change: Publishing,
  by: Author,
  ifMatch: IfMatch,
  which: WhichFlag,
  update: FlagUpdate,
): Promise<Flag | Refusal> {
  return onFlag(change, which, by, async ({ tx, flag, republish }) => {
    const failed = ifMatch(flagEtag(flag))
    if (failed) return failed
    const { name, key, description, tags, ownerId, permanent, valueSchema } = flag
    const before = { name, key, description, tags, ownerId, permanent, valueSchema }
    const after = {
      name: update.name ?? name,
      key: update.key ?? key,
      description: update.description === undefined ? description : update.description,
      tags: update.tags ?? tags,
      ownerId: update.ownerId === undefined ? ownerId : update.ownerId,
      permanent: update.permanent ?? permanent,
      valueSchema: update.valueSchema === undefined ? valueSchema : update.valueSchema,
    }
    const refusal = refusesKey(flag, after.key) ?? refusesSchema({ ...flag, ...after })
    if (refusal) return refusal
    if (isDeepStrictEqual(before, after)) return flag
    const edited = await save(tx, { ...flag, ...after }, by)
    const { summary, events } = await republish('EDITED')
    await recordFlagChange(tx, by, edited, {
      action: 'flag.update',
      before,
      after,
      events: [flagEvent('flag.updated', summary), ...events],
    })
    return edited
  }).catch(elseKeyTaken(update.key ?? ''))
}

/** The API shows new names and keys at once. Visitors get the new values with the next publish of each environment. */
export async function replaceVariations(
  change: Publishing,
  by: Author,
  ifMatch: IfMatch,
  which: WhichFlag,
  wanted: {
    variations: { id?: string | undefined; name: string; key: string; value: string }[]
    defaultVariationKey?: string | undefined
  },
): Promise<Flag | Refusal> {
  return onFlag(change, which, by, async ({ tx, flag }) => {
    const read = readVariations(flag, wanted.variations)
    if (isRefusal(read)) return read
    const matched = matchVariations(flag.variations, read.variations, newId)
    if (isRefusal(matched)) return matched
    const { variations } = matched
    const defaultVariationId =
      wanted.defaultVariationKey === undefined
        ? flag.defaultVariationId
        : variations.find(({ key }) => key === wanted.defaultVariationKey)?.id
    if (!defaultVariationId) return unknownVariation('defaultVariationKey')
    const failed = ifMatch(flagEtag(flag))
    if (failed) return failed
    const before = { variations: flag.variations, defaultVariationId: flag.defaultVariationId }
    const after = { variations, defaultVariationId }
    if (isDeepStrictEqual(before, after)) return flag
    const edited = await saveVariations(tx, by, flag, await lockFlagEnvironments(tx, flag.id), after)
    if (isRefusal(edited)) return edited
    await recordFlagChange(tx, by, edited, {
      action: 'flag.replace_variations',
      before,
      after,
      events: [flagEvent('flag.updated', await flagSummary(tx, flag.id))],
    })
    return edited
  })
}

/**
 * Replaces the variations of a flag and of its drafts in these environments. Refuses to remove one that a draft still
 * uses.
 */
export async function saveVariations(
  tx: Tx,
  by: Author,
  flag: Flag,
  rows: readonly FlagEnvironment[],
  { variations, defaultVariationId }: Pick<Flag, 'variations' | 'defaultVariationId'>,
): Promise<Flag | Refusal> {
  const drafted = ({ draft }: FlagEnvironment) => withVariations(draft, variations, defaultVariationId)
  const removed = flag.variations.filter(({ id }) => !variations.some((variation) => variation.id === id))
  const refusal = refusesRemoval(
    removed,
    rows.map((row) => ({ ...row, draft: drafted(row) })),
  )
  if (refusal) return refusal
  for (const row of rows) await saveDraft(tx, withDraft(row, drafted(row), by))
  return save(tx, { ...flag, variations, defaultVariationId }, by)
}

export async function archiveFlag(change: Publishing, by: Author, which: WhichFlag): Promise<Flag | Refusal> {
  return onFlag(change, which, by, async ({ tx, flag, republish }) => {
    if (flag.archivedAt) return flag
    const refusal = refusesTransition('archive', (await flagSummary(tx, flag.id)).status)
    if (refusal) return refusal
    const archived = await save(tx, { ...flag, archivedAt: by.now, everArchived: true }, by)
    const { summary, events } = await republish('ARCHIVED')
    await recordFlagChange(tx, by, archived, {
      action: 'flag.archive',
      before: { archivedAt: null },
      after: { archivedAt: by.now },
      events: [flagEvent('flag.archived', summary), ...events],
    })
    return archived
  })
}

export async function unarchiveFlag(change: Publishing, by: Author, which: WhichFlag): Promise<Flag | Refusal> {
  return onFlag(change, which, by, async ({ tx, flag, republish }) => {
    const refusal = refusesTransition('unarchive', (await flagSummary(tx, flag.id)).status)
    if (refusal) return refusal
    const unarchived = await save(tx, { ...flag, archivedAt: null }, by)
    const { summary, events } = await republish('UNARCHIVED')
    await recordFlagChange(tx, by, unarchived, {
      action: 'flag.unarchive',
      before: { archivedAt: flag.archivedAt },
      after: { archivedAt: null },
      events: [flagEvent('flag.unarchived', summary), ...events],
    })
    return unarchived
  })
}

export async function deleteFlag(
  change: Publishing,
  by: Author,
  ifMatch: IfMatch,
  which: WhichFlag,
): Promise<null | Refusal> {
  return onFlag(change, which, by, async ({ tx, flag, leave }) => {
    const refusal =
      ifMatch(flagEtag(flag)) ??
      refusesTransition('delete', (await flagSummary(tx, flag.id)).status) ??
      refusesWithExperiments('The flag', await unarchivedExperiments(tx, 'flag_id', flag.id))
    if (refusal) return refusal
    const { summary, events } = await leave()
    await deleteFlagRow(tx, flag.id)
    await recordFlagChange(tx, by, flag, {
      action: 'flag.delete',
      before: flag,
      events: [flagEvent('flag.deleted', summary), ...events],
    })
    return null
  })
}

export interface WhichFlag {
  projectId: string
  flagId: string
}

interface OnFlag {
  tx: Tx
  flag: Flag
  /** Publishes the visible part of the change in every environment. */
  republish: (reason: PublishReason) => Promise<RepublishedFlag>
  /** Removes the flag from every data file. */
  leave: () => Promise<RepublishedFlag>
}

interface RepublishedFlag {
  /** The flag after the change, or before it if the flag is deleted. */
  summary: FlagSummary
  events: PublicationEvent[]
}

/** Locks in the order of every transaction: project, environments, flag. */
function onFlag<Result>(
  change: Publishing,
  { projectId, flagId }: WhichFlag,
  by: Author,
  work: (on: OnFlag) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  return change(async (tx, republish) => {
    const [, environments, flag] = await inOneTrip([
      // A separate statement first: the next one would not see an environment that was committed while it waited.
      shareProject(tx, projectId),
      lockEnvironments(tx, projectId),
      lockFlag(tx, flagId),
    ])
    if (!flag) return notFound('Flag')
    const everywhere = async (which: RepublishedFlags, reason: PublishReason): Promise<RepublishedFlag> => {
      const { flags, events } = await republish(tx, environments, which, by, { reason })
      return { summary: flags[0]!, events }
    }
    return work({
      tx,
      flag,
      republish: (reason) => everywhere([flagId], reason),
      leave: () => everywhere({ leaving: [flagId] }, 'DELETED'),
    })
  })
}

async function save(tx: Tx, flag: Flag, by: Author): Promise<Flag> {
  await saveFlag(tx, flag.id, flag, by)
  return { ...flag, version: flag.version + 1, updatedAt: by.now }
}

export const flagEtag = (flag: Pick<Flag, 'version'>): string => versionEtag('flag', flag.version)

interface UpdatedRules {
  rule?: RuleSummary
  rules?: RuleSummary[]
}

/** The event of a change in one environment: of the switch, the default, the overrides or these rules. */
export const updatedEvent = (
  flag: FlagSummary,
  { envId, envName }: LockedFlagEnvironment,
  { rule, rules }: UpdatedRules = {},
): Event<'flag.updated'> => ({
  name: 'flag.updated',
  payload: {
    flag,
    environment: { id: envId, name: envName },
    ...(rule && { rule: ruleSummary(rule) }),
    ...(rules && { rules: rules.map(ruleSummary) }),
  },
})

/** The same event if nothing is published, so the state of the flag must be read. */
export const updatedIn = async (
  tx: Tx,
  row: LockedFlagEnvironment,
  about?: UpdatedRules,
): Promise<Event<'flag.updated'>> => updatedEvent(await flagSummary(tx, row.flagId), row, about)

/** The event of a change to the flag itself. */
export const flagEvent = <Name extends FlagEventName>(name: Name, flag: FlagSummary) => ({ name, payload: { flag } })

type FlagEventName = `flag.${'created' | 'updated' | 'archived' | 'unarchived' | 'deleted'}`

type FlagChange<A extends ActionOn<'flag'>> = Pick<ProjectChange<A>, 'action' | 'before' | 'after' | 'events'>

/** A change of a hidden flag is recorded by its experiment. */
export async function recordFlagChange<A extends ActionOn<'flag'>>(
  tx: Tx,
  by: Author,
  flag: Flag,
  change: FlagChange<A>,
): Promise<void> {
  if (flag.kind === 'FLAG') await by.record(tx, { ...change, ...ofFlag(flag) })
}

/** Where a change of a flag is recorded: organization, project and object. */
export const ofFlag = ({ orgId, projectId, id, name }: Flag) => ({
  orgId,
  projectId,
  object: { type: 'flag' as const, id, name },
})

/** Locks a flag and its draft in one environment, which is enough for a staged edit. */
export function onDraft<Result>(
  db: Db,
  { flagId, envId }: { flagId: string; envId: string },
  work: (on: { tx: Tx; flag: Flag; row: LockedFlagEnvironment }) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  return inTransaction(db, async (tx) => {
    const locked = await lockFlagIn(tx, flagId, envId)
    return locked ? work({ tx, ...locked }) : notFound('Flag')
  })
}
