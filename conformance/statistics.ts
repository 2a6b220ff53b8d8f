import {
  type Arm,
  type ArmData,
  adjustPValues,
  benjaminiHochberg,
  betaBinomial,
  betaCdf,
  betaSf,
  type ComparisonSettings,
  chiSquareCdf,
  chiSquareSf,
  compare,
  crossoverCheck,
  cupedEffect,
  cupedTest,
  decide,
  defaultTuningParameter,
  deltaLift,
  type Evidence,
  effectOf,
  fiellerLift,
  fisherExact,
  gaussianPosterior,
  holm,
  logBeta,
  logGamma,
  meanArm,
  meanSampleSize,
  momentsFromSums,
  newcombeInterval,
  noExposures,
  nonInferiority,
  nonInferioritySampleSize,
  normalCdf,
  normalPdf,
  normalQuantile,
  normalSf,
  type PairMoments,
  productOfDeviations,
  proportionArm,
  proportionSampleSize,
  ratioArm,
  relativeMde,
  relativePower,
  runtime,
  sequentialBounds,
  sequentialInterval,
  srmChiSquare,
  srmSequential,
  srmStatus,
  starvedVariations,
  tCdf,
  testEffect,
  tQuantile,
  trafficDrop,
  tSf,
  twoProportionTest,
  welchTest,
  wilsonInterval,
  winsorize,
} from '@svc/stats'
import type { Method } from './methods.ts'

// Reads inputs as other tools have them: plain sums and lower-case words. Answers have the names of the cases.

type Input = Record<string, unknown>

/** The methods of `@svc/stats`, by the `method` of a case. */
export const statisticsMethods: [string, Method][] = [
  ['welch_t', (input) => welchTest(arm(input.control), arm(input.treatment), alpha(input))],
  ['two_proportion_z', (input) => twoProportionTest(counts(input.control), counts(input.treatment), alpha(input))],
  ['wilson_ci', (input) => wilsonInterval(counts(input), alpha(input))],
  ['newcombe_ci', (input) => newcombeInterval(counts(input.control), counts(input.treatment), alpha(input))],
  ['fisher_exact', (input) => fisherExact(counts(input.control), counts(input.treatment))],
  ['relative_lift_delta', (input) => deltaLift(arm(input.control), arm(input.treatment), alpha(input))],
  ['relative_lift_fieller', relativeLiftFieller],
  ['ratio_delta', ratioDelta],
  ['cuped', (input) => cupedTest(covariate(input.control), covariate(input.treatment), alpha(input))],
  ['cuped_fieller', cupedFieller],
  [
    'winsorize',
    (input) =>
      winsorize(list(input.values), { percentile: number(input.percentile), ignoreZeros: input.ignoreZeros === true }),
  ],
  ['sequential_ci', (input) => sequentialInterval(estimate(input))],
  ['sequential_ci_one_sided', (input) => sequentialBounds(estimate(input))],
  ['metric_result', metricResult],
  ['analyze_metric_edge', analyzeMetric],
  ['bayes_beta_binomial', bayesBetaBinomial],
  ['bayes_gaussian', bayesGaussian],
  ['srm_chi2', (input) => srmChiSquare(split(input))],
  ['srm_sequential', srmSequentially],
  ['health', health],
  ['non_inferiority', nonInferior],
  ['holm', (input) => ({ adjusted: adjusted(input, 'HOLM') })],
  ['benjamini_hochberg', (input) => ({ adjusted: adjusted(input, 'BENJAMINI_HOCHBERG') })],
  ['decide', (input) => decide(input as unknown as Evidence)],
  [
    'sample_size_proportion',
    (input) =>
      proportionSampleSize({
        ...certainty(input),
        baseline: number(input.baseline),
        relativeMde: number(input.relativeMde),
        nullVariance: input.nullVariance === 'baseline' ? 'baseline' : 'pooled',
      }),
  ],
  ['sample_size_mean', sampleSizeMean],
  [
    'sample_size_non_inferiority',
    (input) =>
      nonInferioritySampleSize({
        ...certainty(input),
        mean: number(input.mean),
        stddev: number(input.stddev),
        margin: number(input.margin),
      }),
  ],
  ['power_relative', (input) => relativePower({ ...planned(input), relativeEffect: number(input.relativeEffect) })],
  ['mde_relative', (input) => relativeMde({ ...planned(input), power: number(input.power) })],
  [
    'runtime',
    (input) =>
      runtime({
        perVariation: number(input.perVariation),
        variations: number(input.variations),
        dailyUnits: number(input.dailyUnits),
        coverage: optional(input.coverage) ?? 1,
      }),
  ],
  ['dist', (input) => ({ value: distribution(input) })],
]

