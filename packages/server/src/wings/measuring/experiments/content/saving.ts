import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../../../platform/db/index.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { saveDraftEdit } from '../../../flags/flags/index.ts'
import { type LockedFlagEnvironment, saveVersions } from '../../../model/flag-environments/index.ts'
import { touchRuleRows } from '../../../model/rules/index.ts'
import { webOf, withWeb } from '../../../model/versions/index.ts'
import { plainContent, type WebContent } from '../../../model/web/index.ts'

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
  wanted: WebContent,
  { ruleId, isLaunched }: { ruleId: string; isLaunched: boolean },
): Promise<boolean> {
  const web = plainContent(wanted)
  if (isDeepStrictEqual(webOf(row.draft), web)) return false
  const draft = withWeb(row.draft, web, isLaunched ? row.live : undefined)
  if (isLaunched) await saveDraftEdit(tx, row, draft, by)
  else {
    const { flagId, envId, live } = row
    await saveVersions(tx, envId, [{ flagId, draft, live: withWeb(live, web), stagedBy: {} }])
  }
  await touchRuleRows(tx, [ruleId], by.now)
  return true
}
