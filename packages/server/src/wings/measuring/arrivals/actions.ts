import type { Db } from '../../../platform/db/index.ts'
import { isReserved } from '../events/index.ts'
import type { Metric } from '../metrics/index.ts'
import { recentFigures } from '../results/index.ts'
import { everyDay, firstDay } from './arrivals.ts'
import { arrivedSince } from './queries.ts'

/** Whether and when a metric gets events, and what tests measured lately. It reads 60 rows at most, and sums. */
export async function metricActivity(db: Db, metric: Metric, envId: string, now: Date) {
  const { projectId, key, eventKey, denominator } = metric
  const keys = [eventKey, ...(denominator ? [denominator.eventKey] : [])].filter((each) => !isReserved(each))
  const planned = { projectId, envId, flagId: '', metricKeys: [key] }
  const [rows, recent] = await Promise.all([
    arrivedSince(db, envId, keys, firstDay(now)),
    recentFigures(db, planned, now),
  ])
  const of = (wanted: string | undefined) => {
    if (wanted === undefined || !keys.includes(wanted)) return null
    const own = rows.filter((row) => row.eventKey === wanted)
    const days = own.map(({ day, events, valued, valueSum }) => ({ day, events, valued, valueSum }))
    return { eventKey: wanted, lastAt: own.at(-1)?.lastAt.toISOString() ?? null, days: everyDay(days, now) }
  }
  return {
    envId,
    event: of(eventKey),
    denominator: of(denominator?.eventKey),
    figures: recent.metrics[0]?.figures ?? null,
  }
}
