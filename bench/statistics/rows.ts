import {
  type ArmData,
  type ComparisonSettings,
  compare,
  effectOf,
  guardrail,
  holm,
  meanArm,
  mergeMoments,
  nonInferiority,
  pairMomentsOf,
  pooledTheta,
  proportionSampleSize,
  sequentialCriticalValue,
  sequentialFactor,
  srmChiSquare,
  srmFailsAboveBayesFactor,
  srmFailsBelow,
  srmSequential,
  testEffect,
} from '@svc/stats'
import {
  add,
  clicksPerView,
  conversions,
  correlated,
  type Draw,
  momentsOf,
  normalMoments,
  normals,
  revenue,
} from './data.ts'
import { type Found, share } from './found.ts'
import type { Random } from './random.ts'
import { servedRows } from './served-rows.ts'

const stepUnits = 10
const lastUnits = 25_000
const looks = 14

const fixed: ComparisonSettings = {
  test: 'FIXED_HORIZON',
  alpha: 0.05,
  tuningParameter: 5000,
  minUnits: 0,
  minConversions: 0,
}
const sequential: ComparisonSettings = { ...fixed, test: 'SEQUENTIAL' }

/** What a row of the table simulates. Each has draws of its own, so rows can run in any order. */
export const rows: Record<string, (random: Random) => Found[]> = {
  A1: (random) => [
    share('fixed, 5 %, 2,000 a side', 20_000, [0.0454, 0.0546], () => isFound(random, conversions(0.05), 2000)),
  ],
  A2: (random) => [
    share('fixed, revenue, 10,000 a side', 8000, [0.042, 0.058], () => isFound(random, revenue(0.05, 1), 10_000)),
    share('fixed, ratio, 1,000 a side', 8000, [0.042, 0.058], () => isPairFound(random, clicksPerView, 'RATIO')),
    share('fixed, CUPED, 1,000 a side', 8000, [0.042, 0.058], () => isPairFound(random, correlated, 'CUPED')),
  ],
  A3: pValuesAreUniform,
  ...continuous('A4', 'A5'),
  A6: (random) => [
    share('fixed test, read on 30 days (must be inflated)', 20_000, [0.26, 0.31], () => isFoundOnSomeDay(random)),
  ],
  A7: (random) => [
    share('SRM, one look', 100_000, [0.0003, 0.0008], () => isMismatch([random.binomial(10_000, 0.5), 10_000])),
  ],
  A8: (random) => [share('SRM, read on 30 days', 20_000, [0, 0.008], () => firesOnSomeDay(random, 0.5, 30))],
  A9: (random) => [share('SRM of 52/48 found in 14 days', 1000, [0.99, 1], () => firesOnSomeDay(random, 0.52, 14))],
  A10: coverage,
  A11: (random) =>
    coverageOf(random, '2 % buyers, σ = 1.6, 2,000 a side', 2500, [0.94, 1], {
      draws: [revenue(0.02, 1.6), revenue(0.02, 1.6)],
      sizes: [2000, 2000],
      truth: [0, 0],
    }),
  A12: (random) =>
    [0.02, 0.1].map((margin) =>
      share(`guardrail at a margin of ${100 * margin} %`, 20_000, [0.045, 0.055], () => isNonInferior(random, margin)),
    ),
  A13: (random) => [
    share('guardrail at its margin, read on 30 days: breached', 5000, [0, 0.05], () => isBreachedOnSomeDay(random)),
  ],
  A14: power,
  A15: (random) => [share('Holm, 6 correlated comparisons', 20_000, [0, 0.055], () => isAnyFound(random))],
  ...servedRows,
}

function armOf(random: Random, draw: Draw, n: number): ArmData {
  return { type: 'MEAN', ...momentsOf(draw(random, n)) }
}

function isFound(random: Random, draw: Draw, n: number): boolean {
  return compare(armOf(random, draw, n), armOf(random, draw, n), fixed).significant
}

function isPairFound(random: Random, draw: (random: Random) => [number, number], type: 'RATIO' | 'CUPED'): boolean {
  const [control, treatment] = [0, 1].map(() => pairMomentsOf(Array.from({ length: 1000 }, () => draw(random))))
  const arms = [control!, treatment!] as const
  const theta = pooledTheta(arms)
  const [c, t] = arms.map((pair): ArmData => (type === 'CUPED' ? { type, theta, ...pair } : { type, ...pair }))
  return compare(c!, t!, fixed).significant
}

