import type { Db } from '../../../platform/db/index.ts'
import type { OpenRoom } from '../../../platform/held.ts'
import { type Throttle, throttle } from '../../../platform/throttle.ts'
import { together } from '../../../platform/together.ts'
import { writeBehind } from '../../../platform/write-behind.ts'
import {
  type IngestKeyUse,
  type KeyUse,
  saveIngestKeyMisses,
  saveIngestKeyUses,
  saveKeyUses,
} from '../../model/environments/index.ts'
import type { Beat } from './propagation.ts'
import { saveEvaluations, saveHeartbeats, type ToldBeat } from './queries.ts'
import type { Confirmations } from './worker.ts'

export const beatIntervalMs = 10_000
const evaluationIntervalMs = 3_600_000
const keyUseIntervalMs = 60_000

/** Notes who uses an environment, each fact once in a while. Rejects if the database is unavailable. */
export interface Usage {
  /**
   * An instance serves the environment, and reads it with this SDK key. A new revision is noted at once, because a call
   * may be waiting for it.
   */
  serves(envId: string, instance: Beat, sdkKey: string): Promise<void>
  /** Visitors got variations of these flags. */
  evaluated(envId: string, flagKeys: Iterable<string>): Promise<void>
  /** A request named this SDK key. It is stored some seconds later, and not more than once a minute. */
  used(sdkKey: string, use: KeyUse): void
  /** A request had this ingest key. It is stored as `used` is. */
  usedIngestKey(use: Omit<IngestKeyUse, 'at'>): void
  /** Events of the environment were rejected because they had no ingest key. It is stored as `used` is. */
  missedIngestKey(envId: string): void
  /** Stores what these three have noted. */
  flushUses(): Promise<void>
  stop(): Promise<void>
}

interface Context {
  db: Db
  now: () => Date
  confirmations: Confirmations
  openRoom: OpenRoom
  onError: (error: unknown) => void
}

export function usageNotes({ db, now, confirmations, openRoom, onError }: Context): Usage {
  const beatsDue = throttle(now, beatIntervalMs, openRoom('usage'))
  const evaluationsDue = throttle(now, evaluationIntervalMs, openRoom('usage'))
  // By key and use. Without hashes, because every request for a data file looks here, and callers cannot fill it: only
  // keys that exist are used.
  const usedAt = new Map<string, Map<KeyUse, number>>()
  const uses = writeBehind<{ sdkKey: string; use: KeyUse; at: Date }>((notes) => saveKeyUses(db, notes), onError)
  const ingestUses = writeBehind<IngestKeyUse>((notes) => saveIngestKeyUses(db, notes), onError)
  const misses = writeBehind<{ envId: string; at: Date }>((notes) => saveIngestKeyMisses(db, notes), onError)
  const noted = [uses, ingestUses, misses]
  // By ids of ingest keys and of environments, which exist.
  const ingestNotedAt = new Map<string, number>()
  const isIngestNoteDue = (id: string, at: Date): boolean => {
    if (at.getTime() - (ingestNotedAt.get(id) ?? -keyUseIntervalMs) < keyUseIntervalMs) return false
    ingestNotedAt.set(id, at.getTime())
    return true
  }
  // A thousand instances can confirm a change at once. Heartbeats that arrive during a write form the next write.
  const save = together<{ beat: Beat; sdkKey: string }>(async (envId, told) => {
    await saveHeartbeats(db, envId, lastOfEach(told), now())
    confirmations.heard(envId)
  })
  return {
    serves: (envId, beat, sdkKey) =>
      whenDue(beatsDue, [`${sdkKey} ${instanceOf(beat)} ${beat.revision}`], () => save(envId, { beat, sdkKey })),
    evaluated: (envId, flagKeys) =>
      whenDue(
        evaluationsDue,
        Array.from(flagKeys, (flagKey) => `${envId} ${flagKey}`),
        (due) =>
          saveEvaluations(
            db,
            due.map((key) => ({ envId, flagKey: key.slice(envId.length + 1), at: now() })),
          ),
      ),
    used(sdkKey, use) {
      const at = now()
      const noted = usedAt.get(sdkKey) ?? new Map<KeyUse, number>()
      if (at.getTime() - (noted.get(use) ?? -keyUseIntervalMs) < keyUseIntervalMs) return
      usedAt.set(sdkKey, noted.set(use, at.getTime()))
      uses.note(`${sdkKey} ${use}`, { sdkKey, use, at })
    },
    usedIngestKey(use) {
      const at = now()
      if (isIngestNoteDue(use.keyId, at)) ingestUses.note(use.keyId, { ...use, at })
    },
    missedIngestKey(envId) {
      const at = now()
      if (isIngestNoteDue(envId, at)) misses.note(envId, { envId, at })
    },
    async flushUses() {
      await Promise.all(noted.map(({ flush }) => flush()))
    },
    async stop() {
      await Promise.all(noted.map(({ stop }) => stop()))
    },
  }
}

/** The last heartbeat of each instance. Several instances without an id are one, and can use different keys. */
function lastOfEach(told: readonly { beat: Beat; sdkKey: string }[]): ToldBeat[] {
  const beats = new Map<string, ToldBeat>()
  for (const { beat, sdkKey } of told) {
    const instance = instanceOf(beat)
    beats.set(instance, { ...beat, sdkKeys: [...(beats.get(instance)?.sdkKeys ?? []), sdkKey] })
  }
  return [...beats.values()]
}

/** If the write fails, the next note is stored at once. */
async function whenDue(
  { isDue, forget }: Throttle,
  keys: readonly string[],
  work: (due: readonly string[]) => Promise<void>,
): Promise<void> {
  const due = keys.filter(isDue)
  if (due.length === 0) return
  try {
    await work(due)
  } catch (error) {
    for (const key of due) forget(key)
    throw error
  }
}

const instanceOf = ({ sdkType, sdkVersion, instanceId }: Beat): string =>
  JSON.stringify([sdkType, sdkVersion, instanceId])
