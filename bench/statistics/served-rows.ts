import { type Found, share } from './found.ts'
import type { Random } from './random.ts'
import { daysUntil, failing, type Plan, type Site, snapshotsOf, wasTold } from './served.ts'

const site: Site = { visitorsPerDay: 400, weekend: 0.5, noise: 0.15 }
const windows = [0, 1, 7]
const spoken = { SEQUENTIAL: 'sequential', FIXED_HORIZON: 'fixed' }
const told = ['SHIP', 'ROLLBACK', 'REVIEW']
const even = [0.1, 0.1] as const
/** Per variation: about two weeks of visitors. */
const planned = 2400
const runs = 200
/** 5 % and three standard deviations of the simulation. */
const atMost5: [number, number] = [0, 0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs)]
const verdictDays = 24
const healthDays = 30
/** Enough to distinguish 1 % from 2 %. */
const healthyRuns = 1000

/** False verdicts over the life of tests without an effect, read every hour. */
const falseVerdicts =
  (test: Plan['test']) =>
  (random: Random): Found[] =>
    windows.flatMap((windowDays) => {
      const plan: Plan = { test, planned, windowDays, days: verdictDays + windowDays, buys: even }
      const name = `${spoken[test]}, window ${windowDays} d`
      return [
        share(`as served, ${name}: false SHIP or ROLLBACK`, runs, atMost5, () => wasTold(random, site, plan, told)),
      ]
    })

/**
 * Tests planned with a power of 95 % that miss their effect, or that report no effect before a visitor was measured.
 */
const falseNoEffect =
  (test: Plan['test']) =>
  (random: Random): Found[] => {
    // 10 % to 13.4 %: 2,400 a side find it with a power of 95 % (fixed).
    const size = test === 'SEQUENTIAL' ? Math.ceil(1.8 * planned) : planned
    return windows.map((windowDays) =>
      share(`as served, ${spoken[test]}, window ${windowDays} d, power 95 %: false NO_EFFECT`, runs, atMost5, () =>
        wasTold(
          random,
          { ...site, visitorsPerDay: test === 'SEQUENTIAL' ? 720 : 400 },
          { test, planned: size, windowDays, days: verdictDays + windowDays, buys: [0.1, 0.1335] },
          ['NO_EFFECT'],
        ),
      ),
    )
  }

const healthyPlan: Plan = {
  ...{ test: 'SEQUENTIAL', planned: 6000, windowDays: 1, days: healthDays, buys: even, hoursBetween: 3 },
  errors: [0.05, 0.05],
}

/** Healthy tests on sites with weekends, in 30 days. */
const healthyAlarms = (random: Random): Found[] =>
  [0.2, 0.45, 1].flatMap((weekend) =>
    alarmsOf(random, `weekends ${100 * weekend} % of weekdays`, { ...site, weekend, visitorsPerDay: 600 }, healthyPlan),
  )

function alarmsOf(random: Random, name: string, ofSite: Site, plan: Plan): Found[] {
  const limits: [number, number] = [0, 0.01 + 3 * Math.sqrt((0.01 * 0.99) / healthyRuns)]
  const seen = new Map<string, number>()
  for (let run = 0; run < healthyRuns; run++) {
    const found = new Set<string>()
    for (const results of snapshotsOf(random, ofSite, plan)) {
      for (const check of failing(results)) found.add(check)
      if (results.recommendation?.breached?.length) found.add('GUARDRAIL_METRIC')
    }
    for (const check of found) seen.set(check, (seen.get(check) ?? 0) + 1)
  }
  return ['SRM', 'TRAFFIC_DROP', 'NO_EXPOSURES', 'VARIATION_STARVED', 'GUARDRAIL_METRIC'].map((check) => ({
    what: `as served, ${name}: ${check} of healthy tests in 30 days`,
    ...{ seen: (seen.get(check) ?? 0) / healthyRuns, low: limits[0], high: limits[1], runs: healthyRuns },
  }))
}

/** Planted faults, found within the promised time. */
function faults(random: Random): Found[] {
  const often: [number, number] = [0.99, 1]
  const times = 100
  const plan: Plan = { test: 'SEQUENTIAL', planned: null, windowDays: 1, days: 14, buys: even, hoursBetween: 3 }
  const big = { ...site, visitorsPerDay: 600 }
  /** Whether the harm of a guardrail, at these rates, is reported within the first week. */
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
    share('as served: silence from day 3 on is found in 28 hours', times, often, () => {
      const day = daysUntil(random, { ...big, trafficOn: (at) => (at >= 3 ? 0 : 1) }, plan, (results) =>
        failing(results).includes('NO_EXPOSURES'),
      )
      return day > 3 && day <= 3 + 28 / 24
    }),
    share('as served: a split of 55/45 is found in 14 days', times, often, () =>
      Number.isFinite(
        daysUntil(random, { ...big, split: [0.55, 0.45] }, plan, (results) => failing(results).includes('SRM')),
      ),
    ),
    share('as served: errors of 20 % instead of 10 % are told before day 7', times, often, toldInAWeek([0.1, 0.2])),
    share('as served: errors of 5 % instead of none are told before day 7', times, often, toldInAWeek([0, 0.05])),
  ]
}

