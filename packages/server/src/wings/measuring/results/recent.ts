import { dayOf } from '../counting/index.ts'

export const recentDays = 14
const dayMs = 86_400_000
const hourMs = 3_600_000

/** The whole days (UTC) before a moment. */
export const recentRange = (now: Date) => ({
  from: dayOf(new Date(now.getTime() - recentDays * dayMs)),
  /** This day is today, which is not over. */
  until: dayOf(now),
})

/** The first day (UTC) whose visitors may still convert. */
export const openFrom = (windowHours: number, now: Date): string =>
  dayOf(new Date(now.getTime() - windowHours * hourMs))

/** A rule whose visitors were counted. */
export interface Source {
  ruleId: string
  flagId: string
  flagKey: string
  /** The web experiment in the place of a hidden flag. */
  experimentId: string | null
}

/** The new visitors of a rule. */
export interface RecentVisitors extends Source {
  units: number
  /** The first day with a visitor. */
  firstDay: string
}

/** The sums of a metric over visitors of a rule: those who have had their time to convert, or those who have not. */
export interface RecentSums extends Source {
  metricId: string
  isClosed: boolean
  n: number
  sumY: number
  sumD: number
  /** Of the deviations of y from its mean; of a ratio R, of y − R·d. */
  squares: number
}

/** Rules of the same flag come first: their visitors are most like those of the test. Then the one with the most. */
function likest<Row extends Source>(
  rows: readonly Row[],
  flagId: string,
  sizeOf: (row: Row) => number,
): Row | undefined {
  const isOwn = (row: Row) => (row.flagId === flagId ? 1 : 0)
  return rows.toSorted((one, other) => isOwn(other) - isOwn(one) || sizeOf(other) - sizeOf(one))[0]
}

export function visitorsFrom(rows: readonly RecentVisitors[], flagId: string, now: Date) {
  const found = likest(rows, flagId, ({ units }) => units)
  if (!found) return null
  const { units } = found
  const days = Math.round((Date.parse(recentRange(now).until) - Date.parse(found.firstDay)) / dayMs)
  return { units, days, perDay: units / days, source: sourceOf(found) }
}

/**
 * The figures of a metric that a sample size is computed from. Visitors who still have time to convert would make a rate
 * too low, so they count only if there are no others.
 */
export function metricFrom(type: 'PROPORTION' | 'MEAN' | 'RATIO', rows: readonly RecentSums[], flagId: string) {
  const closed = rows.filter(({ isClosed }) => isClosed)
  const found = likest(closed.length > 0 ? closed : rows, flagId, ({ n }) => n)
  if (!found) return null
  const baseline = type === 'RATIO' ? found.sumY / found.sumD : found.sumY / found.n
  const stddev = type === 'PROPORTION' ? null : type === 'RATIO' ? ratioDeviation(found) : deviation(found)
  if (!Number.isFinite(baseline) || (stddev !== null && !Number.isFinite(stddev))) return null
  return { baseline, stddev, units: found.n, source: sourceOf(found) }
}

const sourceOf = ({ ruleId, flagId, flagKey, experimentId }: Source) => ({
  ruleId,
  flagId: experimentId === null ? flagId : null,
  flagKey: experimentId === null ? flagKey : null,
  experimentId,
})

const deviation = ({ n, squares }: RecentSums): number => Math.sqrt(squares / (n - 1))

/**
 * Of a visitor's share in a ratio, by the delta method: the deviation of y − R·d over the mean of d. The error of the
 * ratio of n visitors is this over √n, as that of a mean is (Deng, Knoblich and Lu, "Applying the Delta Method in Metric
 * Analytics", 2018).
 */
const ratioDeviation = (sums: RecentSums): number => deviation(sums) / (sums.sumD / sums.n)
