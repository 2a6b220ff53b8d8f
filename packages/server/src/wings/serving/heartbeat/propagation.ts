/** An instance, according to its heartbeats. */
export interface Beat {
  sdkType: string
  sdkVersion: string
  /** Empty if it sends none. One row then represents any number of instances. */
  instanceId: string
  /** The revision that the client serves; null if unknown. */
  revision: number | null
}

export interface Instance extends Beat {
  /** When it first reported this revision. */
  revisionAt: Date | null
  /** The last revisions that it reported before, newest first. Times are ISO 8601. */
  earlier: readonly { revision: number; revisionAt: string }[]
  firstSeenAt: Date
  lastSeenAt: Date
}

/** A revision of an environment. `publishedAt` is null if the time is unknown. */
export interface Published {
  revision: number
  publishedAt: Date | null
}

/** Two polls at the default 30 s, or one heartbeat per minute of a streaming client, each a fifth late, plus a margin. */
export const silentAfterSeconds = 90
/** The maximum number of instances that are kept per environment. */
export const maxInstances = 1000
const maxListed = 100

export type Propagation = ReturnType<typeof propagationOf>

/** The propagation of a revision: which instances serve it or a later one, and how long that took. */
export function propagationOf(
  { envId, revision, publishedAt }: Published & { envId: string },
  currentRevision: number,
  instances: readonly Instance[],
  now: Date,
) {
  const isHeard = (instance: Instance) => !isSilent(instance, now)
  const heard = instances.filter(isHeard)
  const telling = instances.filter((each): each is Telling => tellsRevision(each, currentRevision))
  const live = telling.filter(isHeard)
  const silent = telling.filter((each) => !isHeard(each))
  const confirmed = live.filter((each) => each.revision >= revision)
  const behind = live.filter((each) => each.revision < revision)
  return {
    envId,
    revision,
    currentRevision,
    publishedAt: publishedAt?.toISOString() ?? null,
    complete: behind.length === 0 && heard.length < maxInstances,
    full: heard.length >= maxInstances,
    instances: {
      confirmed: confirmed.length,
      behind: behind.length,
      silent: silent.length,
      untold: heard.length - live.length,
    },
    revisions: countByRevision(live),
    behind: behind.slice(0, maxListed).map(present),
    silent: silent.slice(0, maxListed).map(present),
    took: publishedAt && timesOf(confirmed, revision, publishedAt),
    silentAfterSeconds,
  }
}

export const isSilent = ({ lastSeenAt }: Instance, now: Date): boolean =>
  lastSeenAt.getTime() < now.getTime() - silentAfterSeconds * 1000

type Telling = Instance & { revision: number; revisionAt: Date }

/**
 * An instance without an id can represent several instances, and only their last heartbeat is known. An instance that
 * reports a revision that does not exist yet, for example after a restore from a backup, says nothing about this one.
 */
export const tellsRevision = (instance: Instance, currentRevision: number): instance is Telling =>
  instance.revision !== null && instance.revision <= currentRevision && instance.instanceId !== ''

function countByRevision(live: readonly Telling[]): { revision: number; instances: number }[] {
  const counts = new Map<number, number>()
  for (const { revision } of live) counts.set(revision, (counts.get(revision) ?? 0) + 1)
  return [...counts].sort(([one], [other]) => other - one).map(([revision, instances]) => ({ revision, instances }))
}

const present = ({ instanceId, sdkType, sdkVersion, revision, revisionAt, lastSeenAt }: Telling) => ({
  instanceId,
  sdkType,
  sdkVersion,
  revision,
  since: revisionAt.toISOString(),
  lastSeenAt: lastSeenAt.toISOString(),
})

/** The times of instances that existed at the publish and whose time is known; null if there are none. */
function timesOf(confirmed: readonly Telling[], revision: number, publishedAt: Date) {
  const ms = confirmed
    .filter(({ firstSeenAt }) => firstSeenAt <= publishedAt)
    .flatMap((instance) => confirmedAt(instance, revision) ?? [])
    .map((at) => Math.max(0, at.getTime() - publishedAt.getTime()))
    .sort((one, other) => one - other)
  const at = (share: number) => ms[Math.max(0, Math.ceil(ms.length * share) - 1)]!
  return ms.length === 0 ? null : { p50Ms: at(0.5), p99Ms: at(0.99), lastMs: at(1), instances: ms.length }
}

/**
 * When an instance reached this revision or a later one for good. Undefined if its known history begins with a later
 * revision: it may have reached this one long before.
 */
function confirmedAt(instance: Telling, revision: number): Date | undefined {
  const said = [instance, ...instance.earlier]
  const before = said.findIndex((each) => each.revision < revision)
  const first = said.at(before === -1 ? -1 : before - 1)!
  return before === -1 && first.revision > revision ? undefined : new Date(first.revisionAt)
}
