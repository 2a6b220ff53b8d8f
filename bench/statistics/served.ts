import type {
  KeptFigures,
  Measured,
  MeasuredMetric,
  UnitRow,
} from '../../packages/server/src/wings/measuring/results/figures.ts'
import { finalFigures } from '../../packages/server/src/wings/measuring/results/finality.ts'
import { resultsOf } from '../../packages/server/src/wings/measuring/results/results.ts'
import type { Results } from '../../packages/server/src/wings/measuring/results/schema.ts'
import { type Found, share } from './found.ts'
import type { Random } from './random.ts'

// What people are told, not what a formula says: snapshots every hour, conversion windows, minimum run times, what a
// fixed test keeps, health and recommendation, all by the code that computes the results of a running service.

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A Monday. */
const start = Date.UTC(2026, 0, 5)
const arms = ['A', 'B'] as const

interface Site {
  /** On a weekday. */
  visitorsPerDay: number
  /** Saturdays and Sundays have this share of them. */
  weekend?: number
  /** The standard deviation of the logarithm of a day. */
  noise?: number
  /** The share of visitors that come on a day of the test, counted from 0; to plant a fault. */
  trafficOn?: (day: number) => number
  /** The share that B gets. */
  split?: number
}

interface Plan {
  test: 'SEQUENTIAL' | 'FIXED_HORIZON'
  planned: number | null
  windowDays: number
  days: number
  /** The rate of each arm. */
  buys: readonly [number, number]
  /** The rate of a guardrail whose decrease is good. */
  errors?: readonly [number, number]
  /** After how many days the experiment is completed. */
  endsAfter?: number
  hoursBetween?: number
}

/** A share of the visitors, as a mean of 0 and 1: that spares the exact posterior of rates, which no verdict follows from. */
const metric = {
  ...({ type: 'MEAN', unit: null, winsorizedAt: null, winsorizedUnits: 0, nonInferiorityMargin: null } as const),
}
const metricsOf = ({ windowDays, errors }: Plan): MeasuredMetric[] => [
  {
    ...metric,
    metricId: 'buys',
    key: 'buys',
    name: 'buys',
    role: 'PRIMARY',
    direction: 'INCREASE',
    windowHours: 24 * windowDays,
  },
  ...(errors
    ? [
        {
          ...metric,
          ...({ metricId: 'errors', key: 'errors', name: 'errors', role: 'GUARDRAIL', direction: 'DECREASE' } as const),
          windowHours: 24 * windowDays,
        },
      ]
    : []),
]

interface Hour {
  at: number
  n: [number, number]
  buys: [number, number]
  errors: [number, number]
}

/** Who comes in each hour of a test, and what they do. */
function hoursOf(random: Random, site: Site, plan: Plan): Hour[] {
  const { visitorsPerDay, weekend = 1, noise = 0, trafficOn = () => 1, split = 0.5 } = site
  const served = Math.min(plan.days, plan.endsAfter ?? plan.days)
  return Array.from({ length: served }, (_, day) => {
    const season = new Date(start + day * dayMs).getUTCDay() % 6 === 0 ? weekend : 1
    const daily = visitorsPerDay * season * Math.exp(noise * random.normal()) * trafficOn(day)
    return Array.from({ length: 24 }, (_, hour): Hour => {
      // Half of the day is quiet.
      const n = poisson(random, (daily / 24) * (hour < 12 ? 0.4 : 1.6))
      const ofB = random.binomial(n, split)
      const units: [number, number] = [n - ofB, ofB]
      const of = (rates: readonly [number, number]): [number, number] => [
        random.binomial(units[0], rates[0]),
        random.binomial(units[1], rates[1]),
      ]
      return {
        at: start + day * dayMs + hour * hourMs,
        n: units,
        buys: of(plan.buys),
        errors: of(plan.errors ?? [0, 0]),
      }
    })
  }).flat()
}

/** Few enough in an hour for a binomial of many. */
const poisson = (random: Random, mean: number): number => random.binomial(100_000, Math.min(1, mean / 100_000))