function relativeLiftFieller(input: Input) {
  const effect = effectOf(arm(input.control), arm(input.treatment))
  return fiellerLift(effect, normalQuantile(1 - alpha(input) / 2))
}

function ratioDelta(input: Input) {
  const [control, treatment] = [ratioArm(pair(input.control, ratioNames)), ratioArm(pair(input.treatment, ratioNames))]
  const {
    meanControl: ratioControl,
    meanTreatment: ratioTreatment,
    ...test
  } = welchTest(control, treatment, alpha(input))
  const lift = deltaLift(control, treatment, alpha(input))
  return {
    ratioControl,
    ratioTreatment,
    ...test,
    lift: lift.lift,
    liftStandardError: lift.standardError,
    liftCiLow: lift.ciLow,
    liftCiHigh: lift.ciHigh,
  }
}

function cupedFieller(input: Input) {
  const effect = cupedEffect(covariate(input.control), covariate(input.treatment))
  return { theta: effect.theta, varianceReduction: effect.varianceReduction, ...testEffect(effect, settings(input)) }
}

function metricResult(input: Input) {
  return compare(armData(input.control, input), armData(input.treatment, input), settings(input))
}

function analyzeMetric(input: Input) {
  return compare(armData(input.control, input), armData(input.treatment, input), settings(object(input.settings)))
}

function bayesBetaBinomial(input: Input) {
  const prior = object(input.prior ?? { alpha: 1, beta: 1 })
  const parameters = { alpha: number(prior.alpha), beta: number(prior.beta) }
  return betaBinomial(counts(input.control), counts(input.treatment), parameters, input.inverse === true)
}

function bayesGaussian(input: Input) {
  const prior = object(input.prior ?? { proper: false, mean: 0, stddev: 1 })
  return gaussianPosterior({
    estimate: number(input.estimate),
    standardError: number(input.standardError),
    prior: { proper: prior.proper === true, mean: number(prior.mean ?? 0), stddev: number(prior.stddev ?? 1) },
    alpha: alpha(input),
    lowerIsBetter: input.inverse === true,
  })
}

function srmSequentially(input: Input) {
  return srmSequential(split(input), {
    ...(input.concentration !== undefined && { concentration: number(input.concentration) }),
    ...(input.priorAlpha !== undefined && { priorAlpha: list(input.priorAlpha) }),
  })
}

function health(input: Input) {
  switch (input.check) {
    case 'srm':
      return { ...srmChiSquare(split(input)), status: srmStatus(split(input)) }
    case 'crossover':
      return crossoverCheck({ crossed: number(input.crossed), total: number(input.total) })
    case 'traffic_drop':
      return trafficDrop({
        previousDays: list(input.previousDays),
        lastDay: number(input.lastDay),
        dropThreshold: optional(input.dropThreshold) ?? 0.5,
      })
    case 'variation_starved':
      return starvedVariations(split(input))
    case 'no_exposures':
      return {
        status: noExposures({
          servingHours: number(input.servingHours),
          hasHeartbeats: input.hasHeartbeats === true,
          exposures: number(input.exposures),
        }),
      }
    default:
      throw new Error(`input.check must name a check, not ${JSON.stringify(input.check)}`)
  }
}

function nonInferior(input: Input) {
  const direction = input.direction === 'decrease' ? 'DECREASE' : 'INCREASE'
  return nonInferiority(arm(input.control), arm(input.treatment), {
    margin: number(input.margin),
    direction,
    alpha: alpha(input),
  })
}

function adjusted({ pValues }: Input, correction: 'HOLM' | 'BENJAMINI_HOCHBERG') {
  if (!Array.isArray(pValues)) throw new Error('input.pValues must be a list')
  if (pValues.includes(null)) return adjustPValues(pValues, correction)
  return correction === 'HOLM' ? holm(list(pValues)) : benjaminiHochberg(list(pValues))
}

function sampleSizeMean(input: Input) {
  return meanSampleSize({
    ...certainty(input),
    mean: number(input.mean),
    stddev: number(input.stddev),
    relativeMde: number(input.relativeMde),
    allocationRatio: optional(input.allocationRatio) ?? 1,
  })
}