/** The distance of Kolmogorov and Smirnov, against its limit for p = 0.001. */
function pValuesAreUniform(random: Random): Found[] {
  const runs = 2000
  const draw = conversions(0.05)
  const pValues = Array.from(
    { length: runs },
    () => compare(armOf(random, draw, 2000), armOf(random, draw, 2000), fixed).pValue ?? 1,
  )
  const sorted = pValues.sort((a, b) => a - b)
  const distances = sorted.map((p, i) => Math.max((i + 1) / runs - p, p - i / runs))
  return [
    {
      what: 'p-values of A1 are uniform: distance',
      seen: Math.max(...distances),
      low: 0,
      high: 1.949 / Math.sqrt(runs),
      runs,
    },
  ]
}

/** A4: A/A tests that are looked at every 10 units a side. A5: their lift intervals decide as the test does. */
function continuous(test: string, lift: string): Record<string, (random: Random) => Found[]> {
  const data: Record<string, Draw> = {
    '50 %': conversions(0.5),
    '5 %': conversions(0.05),
    '1 %': conversions(0.01),
    normal: normals,
    revenue: revenue(0.05, 1),
  }
  const values = Array.from({ length: lastUnits / stepUnits }, (_, i) =>
    sequentialCriticalValue(2 * stepUnits * (i + 1), sequential),
  )
  return Object.fromEntries(
    Object.entries(data).map(([name, draw]) => [
      `${test}, ${lift} ${name}`,
      (random: Random) => {
        let disagreements = 0
        const found = share(`sequential, 2,500 looks, ${name}`, 3000, [0, 0.05], () => {
          const looked = lookOften(random, draw, values)
          disagreements += looked.disagreements
          return looked.isFound
        })
        return [
          found,
          {
            what: `lift interval against test, ${name}: contradictions`,
            seen: disagreements,
            low: 0,
            high: 0,
            runs: 3000,
          },
        ]
      },
    ]),
  )
}

/**
 * Looks with the critical value of the engine. Where that is close, and at every 50th look, the engine itself compares,
 * and must find the same, in the test as in the lift.
 */
function lookOften(random: Random, draw: Draw, values: readonly number[]) {
  const [control, treatment] = [0, 1].map(() => ({ n: 0, sum: 0, squares: 0 }))
  let [isFound, disagreements] = [false, 0]
  for (const [i, q] of values.entries()) {
    add(control!, draw(random, stepUnits))
    add(treatment!, draw(random, stepUnits))
    const n = control!.n
    const squares = control!.squares - control!.sum ** 2 / n + treatment!.squares - treatment!.sum ** 2 / n
    if (squares <= 0) continue
    const z = Math.abs(treatment!.sum - control!.sum) / n / Math.sqrt(squares / (n - 1) / n)
    const isOutside = z > q
    if (z > 0.9 * q || i % 50 === 0) {
      const result = compare(
        { type: 'MEAN', ...momentsOf(control!) },
        { type: 'MEAN', ...momentsOf(treatment!) },
        sequential,
      )
      const excludes = result.liftCiLow === null ? null : result.liftCiLow > 0 || (result.liftCiHigh ?? 0) < 0
      if (result.significant !== isOutside || (excludes !== null && excludes !== result.significant)) disagreements++
    }
    if (isOutside) isFound = true
  }
  return { isFound, disagreements }
}

function isFoundOnSomeDay(random: Random): boolean {
  const draw = conversions(0.05)
  const [control, treatment] = [0, 1].map(() => ({ n: 0, sum: 0, squares: 0 }))
  for (let day = 0; day < 30; day++) {
    add(control!, draw(random, 1000))
    add(treatment!, draw(random, 1000))
    const arms = [control!, treatment!].map((sums): ArmData => ({ type: 'MEAN', ...momentsOf(sums) }))
    if (compare(arms[0]!, arms[1]!, fixed).significant) return true
  }
  return false
}

function isMismatch([first, total]: [number, number]): boolean {
  return (srmChiSquare({ observed: [first, total - first], weights: [1, 1] }).pValue ?? 1) < srmFailsBelow
}

/** As the service checks: chi-square and sequential test, once a day, 2,000 units a day. */
function firesOnSomeDay(random: Random, p: number, days: number): boolean {
  let [first, total] = [0, 0]
  for (let day = 0; day < days; day++) {
    first += random.binomial(2000, p)
    total += 2000
    if (isMismatch([first, total])) return true
    const { logBayesFactor } = srmSequential({ observed: [first, total - first], weights: [1, 1] })
    if ((logBayesFactor ?? 0) > Math.log(srmFailsAboveBayesFactor)) return true
  }
  return false
}

function coverage(random: Random): Found[] {
  const cases = [
    { name: '1,000 a side', sizes: [1000, 1000] as [number, number], limits: [0.94, 0.965] as [number, number] },
    { name: '20,000 a side', sizes: [20_000, 20_000] as [number, number], limits: [0.943, 0.957] as [number, number] },
    { name: '36,000 and 4,000', sizes: [36_000, 4000] as [number, number], limits: [0.943, 0.957] as [number, number] },
  ]
  return cases.flatMap(({ name, sizes, limits }) =>
    [0, 0.2].flatMap((lift) =>
      coverageOf(random, `5 %, ${name}, ${lift === 0 ? 'no effect' : '+20 %'}`, 20_000, limits, {
        draws: [conversions(0.05), conversions(0.05 * (1 + lift))],
        sizes,
        truth: [0.05 * lift, lift],
      }),
    ),
  )
}