/** The results of each snapshot of a test, in order, as people could read them. */
function* snapshotsOf(random: Random, site: Site, plan: Plan): Generator<Results> {
  const hours = hoursOf(random, site, plan)
  const metrics = metricsOf(plan)
  const windowMs = plan.windowDays * dayMs
  const units = new Map<string, UnitRow>()
  const counted = { n: [0, 0], buys: [0, 0], errors: [0, 0] }
  let [seen, closed] = [0, 0]
  let lastExposureAt: Date | null = null
  let kept: KeptFigures[] = []
  const between = (plan.hoursBetween ?? 1) * hourMs
  for (let now = start + between; now <= start + plan.days * dayMs; now += between) {
    for (; seen < hours.length && hours[seen]!.at + hourMs <= now; seen++) {
      const { at, n } = hours[seen]!
      const day = new Date(at).toISOString().slice(0, 10)
      for (const [i, variationId] of arms.entries()) {
        const row = units.get(`${day} ${variationId}`) ?? { phase: 1, variationId, day, units: 0, crossed: 0 }
        units.set(`${day} ${variationId}`, { ...row, units: row.units + n[i]! })
      }
      if (n[0] + n[1] > 0) lastExposureAt = new Date(at + hourMs - 1)
    }
    for (; closed < seen && hours[closed]!.at + hourMs + windowMs <= now; closed++)
      for (const what of ['n', 'buys', 'errors'] as const)
        for (const i of [0, 1] as const) counted[what][i]! += hours[closed]![what][i]
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
        ...{ correction: 'HOLM', cuped: { enabled: false, lookbackDays: 14 }, conversionWindowHours: null },
        ...{ inProgressConversions: 'EXCLUDE', minUnits: 100, minConversions: 25, minRuntimeDays: 7 },
      },
      plannedUnitsPerVariation: plan.planned,
      maxUnits: null,
      variations: arms.map((variationId, i) => ({ variationId, key: variationId, isBaseline: i === 0, weight: 0.5 })),
      phases: [{ phase: 1, startedAt: new Date(start), endedAt: null, weights: { A: 0.5, B: 0.5 } }],
      units: [...units.values()],
      excluded: { bot: 0, override: 0, paused: 0 },
      metrics,
      cohorts: metrics.flatMap(({ metricId }) =>
        arms.map((variationId, i) => {
          const [n, sumY] = [counted.n[i]!, counted[metricId as 'buys' | 'errors'][i]!]
          return {
            ...{ phase: 1, variationId, metricId, day: '2026-01-05', n, converted: sumY, sumY },
            ...{ m2Y: n === 0 ? 0 : sumY - sumY ** 2 / n, m3Y: null, sumD: 0, m2D: 0, cYD: 0, sumX: 0, m2X: 0, cYX: 0 },
          }
        }),
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

/** Whether a recommendation was given at any time. A fixed test has its verdict for good when it is final. */
function wasTold(random: Random, site: Site, plan: Plan, actions: readonly string[]): boolean {
  for (const { recommendation, progress, runtimeDays, settings } of snapshotsOf(random, site, plan)) {
    if (recommendation && actions.includes(recommendation.action)) return true
    const isJudged = progress?.stage === 'FINAL' && runtimeDays >= (settings?.minRuntimeDays ?? 0)
    if (isJudged && plan.test === 'FIXED_HORIZON') return false
  }
  return false
}

const failing = ({ health }: Results): string[] =>
  health.checks.flatMap(({ check, status }) => (status === 'FAILED' ? [check] : []))

/** After how many days a check fails first. Infinity: never. */
function daysUntil(random: Random, site: Site, plan: Plan, fails: (results: Results) => boolean): number {
  for (const results of snapshotsOf(random, site, plan))
    if (fails(results)) return (Date.parse(results.generatedAt) - start) / dayMs
  return Number.POSITIVE_INFINITY
}

const site: Site = { visitorsPerDay: 400, weekend: 0.5, noise: 0.15 }
const windows = [0, 1, 7]
const even = [0.1, 0.1] as const
/** Per variation: about two weeks of visitors. */
const planned = 2400
const runs = 200
/** 5 % and three standard deviations of the simulation. */
const atMost5: [number, number] = [0, 0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs)]
const verdictDays = 24
const healthDays = 30
/** Enough to tell 1 % from 2 %. */
const healthyRuns = 1000

/** False verdicts over the life of tests without an effect, read every hour. */
const falseVerdicts =
  (test: Plan['test']) =>
  (random: Random): Found[] =>
    windows.flatMap((windowDays) => {
      const plan: Plan = { test, planned, windowDays, days: verdictDays + windowDays, buys: even }
      const name = `${test === 'SEQUENTIAL' ? 'sequential' : 'fixed'}, window ${windowDays} d`
      return [
        share(`as served, ${name}: false SHIP or ROLLBACK`, runs, atMost5, () =>
          wasTold(random, site, plan, ['SHIP', 'ROLLBACK', 'REVIEW']),
        ),
      ]
    })

/** Tests planned with a power of 95 % that miss their effect, or that say so before anybody was measured. */
const falseNoEffect =
  (test: Plan['test']) =>
  (random: Random): Found[] => {
    // 10 % to 13.4 %: 2,400 a side find it with a power of 95 % (fixed).
    const size = test === 'SEQUENTIAL' ? Math.ceil(1.8 * planned) : planned
    return windows.map((windowDays) =>
      share(
        `as served, ${test === 'SEQUENTIAL' ? 'sequential' : 'fixed'}, window ${windowDays} d, power 95 %: false NO_EFFECT`,
        runs,
        atMost5,
        () =>
          wasTold(
            random,
            { ...site, visitorsPerDay: test === 'SEQUENTIAL' ? 720 : 400 },
            { test, planned: size, windowDays, days: verdictDays + windowDays, buys: [0.1, 0.1335] },
            ['NO_EFFECT'],
          ),
      ),
    )
  }

/** Healthy tests on sites with weekends, in 30 days. */
function healthyAlarms(random: Random): Found[] {
  return [0.2, 0.45, 1].flatMap((weekend) => {
    const plan: Plan = {
      ...{ test: 'SEQUENTIAL', planned: 6000, windowDays: 1, days: healthDays, buys: even, hoursBetween: 3 },
      errors: [0.05, 0.05],
    }
    const limits: [number, number] = [0, 0.01 + 3 * Math.sqrt((0.01 * 0.99) / healthyRuns)]
    const seen = new Map<string, number>()
    for (let run = 0; run < healthyRuns; run++) {
      const found = new Set<string>()
      for (const results of snapshotsOf(random, { ...site, weekend, visitorsPerDay: 600 }, plan)) {
        for (const check of failing(results)) found.add(check)
        if (results.recommendation?.breached?.length) found.add('GUARDRAIL_METRIC')
      }
      for (const check of found) seen.set(check, (seen.get(check) ?? 0) + 1)
    }
    return ['SRM', 'TRAFFIC_DROP', 'NO_EXPOSURES', 'GUARDRAIL_METRIC'].map((check) => ({
      what: `as served, weekends ${100 * weekend} % of weekdays: ${check} of healthy tests in 30 days`,
      ...{ seen: (seen.get(check) ?? 0) / healthyRuns, low: limits[0], high: limits[1], runs: healthyRuns },
    }))
  })
}

/** Planted faults, found within the promised time. */
function faults(random: Random): Found[] {
  const often: [number, number] = [0.99, 1]
  const times = 100
  const plan: Plan = { test: 'SEQUENTIAL', planned: null, windowDays: 1, days: 14, buys: even, hoursBetween: 3 }
  const big = { ...site, visitorsPerDay: 600 }
  /** Whether the harm of a guardrail, at these rates, is told within the first week. */
  const toldInAWeek = (errors: [number, number]) => () =>
    daysUntil(
      random,
      big,
      { ...plan, errors },
      ({ recommendation }) => recommendation?.reasons.includes('GUARDRAIL_BREACHED') ?? false,
    ) < 7
  const findsDrop = ({ noise, to, on }: { noise: number; to: number; on: number }) => {
    const trafficOn = (day: number) => (day >= on ? to : 1)
    const day = daysUntil(random, { ...big, noise, trafficOn }, { ...plan, days: on + 5 }, (results) =>
      failing(results).includes('TRAFFIC_DROP'),
    )
    return day > on && day <= on + 1.2
  }
  return [
    share('as served: traffic at 20 % from day 9 on, where days vary by 5 %, is found by day 10', times, often, () =>
      findsDrop({ noise: 0.05, to: 0.2, on: 9 }),
    ),
    share('as served: traffic at 10 % from day 23 on, where days vary by 15 %, is found by day 24', times, often, () =>
      findsDrop({ noise: 0.15, to: 0.1, on: 23 }),
    ),
    share('as served: silence from day 3 on is found in 25 hours', times, often, () => {
      const day = daysUntil(random, { ...big, trafficOn: (at) => (at >= 3 ? 0 : 1) }, plan, (results) =>
        failing(results).includes('NO_EXPOSURES'),
      )
      return day > 3 && day <= 3 + 28 / 24
    }),
    share('as served: a split of 55/45 is found in 14 days', times, often, () =>
      Number.isFinite(daysUntil(random, { ...big, split: 0.45 }, plan, (results) => failing(results).includes('SRM'))),
    ),
    share('as served: errors of 20 % instead of 10 % are told before day 7', times, often, toldInAWeek([0.1, 0.2])),
    share('as served: errors of 5 % instead of none are told before day 7', times, often, toldInAWeek([0, 0.05])),
  ]
}

export const servedRows: Record<string, (random: Random) => Found[]> = {
  'S1 sequential': falseVerdicts('SEQUENTIAL'),
  'S1 fixed': falseVerdicts('FIXED_HORIZON'),
  'S2 sequential': falseNoEffect('SEQUENTIAL'),
  'S2 fixed': falseNoEffect('FIXED_HORIZON'),
  S3: healthyAlarms,
  S4: faults,
}
