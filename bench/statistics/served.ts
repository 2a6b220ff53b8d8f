import type {
  KeptFigures,
  Measured,
  MeasuredMetric,
  UnitRow,
} from '../../packages/server/src/wings/measuring/results/figures.ts'
import { finalFigures } from '../../packages/server/src/wings/measuring/results/finality.ts'
import { resultsOf } from '../../packages/server/src/wings/measuring/results/results.ts'
import type { Results } from '../../packages/server/src/wings/measuring/results/schema.ts'
import { clicksPerView, correlated } from './data.ts'
import type { Random } from './random.ts'

// The results that people see, and not only a formula: snapshots every hour, conversion windows, minimum run times, the
// final results of a fixed test, health and recommendation. All come from the code of a running service.

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A Monday. */
const start = Date.UTC(2026, 0, 5)
const names = ['A', 'B', 'C', 'D']

export interface Site {
  /** On a weekday. */
  visitorsPerDay: number
  /** Saturdays and Sundays have this share of them. */
  weekend?: number
  /** The standard deviation of the logarithm of a day. */
  noise?: number
  /** The share of visitors that come on a day of the test, counted from 0; to plant a fault. */
  trafficOn?: (day: number) => number
  /** The shares that variations get, if not their weights; to plant a fault. */
  split?: readonly number[]
}

export interface Plan {
  test: 'SEQUENTIAL' | 'FIXED_HORIZON'
  planned: number | null
  windowDays: number
  days: number
  /** The mean of each variation, the baseline first. */
  buys: readonly number[]
  /** What a visitor brings. Default: `RATE`. */
  kind?: keyof typeof kinds
  /** Default: the same for all. */
  weights?: readonly number[]
  /** The rate of a guardrail whose decrease is good. */
  errors?: readonly number[]
  /** After how many days the experiment is completed. */
  endsAfter?: number
  hoursBetween?: number
  /** Visitors count at once. They convert in the second half of their window. */
  countsAtOnce?: boolean
}

/** What visitors brought: their values, the denominators of a ratio, and what they brought before the test. */
interface Sums {
  n: number
  converted: number
  y: number
  yy: number
  d: number
  dd: number
  yd: number
  x: number
  xx: number
  yx: number
}

const nothing: Sums = { n: 0, converted: 0, y: 0, yy: 0, d: 0, dd: 0, yd: 0, x: 0, xx: 0, yx: 0 }
const converted = (count: number): Sums => ({ ...nothing, converted: count, y: count, yy: count })

function addTo(into: Sums, sums: Sums): void {
  for (const each of Object.keys(into) as (keyof Sums)[]) into[each] += sums[each]
}

function pairs(n: number, draw: () => { y: number; d?: number; x?: number }): Sums {
  const sums = { ...nothing, n }
  for (let unit = 0; unit < n; unit++) {
    const { y, d = 0, x = 0 } = draw()
    const converts = y === 0 ? 0 : 1
    addTo(sums, { n: 0, converted: converts, y, yy: y * y, d, dd: d * d, yd: y * d, x, xx: x * x, yx: y * x })
  }
  return sums
}

/** What n visitors bring, on average the mean. */
const kinds = {
  /** A mean of 0 and 1: that spares the exact posterior of rates, which no verdict follows from. */
  RATE: (random: Random, n: number, mean: number): Sums => ({ ...converted(random.binomial(n, mean)), n }),
  RATIO: (random: Random, n: number, mean: number): Sums =>
    pairs(n, () => {
      const [y, d] = clicksPerView(random, mean)
      return { y, d }
    }),
  CUPED: (random: Random, n: number, mean: number): Sums =>
    pairs(n, () => {
      const [y, x] = correlated(random, mean)
      return { y, x }
    }),
}

const metric = { unit: null, winsorizedAt: null, winsorizedUnits: 0, nonInferiorityMargin: null }
const metricsOf = ({ windowDays, errors, kind }: Plan): MeasuredMetric[] => [
  {
    ...metric,
    type: kind === 'RATIO' ? 'RATIO' : 'MEAN',
    ...({ metricId: 'buys', key: 'buys', name: 'buys', role: 'PRIMARY', direction: 'INCREASE' } as const),
    windowHours: 24 * windowDays,
  },
  ...(errors
    ? [
        {
          ...metric,
          ...({ type: 'MEAN', metricId: 'errors', key: 'errors', name: 'errors' } as const),
          ...({ role: 'GUARDRAIL', direction: 'DECREASE' } as const),
          windowHours: 24 * windowDays,
        },
      ]
    : []),
]

