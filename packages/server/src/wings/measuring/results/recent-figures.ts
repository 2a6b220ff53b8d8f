import type { Db } from '../../../platform/db/index.ts'
import { readMetrics, recentSums, recentVisitors } from './queries.ts'
import { metricFrom, openFrom, recentRange, visitorsFrom } from './recent.ts'

interface Planned {
  projectId: string
  envId: string
  flagId: string
  metricKeys: readonly string[]
}

/** What the tests of an environment have measured in the last two weeks, to plan another one. */
export async function recentFigures(db: Db, { projectId, envId, flagId, metricKeys }: Planned, now: Date) {
  const asked = await readMetrics(db, projectId, metricKeys)
  const of = { projectId, envId, ...recentRange(now) }
  const windows = asked.map(({ id, conversionWindowHours }) => ({ id, openFrom: openFrom(conversionWindowHours, now) }))
  const [visitors, sums] = await Promise.all([recentVisitors(db, of), recentSums(db, of, windows)])
  return {
    from: of.from,
    until: of.until,
    visitors: visitorsFrom(visitors, flagId, now),
    metrics: metricKeys.flatMap((key) => {
      const metric = asked.find((each) => each.key === key)
      if (!metric) return []
      const { id, type } = metric
      const ofMetric = sums.filter(({ metricId }) => metricId === id)
      return [{ key, type, figures: metricFrom(type, ofMetric, flagId) }]
    }),
  }
}
