import { notFound, type Refusal, refuseUnknown } from '../../../catalogue/refusals.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Author, Event } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { lockReferenced } from '../../model/audiences/index.ts'
import { flagSummaries } from '../../model/flag-environments/index.ts'
import { deleteRuleRows, insertReturningRuleRows, touchRuleRows } from '../../model/rules/index.ts'
import {
  type Difference,
  differences,
  stagedRuleSummaries,
  type Version,
  withDraft,
} from '../../model/versions/index.ts'
import { lockEnvironment, type PublishedEnvironment } from '../../serving/datafile/index.ts'
import { saveDraftEdits } from '../flags/index.ts'
import { unknownFlags } from '../projects/index.ts'
import { isKept, lockFlagsUnlike, lockRestorable } from './queries.ts'
import {
  changedRules,
  leavingRules,
  refusesRestore,
  refusesUnknown,
  restoredDraft,
  restoredReferences,
  returningRules,
} from './restore.ts'

export interface WhichRevision {
  orgId: string
  projectId: string
  envId: string
  revision: number
  /** Only these flags; null for all that still exist. */
  flagIds: readonly string[] | null
}

interface RestoredFlag {
  flagId: string
  key: string
  before: Version
  draft: Version
}

/** Stages the state of a revision for all flags that still exist. Visitors get it with the next publish. */
export function restoreRevision(
  db: Db,
  by: Author,
  { orgId, projectId, envId, revision, flagIds }: WhichRevision,
): Promise<{ flags: { flagId: string; key: string; changes: Difference[] }[] } | Refusal> {
  return inTransaction(db, async (tx) => {
    const environment = await lockEnvironment(tx, { orgId, projectId, envId })
    if (!environment || !(await isKept(tx, envId, revision))) return notFound('Revision')
    const unknown = flagIds ? await unknownFlags(tx, projectId, flagIds) : []
    if (unknown.length > 0) return refuseUnknown('flagIds', 'This project has no flag', unknown)
    const rows = await lockRestorable(tx, envId, revision, await lockFlagsUnlike(tx, envId, revision, flagIds))
    const references = restoredReferences(rows)
    const refusal = refusesRestore(rows) ?? refusesUnknown(references, await lockReferenced(tx, projectId, references))
    if (refusal) return refusal
    const restored = rows.map((row) => ({ ...withDraft(row, restoredDraft(row), by), before: row.draft }))
    const flags = restored.map(({ flagId, key, before, draft }) => ({
      flagId,
      key,
      changes: differences(before, draft),
    }))
    const [event, ...events] = await updatedEvents(tx, environment, restored)
    if (!event) return { flags }
    await saveDraftEdits(
      tx,
      envId,
      restored.map(({ flagId, draft, stagedBy }) => ({ flagId, draft, stagedBy })),
      by.now,
    )
    const returning = rows.flatMap((row) => returningRules(row).map((rule) => ({ ...rule, flagId: row.flagId, envId })))
    await insertReturningRuleRows(tx, returning, by.now)
    await touchRuleRows(tx, rows.flatMap(changedRules), by.now)
    await deleteRuleRows(tx, rows.flatMap(leavingRules))
    await by.record(tx, {
      orgId,
      projectId,
      action: 'environment.restore_revision',
      object: { type: 'environment', id: envId, name: environment.name },
      after: { revision, flags },
      events: [event, ...events],
    })
    return { flags }
  })
}

async function updatedEvents(
  tx: Tx,
  { id, name }: PublishedEnvironment,
  restored: readonly RestoredFlag[],
): Promise<Event<'flag.updated'>[]> {
  const byId = new Map(restored.map((flag) => [flag.flagId, flag]))
  const summaries = await flagSummaries(tx, [...byId.keys()])
  return summaries.map((flag) => {
    const { before, draft } = byId.get(flag.id)!
    return {
      name: 'flag.updated',
      payload: { flag, environment: { id, name }, rules: stagedRuleSummaries(before, draft) },
    }
  })
}