type Told = 'buys' | 'errors'

interface Hour {
  at: number
  /** By variation. */
  n: number[]
  figures: Record<Told, Sums[]>
}

/** Who comes in each hour of a test, and what they do. */
function hoursOf(random: Random, site: Site, plan: Plan, weights: readonly number[]): Hour[] {
  const { visitorsPerDay, weekend = 1, noise = 0, trafficOn = () => 1, split = weights } = site
  const served = Math.min(plan.days, plan.endsAfter ?? plan.days)
  const kind = kinds[plan.kind ?? 'RATE']
  return Array.from({ length: served }, (_, day) => {
    const season = new Date(start + day * dayMs).getUTCDay() % 6 === 0 ? weekend : 1
    const daily = visitorsPerDay * season * Math.exp(noise * random.normal()) * trafficOn(day)
    return Array.from({ length: 24 }, (_, hour): Hour => {
      // Half of the day is quiet.
      const n = divided(random, poisson(random, (daily / 24) * (hour < 12 ? 0.4 : 1.6)), split)
      const buys = plan.buys.map((mean, arm) => kind(random, n[arm]!, mean))
      const errors = n.map((units, arm) => kinds.RATE(random, units, plan.errors?.[arm] ?? 0))
      return { at: start + day * dayMs + hour * hourMs, n, figures: { buys, errors } }
    })
  }).flat()
}

/** Few enough in an hour for a binomial of many. */
const poisson = (random: Random, mean: number): number => random.binomial(100_000, Math.min(1, mean / 100_000))

/** How many of n come to each variation. */
function divided(random: Random, n: number, shares: readonly number[]): number[] {
  const units: number[] = []
  let [left, share] = [n, shares.reduce((all, each) => all + each)]
  for (let arm = shares.length - 1; arm > 0; arm--) {
    units[arm] = random.binomial(left, Math.min(1, shares[arm]! / share))
    left -= units[arm]!
    share -= shares[arm]!
  }
  units[0] = left
  return units
}

/** What begins to count after so many hours of a test. */
interface Counting {
  metricId: Told
  arm: number
  sums: Sums
}

/** What people did, by the hour after which it counts: when the window has closed, or as soon as it happens. */
function countingOf(random: Random, hours: readonly Hour[], plan: Plan): Map<number, Counting[]> {
  const windowHours = 24 * plan.windowDays
  const counting = new Map<number, Counting[]>()
  const put = (hour: number, each: Counting) => counting.set(hour, [...(counting.get(hour) ?? []), each])
  for (const [i, { figures }] of hours.entries())
    for (const metricId of ['buys', 'errors'] as const)
      for (const [arm, sums] of figures[metricId].entries()) {
        if (!plan.countsAtOnce) {
          put(i + 1 + windowHours, { metricId, arm, sums })
          continue
        }
        put(i + 1, { metricId, arm, sums: { ...nothing, n: sums.n } })
        for (let buyer = 0; buyer < sums.converted; buyer++) {
          const delay = Math.floor((windowHours * (1 + random.uniform())) / 2)
          put(i + 1 + delay, { metricId, arm, sums: converted(1) })
        }
      }
  return counting
}

