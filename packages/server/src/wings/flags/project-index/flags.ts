import { differences, statusOf } from '../../model/versions/index.ts'
import { isStale, staleBounds } from '../flags/index.ts'
import type { IndexedEnvironment, IndexedFlag, PendingSwitch, Served, StagedVersions } from './queries.ts'

const whole = 10_000

/**
 * What visitors get from a running flag. Rules below one that everyone gets are never reached, so they do not count.
 * Fields are omitted where they say nothing: the share if it is whole, `everyone` if the rule has conditions.
 */
export function servingOf([rules, type, share, variationKey, everyone]: Served) {
  const isFirstForAll = rules > 0 && everyone && (share ?? whole) === whole
  const reached = isFirstForAll ? 1 : rules
  if (reached > 1) return { rules: reached }
  return {
    rules: reached,
    ...(type === 'AB_TEST' ? { abTest: true as const } : { variationKey: variationKey ?? '' }),
    ...(share !== null && { share }),
    ...(everyone && { everyone: true as const }),
  }
}

/** The flags with their state in each environment, as the index shows them. */
export function presentFlags(
  flags: readonly IndexedFlag[],
  environments: readonly Pick<IndexedEnvironment, 'id'>[],
  staged: readonly StagedVersions[],
  pending: readonly PendingSwitch[],
  now: Date,
) {
  const bounds = staleBounds(now)
  const place = ({ flagId, envId }: { flagId: string; envId: string }) => `${flagId} ${envId}`
  const unpublished = new Map(staged.map((row) => [place(row), differences(row.live, row.draft).length]))
  const scheduled = new Map(pending.map((row) => [place(row), { action: row.action, runAt: row.runAt.toISOString() }]))
  return flags.map((flag) => {
    const seen = flag.environments.flatMap(([, , at]) => at ?? [])
    const lastEvaluatedAt = seen.length > 0 ? new Date(Math.max(...seen)) : null
    return {
      shortId: flag.shortId,
      key: flag.key,
      name: flag.name,
      type: flag.type,
      status: statusOf(
        flag,
        flag.environments.some(([, running]) => running),
      ),
      ...(isStale(flag, lastEvaluatedAt, bounds) && { stale: true as const }),
      tags: flag.tags,
      updatedAt: flag.updatedAt.toISOString(),
      ...(flag.updatedBy !== null && { updatedBy: flag.updatedBy }),
      ...(flag.ownerId !== null && { owner: flag.ownerId }),
      states: environments.map(({ id: envId }) => {
        const [, running, evaluatedAt, published, abTest, serves] = flag.environments.find(([id]) => id === envId) ?? []
        const changes = unpublished.get(place({ flagId: flag.id, envId }))
        const schedule = scheduled.get(place({ flagId: flag.id, envId }))
        return {
          ...(running && { running: true as const }),
          ...(published === false && { firstRun: true as const }),
          ...(abTest && { abTest: true as const }),
          ...(serves && { serves: servingOf(serves) }),
          ...(changes && { unpublished: changes }),
          ...(schedule && { scheduled: schedule }),
          ...(evaluatedAt && { lastEvaluatedAt: new Date(evaluatedAt).toISOString() }),
        }
      }),
    }
  })
}
