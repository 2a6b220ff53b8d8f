import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../../../platform/db/index.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { saveDraftEdit } from '../../../flags/flags/index.ts'
import { type LockedFlagEnvironment, saveVersions } from '../../../model/flag-environments/index.ts'
import { touchRuleRows } from '../../../model/rules/index.ts'
import { webOf } from '../../../model/versions/index.ts'
import type { WebContent } from '../../../model/web/index.ts'

/**
 * Saves what a web experiment does to pages, and moves its ETag. Nothing of an unlaunched one is staged, so both versions
 * get the content.
 *
 * @returns whether anything has changed
 */
export async function saveContent(
  tx: Tx,
  by: Author,
  row: LockedFlagEnvironment,
  web: WebContent,
  { ruleId, isLaunched }: { ruleId: string; isLaunched: boolean },
): Promise<boolean> {
  if (isDeepStrictEqual(webOf(row.draft), web)) return false
  const draft = { ...row.draft, web }
  if (isLaunched) await saveDraftEdit(tx, row, draft, by)
  else {
    const { flagId, envId, live } = row
    await saveVersions(tx, envId, [{ flagId, draft, live: { ...live, web }, stagedBy: {} }])
  }
  await touchRuleRows(tx, [ruleId], by.now)
  return true
}
