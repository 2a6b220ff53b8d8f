/** What an instance says about itself. */
export interface Beat {
  sdkType: string
  sdkVersion: string
  /** Empty where it gives none: then one row stands for any number of instances. */
  instanceId: string
  /** The revision that it serves; null where it does not say. */
  revision: number | null
}

export interface Instance extends Beat {
  /** When it first said this revision. */
  revisionAt: Date | null
  /** The last revisions that it said before, newest first; the times are ISO 8601. */
  earlier: readonly { revision: number; revisionAt: string }[]
  firstSeenAt: Date
  lastSeenAt: Date
}

/** A revision of an environment; `publishedAt` is null where the time is not known. */
export interface Published {
  revision: number
  publishedAt: Date | null
}

/** Two polls at the usual 30 s, or a heartbeat of a streaming client each minute, a fifth late, and some room. */
export const silentAfterSeconds = 90
/** Of an environment, that are known at a time. */
export const maxInstances = 1000
const maxListed = 100

export type Propagation = ReturnType<typeof propagationOf>

/** How far a revision has come: which instances serve it or a later one, and how long that took. */
export function propagationOf(
  { envId, revision, publishedAt }: Published & { envId: string },
  currentRevision: number,
  instances: readonly Instance[],
  now: Date,
) {
  const heardSince = now.getTime() - silentAfterSeconds * 1000
  const isHeard = ({ lastSeenAt }: Instance) => lastSeenAt.getTime() >= heardSince
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

type Telling = Instance & { revision: number; revisionAt: Date }

/**
 * One without an id of its own may be several, of which only the last word is known; and one that names a revision that
 * is still to come, as after a backup was restored, says nothing of this one.
 */
const tellsRevision = (instance: Instance, currentRevision: number): instance is Telling =>
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

/** Of those that were there when the revision was published and of which the time is known; null when there was none. */
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
 * When an instance came to this revision or a later one, to go behind it no more. Undefined where what is known of it
 * begins with a later one: it may have come to this one long before.
 */
function confirmedAt(instance: Telling, revision: number): Date | undefined {
  const said = [instance, ...instance.earlier]
  const before = said.findIndex((each) => each.revision < revision)
  const first = said.at(before === -1 ? -1 : before - 1)!
  return before === -1 && first.revision > revision ? undefined : new Date(first.revisionAt)
}
