import { isDeepStrictEqual } from 'node:util'
import { type Difference, differences, type Version } from '../versions/index.ts'

/**
 * What a publish changes of the test of an experiment, by the names of its fields. That the allowlist changed is told, but
 * not for which visitors.
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
