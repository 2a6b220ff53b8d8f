import { isDeepStrictEqual } from 'node:util'
import { type Difference, differences, type Version } from '../versions/index.ts'

/**
 * The fields of the test of an experiment that a publish changes. For the allowlist, they show only the fact that it
 * changed, and no visitors.
 */
export function testChanges(ruleId: string, live: Version, draft: Version): Difference[] {
  const prefix = `rules.${ruleId}.`
  const ofRule = differences(live, draft)
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path, ...values }) => ({ path: path.slice(prefix.length), ...values }))
  const allowed = ({ overrides }: Version) => overrides.ruleAllowlists.find((list) => list.ruleId === ruleId)?.entries
  const isSame = isDeepStrictEqual(allowed(live) ?? [], allowed(draft) ?? [])
  return isSame ? ofRule : [...ofRule, { path: 'allowlist', from: null, to: null }]
}