/** The results of each snapshot of a test, in order, as people could read them. */
export function* snapshotsOf(random: Random, site: Site, plan: Plan): Generator<Results> {
  const variationIds = names.slice(0, plan.buys.length)
  const shares = plan.weights ?? variationIds.map(() => 1 / variationIds.length)
  const weights = Object.fromEntries(variationIds.map((id, arm) => [id, shares[arm]!]))
  const hours = hoursOf(random, site, plan, shares)
  const counting = countingOf(random, hours, plan)
  const metrics = metricsOf(plan)
  const units = new Map<string, UnitRow>()
  const counted = {
    buys: variationIds.map(() => ({ ...nothing })),
    errors: variationIds.map(() => ({ ...nothing })),
  }
  let lastExposureAt: Date | null = null
  let kept: KeptFigures[] = []
  const between = plan.hoursBetween ?? 1
  for (let [hour, next] = [0, between]; next <= 24 * plan.days; next += between) {
    for (; hour < next; hour++) {
      for (const { metricId, arm, sums } of counting.get(hour + 1) ?? []) addTo(counted[metricId][arm]!, sums)
      const { at, n } = hours[hour] ?? { at: 0, n: [] }
      const day = new Date(at).toISOString().slice(0, 10)
      for (const [arm, came] of n.entries()) {
        const variationId = variationIds[arm]!
        const row = units.get(`${day} ${variationId}`) ?? { phase: 1, variationId, day, units: 0, crossed: 0 }
        units.set(`${day} ${variationId}`, { ...row, units: row.units + came })
      }
      if (n.some((came) => came > 0)) lastExposureAt = new Date(at + hourMs - 1)
    }
    const now = start + next * hourMs
    const endedAt =
      plan.endsAfter !== undefined && now >= start + plan.endsAfter * dayMs ? start + plan.endsAfter * dayMs : null
    const measured: Measured = {
      rule: {
        ...{ ruleId: 'r', flagId: 'f', envId: 'e', ruleType: 'AB_TEST', sendsExposures: true },
        ruleStatus: endedAt === null ? 'RUNNING' : 'COMPLETED',
        startedAt: new Date(start),
        endedAt: endedAt === null ? null : new Date(endedAt),
      },
      generatedAt: new Date(now),
      dataThrough: new Date(now),
      settings: {
        ...{ test: plan.test, alpha: 0.05, sequentialTuningParameter: plan.planned === null ? 5000 : 2 * plan.planned },
        ...{ correction: 'HOLM', cuped: { enabled: plan.kind === 'CUPED', lookbackDays: 14 } },
        ...{ conversionWindowHours: null, inProgressConversions: plan.countsAtOnce ? 'INCLUDE' : 'EXCLUDE' },
        ...{ minUnits: 100, minConversions: 25, minRuntimeDays: 7 },
      },
      plannedUnitsPerVariation: plan.planned,
      maxUnits: null,
      variations: variationIds.map((id, arm) => ({
        ...{ variationId: id, key: id, isBaseline: arm === 0, weight: shares[arm]! },
      })),
      phases: [{ phase: 1, startedAt: new Date(start), endedAt: null, weights }],
      units: [...units.values()],
      excluded: { bot: 0, override: 0, paused: 0 },
      metrics,
      cohorts: metrics.flatMap(({ metricId }) =>
        variationIds.map((variationId, arm) => ({
          ...{ phase: 1, variationId, metricId },
          ...rowOf(counted[metricId as Told][arm]!),
        })),
      ),
      dimensions: [],
      kept,
      firstSignificant: [],
      hasHeartbeats: true,
      lastExposureAt,
      served: [{ from: new Date(start), until: endedAt === null ? null : new Date(endedAt) }],
    }
    kept = [...kept, ...finalFigures(measured)]
    yield resultsOf(measured)
  }
}

/** The row of a cohort. Figures are small here, so plain sums are precise enough. */
function rowOf({ n, converted, y, yy, d, dd, yd, x, xx, yx }: Sums) {
  const centred = (products: number, one: number, other: number) => (n === 0 ? 0 : products - (one * other) / n)
  return {
    ...{ n, converted, sumY: y, m2Y: centred(yy, y, y), m3Y: null },
    ...{ sumD: d, m2D: centred(dd, d, d), cYD: centred(yd, y, d) },
    ...{ sumX: x, m2X: centred(xx, x, x), cYX: centred(yx, y, x) },
  }
}

/** Whether a recommendation was given at any time. A fixed test has its verdict for good when it is final. */
export function wasTold(random: Random, site: Site, plan: Plan, actions: readonly string[]): boolean {
  for (const { recommendation, progress, runtimeDays, settings } of snapshotsOf(random, site, plan)) {
    if (recommendation && actions.includes(recommendation.action)) return true
    const isJudged = progress?.stage === 'FINAL' && runtimeDays >= (settings?.minRuntimeDays ?? 0)
    if (isJudged && plan.test === 'FIXED_HORIZON') return false
  }
  return false
}

/** The checks of the health that fail. */
export const failing = ({ health }: Results): string[] =>
  health.checks.flatMap(({ check, status }) => (status === 'FAILED' ? [check] : []))

/** After how many days a check fails first. Infinity: never. */
export function daysUntil(random: Random, site: Site, plan: Plan, fails: (results: Results) => boolean): number {
  for (const results of snapshotsOf(random, site, plan))
    if (fails(results)) return (Date.parse(results.generatedAt) - start) / dayMs
  return Number.POSITIVE_INFINITY
}
