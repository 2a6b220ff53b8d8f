import type { Db } from '../../../platform/db/index.ts'
import type { OpenRoom } from '../../../platform/held.ts'
import { type Throttle, throttle } from '../../../platform/throttle.ts'
import { together } from '../../../platform/together.ts'
import type { Beat } from './propagation.ts'
import { saveEvaluations, saveHeartbeats } from './queries.ts'
import type { Confirmations } from './worker.ts'

export const beatIntervalMs = 10_000
const evaluationIntervalMs = 3_600_000

/** Notes who uses an environment, each fact once in a while. Rejects if the database is unavailable. */
export interface Usage {
  /** An instance serves the environment. A new revision is noted at once, because a call may be waiting for it. */
  serves(envId: string, instance: Beat): Promise<void>
  /** Visitors got variations of these flags. */
  evaluated(envId: string, flagKeys: Iterable<string>): Promise<void>
}

export function usageNotes(db: Db, now: () => Date, confirmations: Confirmations, openRoom: OpenRoom): Usage {
  const beatsDue = throttle(now, beatIntervalMs, openRoom('usage'))
  const evaluationsDue = throttle(now, evaluationIntervalMs, openRoom('usage'))
  // A thousand instances can confirm a change at once. Heartbeats that arrive during a write form the next write.
  const save = together<Beat>(async (envId, beats) => {
    const lastOfEach = new Map(beats.map((beat) => [instanceOf(beat), beat]))
    await saveHeartbeats(db, envId, [...lastOfEach.values()], now())
    confirmations.heard(envId)
  })
  return {
    serves: (envId, beat) =>
      whenDue(beatsDue, [`${envId} ${instanceOf(beat)} ${beat.revision}`], () => save(envId, beat)),
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
  }
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
