import type { Db } from '../../../../platform/db/index.ts'
import { lockSamples, saveSamples, servedToPagesAlone } from './queries.ts'
import { merge, newSample, type Sample, sharesIn } from './sample.ts'

/** The units of a rule that this node has seen in a day. */
export interface Seen {
  envId: string
  ruleId: string
  /** UTC, such as `2026-01-31`. */
  day: string
  /** Whether pages sent them, and not programs. */
  byPages: boolean
  sample: Sample
}

/**
 * Adds what a node has seen. A server sends the exposures of all its visitors from one address. So exposures from
 * programs are left out, except where SDKs report themselves and all of them are in pages.
 */
export async function addSeen(db: Db, seen: readonly Seen[]): Promise<void> {
  const ofPrograms = [...new Set(seen.filter(({ byPages }) => !byPages).map(({ envId }) => envId))]
  const examined = ofPrograms.length > 0 ? await servedToPagesAlone(db, ofPrograms) : new Set<string>()
  const counted = seen.filter(({ byPages, envId }) => byPages || examined.has(envId))
  if (counted.length === 0) return
  const byDay = Map.groupBy(counted, ({ ruleId, day }) => `${ruleId} ${day}`)
  await db.transaction().execute(async (tx) => {
    const days = [...byDay.values()].map((all) => ({ ruleId: all[0]!.ruleId, day: all[0]!.day }))
    const known = await lockSamples(tx, days)
    const added = known.flatMap(({ sample: before, ruleId, day }) => {
      if (!before) return []
      const sample = newSample(before)
      for (const each of byDay.get(`${ruleId} ${day}`)!) merge(sample, each.sample.units)
      return [{ ruleId, day, sample, ...sharesIn(sample) }]
    })
    await saveSamples(tx, added)
  })
}
