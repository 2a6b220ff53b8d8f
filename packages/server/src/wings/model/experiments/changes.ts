import { isDeepStrictEqual } from 'node:util'
import { type Difference, differences, type Version, webPrefix } from '../versions/index.ts'

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
  return [
    ...ofRule,
    ...(isSame ? [] : [{ path: 'allowlist', from: null, to: null }]),
    ...differences(live, draft).flatMap((change) => ofPage(change)),
  ]
}

/** What a web experiment does to pages, by the fields of the experiment. */
const ofPage = <Change extends { path: string }>(change: Change): Change[] =>
  change.path.startsWith(webPrefix) ? [{ ...change, path: change.path.slice(webPrefix.length) }] : []

interface Path {
  path: string
  from: unknown
  to: unknown
}

/**
 * The changes of a web experiment, made from those of its hidden flag: the paths are fields of the experiment. The
 * default of the flag follows from the baseline, so it is left out.
 */
export function experimentChanges<Change extends Path>(ruleId: string, changes: readonly Change[]): Change[] {
  const prefix = `rules.${ruleId}.`
  return changes.flatMap((change) => {
    const { path, from, to } = change
    if (path === 'overrides')
      return [{ ...change, path: 'allowlist', from: listOf(ruleId, from), to: listOf(ruleId, to) }]
    const winner = rolledOutBy(change)
    if (winner !== undefined) return [{ ...change, path: 'winner', from: null, to: winner }]
    return path.startsWith(prefix) ? [{ ...change, path: path.slice(prefix.length) }] : ofPage(change)
  })
}

/** The variation of a delivery rule that comes in the place of the test. */
const rolledOutBy = ({ path, to }: Path): unknown =>
  /^rules\.[^.]+$/.test(path) && (to as { type?: string } | null)?.type === 'TARGETED_DELIVERY'
    ? (to as { variationKey?: unknown }).variationKey
    : undefined

/** The allowlist of a rule in described overrides. */
const listOf = (ruleId: string, overrides: unknown): unknown =>
  (overrides as { ruleAllowlists: { ruleId: string; entries: unknown }[] }).ruleAllowlists.find(
    (list) => list.ruleId === ruleId,
  )?.entries ?? []

/** The paths of the hidden flag for paths of its experiment. */
export const pathsOfFlag = (ruleId: string, paths: readonly string[]): string[] =>
  paths.flatMap((path) =>
    path === 'allowlist'
      ? ['overrides']
      : path === 'baselineVariationKey'
        ? [`rules.${ruleId}.${path}`, 'defaultVariationKey']
        : isOfPage(path)
          ? [`${webPrefix}${path}`]
          : [`rules.${ruleId}.${path}`],
  )

/** `variations` alone is the split; with more behind it, it is what a variation does to pages. */
const isOfPage = (path: string): boolean =>
  /^(?:pages\.|variations\.|(?:pageOrder|activation|activationSelector|applyAt)$)/.test(path)
