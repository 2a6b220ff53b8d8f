import { isDeepStrictEqual } from 'node:util'
import { isRefusal, type Refusal } from '../../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../../http/etag.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { refusesOwned } from '../../../model/experiments/index.ts'
import { findRuleRows } from '../../../model/rules/index.ts'
import type { FlagEnvironment, Overrides, Version } from '../../../model/versions/index.ts'
import { type Flag, flagEtag, onDraft, recordFlagChange, saveDraftEdit, updatedIn } from '../../flags/index.ts'
import { parseOverrides, type RequestedOverrides } from './overrides.ts'

export async function replaceOverrides(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  {
    owner,
    ...which
  }: { flagId: string; envId: string /** The experiment that changes its allowlist. */; owner?: string },
  requested: RequestedOverrides,
): Promise<{ flag: Flag; draft: Version; live: Version } | Refusal> {
  return onDraft(db, which, async ({ tx, flag, row }) => {
    const overrides = parseOverrides(requested, row.draft)
    if (isRefusal(overrides)) return overrides
    const failed = ifMatch(flagEtag(flag)) ?? (await refusesOwnedLists(tx, row, overrides, owner))
    if (failed) return failed
    if (isDeepStrictEqual(overrides, row.draft.overrides)) return { flag, draft: row.draft, live: row.live }
    const draft = { ...row.draft, overrides }
    await saveDraftEdit(tx, row, draft, by)
    await recordFlagChange(tx, by, flag, {
      action: 'flag.replace_overrides',
      before: { envId: row.envId, overrides: row.draft.overrides },
      after: { envId: row.envId, overrides },
      events: [await updatedIn(tx, row)],
    })
    return { flag: { ...flag, version: flag.version + 1 }, draft, live: row.live }
  })
}

/** The allowlist of a rule is a part of what its experiment tests. */
export async function refusesOwnedLists(
  tx: Tx,
  row: FlagEnvironment,
  overrides: Overrides,
  owner: string | undefined,
): Promise<Refusal | undefined> {
  const listOf = (all: Overrides, id: string) => all.ruleAllowlists.find(({ ruleId }) => ruleId === id)?.entries ?? []
  for (const { id, experimentId } of await findRuleRows(tx, row)) {
    const isSame = isDeepStrictEqual(listOf(overrides, id), listOf(row.draft.overrides, id))
    const refusal = isSame ? undefined : refusesOwned(experimentId, owner)
    if (refusal) return refusal
  }
  return undefined
}