const distributions: Record<string, (...values: [number, number, number]) => number> = {
  normal_pdf: normalPdf,
  normal_cdf: normalCdf,
  normal_sf: normalSf,
  normal_quantile: normalQuantile,
  t_cdf: tCdf,
  t_sf: tSf,
  t_quantile: tQuantile,
  chi2_cdf: chiSquareCdf,
  chi2_sf: chiSquareSf,
  beta_cdf: betaCdf,
  beta_sf: betaSf,
  gammaln: logGamma,
  betaln: logBeta,
}

function distribution({ fn, args }: Input): number | null {
  const distribution = distributions[String(fn)]
  if (!distribution) throw new Error(`input.fn must name a distribution, not ${JSON.stringify(fn)}`)
  const value = distribution(...(list(args) as [number, number, number]))
  return Number.isFinite(value) ? value : null
}

/** An arm of plain sums. Without squares, it is a proportion. */
function arm(value: unknown): Arm {
  const data = object(value)
  if (data.sumSquares === undefined) return proportionArm(counts(data))
  return meanArm(momentsFromSums({ ...counts(data), sumSquares: number(data.sumSquares) }))
}

// Unlike the other readers, this one passes bad counts on, because the method must answer them with a status.
function armData(value: unknown, { metricType }: Input): ArmData {
  const data = object(value)
  const [n, sum, sumSquares] = [loose(data.n), loose(data.sum), loose(data.sumSquares)]
  if (metricType === 'ratio') return { type: 'RATIO', ...pair(data, ratioNames) }
  const isMean = metricType === undefined ? data.sumSquares !== undefined : metricType === 'mean'
  return isMean ? { type: 'MEAN', ...momentsFromSums({ n, sum, sumSquares }) } : { type: 'PROPORTION', n, sum }
}

const ratioNames = ['sumNumerator', 'sumSquaresNumerator', 'sumDenominator', 'sumSquaresDenominator'] as const
const covariateNames = ['sumPost', 'sumSquaresPost', 'sumPre', 'sumSquaresPre'] as const

function covariate(value: unknown): PairMoments {
  return pair(value, covariateNames)
}

function pair(value: unknown, [sumOfY, squaresOfY, sumOfX, squaresOfX]: readonly [string, string, string, string]) {
  const data = object(value)
  const n = number(data.n)
  const [sumY, sumX] = [number(data[sumOfY]), number(data[sumOfX])]
  return {
    n,
    sumY,
    m2Y: momentsFromSums({ n, sum: sumY, sumSquares: number(data[squaresOfY]) }).m2,
    sumX,
    m2X: momentsFromSums({ n, sum: sumX, sumSquares: number(data[squaresOfX]) }).m2,
    cXY: n === 0 ? 0 : productOfDeviations(n, number(data.sumProduct), sumY, sumX),
  }
}

function settings(input: Input): ComparisonSettings {
  return {
    test: input.test === 'sequential' ? 'SEQUENTIAL' : 'FIXED_HORIZON',
    alpha: alpha(input),
    tuningParameter: optional(input.tuningParameter) ?? defaultTuningParameter,
    minUnits: optional(input.minUnits) ?? 0,
    minConversions: optional(input.minConversions) ?? 0,
  }
}

function estimate(input: Input) {
  return {
    estimate: number(input.estimate),
    standardError: number(input.standardError),
    n: number(input.n),
    alpha: alpha(input),
    tuningParameter: number(input.tuningParameter),
  }
}

function planned(input: Input) {
  return {
    mean: number(input.mean),
    stddev: number(input.stddev),
    perVariation: number(input.perVariation),
    alpha: alpha(input),
    tuningParameter: optional(input.tuningParameter),
  }
}

const certainty = (input: Input) => ({ alpha: alpha(input), power: number(input.power) })

const counts = (value: unknown) => ({ n: number(object(value).n), sum: number(object(value).sum) })

const split = (input: Input) => ({ observed: list(input.observed), weights: list(input.weights) })

const alpha = (input: Input): number => optional(input.alpha) ?? 0.05

const optional = (value: unknown): number | undefined =>
  value === undefined || value === null ? undefined : number(value)

const loose = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

function list(value: unknown): number[] {
  if (!Array.isArray(value)) throw new Error(`the input must have a list where it has ${JSON.stringify(value)}`)
  return value.map(number)
}

function number(value: unknown): number {
  if (typeof value !== 'number') throw new Error(`the input must have a number where it has ${JSON.stringify(value)}`)
  return value
}

function object(value: unknown): Input {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`the input must have an object where it has ${JSON.stringify(value)}`)
  }
  return value as Input
}
