import { isRefusal, type Refusal } from '../../../../catalogue/refusals.ts'
import type { Tx } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { type LockedFlagEnvironment, saveVersions } from '../../../model/flag-environments/index.ts'
import { firstVersion } from '../../../model/versions/index.ts'
import { lockEnvironment, type Publishing } from '../../../serving/datafile/index.ts'
import { nextFlagShortId } from '../../projects/index.ts'
import { readVariations, unknownVariation } from '../flag.ts'
import {
  deleteFlagRow,
  deleteHiddenFlagRows,
  type Flag,
  insertFlags,
  saveDraftEdit,
  saveFlag,
  saveSwitched,
} from '../queries.ts'
import { hiddenVariations, type NamedVariation, unlaunched, withMoreVariations } from './hidden.ts'

/*
 * The flag of a web experiment. People do not see it, so nothing here has an audit entry or an event: the experiment
 * records what happens.
 */

interface NewHiddenFlag {
  orgId: string
  projectId: string
  /** The environment of the experiment. The flag has no row in others. */
  envId: string
  name: string
  key: string
  variations: readonly NamedVariation[]
  baselineKey: string
}

/** The project is locked. The switch is on: whether visitors get something is decided by the rule alone. */
export async function createHiddenFlag(tx: Tx, by: Author, wanted: NewHiddenFlag): Promise<Flag | Refusal> {
  const { orgId, projectId, envId, name, key, baselineKey } = wanted
  const read = readHidden(wanted.variations, [])
  if (isRefusal(read)) return read
  const { variations } = read
  const defaultVariationId = variations.find((each) => each.key === baselineKey)?.id
  if (!defaultVariationId) return unknownVariation('baselineVariationKey')
  const flag: Flag = {
    ...{ id: newId(), orgId, projectId, shortId: await nextFlagShortId(tx, projectId), name, key, variations },
    ...{ type: 'STRING', kind: 'WEB', description: null, tags: [], ownerId: null, permanent: true, valueSchema: null },
    defaultVariationId,
    ...{ everEnabled: true, everArchived: false, version: 1, createdAt: by.now, updatedAt: by.now, archivedAt: null },
  }
  const version = firstVersion(variations, defaultVariationId)
  const row = { flagId: flag.id, envId, draft: version, live: version, stagedBy: {} }
  await insertFlags(tx, projectId, [{ ...flag, updatedBy: by.actor.name }], [row])
  const on = { flagId: flag.id, enabled: true, published: false, lastPublishedRevision: null, edited: false }
  await saveSwitched(tx, envId, [{ ...on, at: by.now, by: by.actor.name }])
  return flag
}

/** The variations with their ids, or the rules that they break. */
export function readHidden(wanted: readonly NamedVariation[], current: Flag['variations']) {
  return readVariations({ type: 'STRING', valueSchema: null }, hiddenVariations(wanted, current, newId))
}

interface OnHidden {
  tx: Tx
  flag: Flag
  row: LockedFlagEnvironment
}

/** Adds variations to the draft before its rule changes to them. */
export const addHiddenVariations = async (
  { tx, row }: OnHidden,
  by: Author,
  variations: Flag['variations'],
): Promise<void> => saveDraftEdit(tx, row, withMoreVariations(row.draft, variations), by)

/** Saves the flag with what its experiment says. After the launch, the default is staged and the variations stay. */
export async function saveHiddenFlag(
  { tx, flag, row }: OnHidden,
  by: Author,
  {
    ruleId,
    name,
    variations,
    baselineId,
    isLaunched,
  }: { ruleId: string; name: string; variations: Flag['variations']; baselineId: string; isLaunched: boolean },
): Promise<void> {
  await saveFlag(tx, flag.id, { ...flag, name, variations, defaultVariationId: baselineId }, by)
  if (isLaunched) {
    if (row.draft.defaultVariationId !== baselineId)
      await saveDraftEdit(tx, row, { ...row.draft, defaultVariationId: baselineId }, by)
    return
  }
  const { flagId, envId } = row
  await saveVersions(tx, envId, [{ flagId, ...unlaunched(row.draft, ruleId, variations, baselineId), stagedBy: {} }])
}

/** The name is for people alone, so it changes at once. */
export const saveHiddenName = (tx: Tx, by: Author, flag: Flag, name: string): Promise<void> =>
  saveFlag(tx, flag.id, { ...flag, name }, by)

/** The environment is locked. The data file stays the same, but audiences of the flag are no longer held by it. */
export async function deleteHiddenFlag(
  change: Publishing,
  by: Author,
  { flagId, ...which }: { orgId: string; projectId: string; envId: string; flagId: string },
): Promise<null | Refusal> {
  return change(async (tx, republish) => {
    const environment = (await lockEnvironment(tx, which))!
    await republish(tx, [environment], { leaving: [flagId] }, by, { reason: 'DELETED' })
    await deleteFlagRow(tx, flagId)
    return null
  })
}

/** Deletes the flags of the web experiments in an environment that is deleted. */
export const deleteHiddenFlags = (tx: Tx, envId: string): Promise<void> => deleteHiddenFlagRows(tx, envId)