/** A way to test, with an effect that its plan finds with a power of 95 %. */
interface Way {
  name: string
  /** Without an effect, and with one. */
  even: readonly number[]
  effect: readonly number[]
  plan?: Partial<Plan>
  /** For a fixed test. Default: those of all variations. */
  visitorsPerDay?: number
}

/** How often the further rows are read. Fewer looks than those of S1 and S2, because there are many rows. */
const hoursBetween = 3

/** False verdicts of a way to test, with a window of a day: a row for sequential and one for fixed. */
const ways = (
  row: string,
  { name, even: none, effect, plan, visitorsPerDay = 200 * none.length }: Way,
): Record<string, (random: Random) => Found[]> =>
  Object.fromEntries(
    (['SEQUENTIAL', 'FIXED_HORIZON'] as const).map((test) => {
      const larger = test === 'SEQUENTIAL' ? 1.8 : 1
      const windowDays = plan?.windowDays ?? 1
      const common = { test, windowDays, days: verdictDays + windowDays, hoursBetween, ...plan }
      const size = Math.ceil(larger * planned)
      const ofWay = (what: string, holds: () => boolean) =>
        share(`as served, ${spoken[test]}, ${name}: ${what}`, runs, atMost5, holds)
      return [
        `${row} ${name}, ${spoken[test]}`,
        (random: Random) => [
          ofWay('false SHIP or ROLLBACK', () =>
            wasTold(random, { ...site, visitorsPerDay }, { ...common, planned, buys: none }, told),
          ),
          ofWay('false NO_EFFECT', () =>
            wasTold(
              random,
              { ...site, visitorsPerDay: larger * visitorsPerDay },
              { ...common, planned: size, buys: effect },
              ['NO_EFFECT'],
            ),
          ),
        ],
      ]
    }),
  )

/** Tests with a fixed horizon that were not planned, and are completed after two weeks. */
const unplanned =
  (windowDays: number) =>
  (random: Random): Found[] => {
    const plan: Omit<Plan, 'buys'> = {
      ...{ test: 'FIXED_HORIZON', planned: null, endsAfter: 14, windowDays, days: 16 + windowDays, hoursBetween },
    }
    const ofPlan = (what: string, buys: readonly number[], actions: readonly string[]) =>
      share(`as served, fixed without a plan, window ${windowDays} d: ${what}`, runs, atMost5, () =>
        wasTold(random, site, { ...plan, buys }, actions),
      )
    return [ofPlan('false SHIP or ROLLBACK', even, told), ofPlan('false NO_EFFECT', [0.1, 0.1335], ['NO_EFFECT'])]
  }

/** With several variations, one has the effect that Holm's correction finds with a power of 95 %. */
const further: Record<string, Way[]> = {
  S6: [
    { name: 'ratio', even: [0.2, 0.2], effect: [0.2, 0.2297], plan: { kind: 'RATIO' } },
    { name: 'CUPED', even: [10, 10], effect: [10, 10.0743], plan: { kind: 'CUPED' } },
  ],
  S7: [
    { name: '3 variations', even: [0.1, 0.1, 0.1], effect: [0.1, 0.1, 0.1362] },
    { name: '4 variations', even: [0.1, 0.1, 0.1, 0.1], effect: [0.1, 0.1, 0.1, 0.1377] },
  ],
  // With more visitors in one arm, 2,400 in the other find a smaller effect.
  S8: [
    { name: 'split 90/10', even, effect: [0.1, 0.1255], plan: { weights: [0.9, 0.1] }, visitorsPerDay: 2000 },
    { name: 'split 20/80', even, effect: [0.1, 0.1253], plan: { weights: [0.2, 0.8] }, visitorsPerDay: 1000 },
  ],
  S9: [
    {
      ...{ name: 'counted at once, converting late in 7 d', even, effect: [0.1, 0.1335] },
      plan: { windowDays: 7, countsAtOnce: true },
    },
  ],
}

/** Healthy tests with uneven splits, in 30 days. */
const healthySplit =
  (weights: readonly number[]) =>
  (random: Random): Found[] =>
    alarmsOf(
      random,
      `split ${weights.map((weight) => Math.round(100 * weight)).join('/')}`,
      { ...site, visitorsPerDay: 2000 },
      {
        ...{ ...healthyPlan, hoursBetween: 2 * hoursBetween, weights },
        ...{ buys: weights.map(() => 0.1), errors: weights.map(() => 0.05) },
      },
    )

export const servedRows: Record<string, (random: Random) => Found[]> = {
  'S1 sequential': falseVerdicts('SEQUENTIAL'),
  'S1 fixed': falseVerdicts('FIXED_HORIZON'),
  'S2 sequential': falseNoEffect('SEQUENTIAL'),
  'S2 fixed': falseNoEffect('FIXED_HORIZON'),
  S3: healthyAlarms,
  S4: faults,
  ...Object.fromEntries(windows.map((days) => [`S5 window ${days} d`, unplanned(days)])),
  ...Object.assign({}, ...Object.entries(further).flatMap(([row, all]) => all.map((way) => ways(row, way)))),
  'S10 90/10': healthySplit([0.9, 0.1]),
  'S10 99/1': healthySplit([0.99, 0.01]),
  'S10 98/1/1': healthySplit([0.98, 0.01, 0.01]),
}