function coverageOf(
  random: Random,
  name: string,
  runs: number,
  [low, high]: [number, number],
  { draws, sizes, truth }: { draws: [Draw, Draw]; sizes: [number, number]; truth: [number, number] },
): Found[] {
  let [difference, lift] = [0, 0]
  for (let run = 0; run < runs; run++) {
    const found = compare(armOf(random, draws[0], sizes[0]), armOf(random, draws[1], sizes[1]), fixed)
    if (found.ciLow! <= truth[0] && truth[0] <= found.ciHigh!) difference++
    // An interval without ends covers everything.
    if (found.liftCiLow === null || (found.liftCiLow <= truth[1] && truth[1] <= found.liftCiHigh!)) lift++
  }
  return [
    { what: `95 % interval of the difference, ${name}`, seen: difference / runs, low, high, runs },
    { what: `95 % interval of the lift, ${name}`, seen: lift / runs, low, high, runs },
  ]
}

function isNonInferior(random: Random, margin: number): boolean {
  const control = meanArm(normalMoments(random, 1000, 10, 4))
  const treatment = meanArm(normalMoments(random, 1000, 10 * (1 - margin), 4))
  return nonInferiority(control, treatment, { margin, direction: 'INCREASE', alpha: 0.05 }).nonInferior
}

function isBreachedOnSomeDay(random: Random): boolean {
  const settings = {
    margin: 0.02,
    direction: 'INCREASE',
    alpha: 0.05,
    tuningParameter: 5000,
    isSequential: true,
  } as const
  let control = normalMoments(random, 500, 10, 4)
  let treatment = normalMoments(random, 500, 9.8, 4)
  for (let day = 1; day < 30; day++) {
    control = mergeMoments(control, normalMoments(random, 500, 10, 4))
    treatment = mergeMoments(treatment, normalMoments(random, 500, 9.8, 4))
    if (guardrail(meanArm(control), meanArm(treatment), settings).state === 'breached') return true
  }
  return false
}

function power(random: Random): Found[] {
  const { perVariation } = proportionSampleSize({ baseline: 0.05, relativeMde: 0.1, alpha: 0.05, power: 0.8 })
  const [control, treatment] = [conversions(0.05), conversions(0.055)]
  const longer = Math.ceil(perVariation! * sequentialFactor)
  const settings = { ...sequential, tuningParameter: 2 * longer }
  let used = 0
  const one = share(
    `power of ${perVariation!.toLocaleString('en')} a side, fixed`,
    20_000,
    [0.79, 0.81],
    () => compare(armOf(random, control, perVariation!), armOf(random, treatment, perVariation!), fixed).significant,
  )
  const many = share(
    `power of ${longer.toLocaleString('en')} a side, sequential, ${looks} looks`,
    20_000,
    [0.79, 0.81],
    () => {
      const arms = [0, 1].map(() => ({ n: 0, sum: 0, squares: 0 }))
      for (let look = 1; look <= looks; look++) {
        const step = Math.round((longer * look) / looks) - arms[0]!.n
        add(arms[0]!, control(random, step))
        add(arms[1]!, treatment(random, step))
        const [c, t] = arms.map((sums): ArmData => ({ type: 'MEAN', ...momentsOf(sums) }))
        if (!compare(c!, t!, settings).significant) continue
        used += arms[0]!.n
        return true
      }
      used += longer
      return false
    },
  )
  const cost = used / many.runs / perVariation!
  return [
    one,
    many,
    {
      what: 'units of the sequential test / of the fixed one, on average',
      seen: cost,
      low: 1,
      high: 1.3,
      runs: many.runs,
    },
  ]
}

/** Two treatments and three metrics of the same visitors, which correlate by 0.5. */
function isAnyFound(random: Random): boolean {
  const n = 1000
  const arms = Array.from({ length: 3 }, () => {
    const common = random.normal()
    return Array.from({ length: 3 }, () => {
      const mean = 10 + (Math.SQRT1_2 * common + Math.SQRT1_2 * random.normal()) / Math.sqrt(n)
      return { n, mean, variance: 1 }
    })
  })
  const [control, ...treatments] = arms
  const pValues = treatments.flatMap((treatment) =>
    treatment.map((arm, metric) => testEffect(effectOf(control![metric]!, arm), fixed).pValue ?? 1),
  )
  return holm(pValues).some((p) => p < 0.05)
}
