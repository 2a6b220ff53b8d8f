import { betaCdf, betaSf, chiSquareSf, logGamma } from './distributions.ts'
import { type Figures, figures } from './figures.ts'

/** Units of each arm, and the weights that they were assigned with. Weights need not add up to 1. */
export interface Split {
  observed: readonly number[]
  weights: readonly number[]
}

export type HealthStatus = 'not_enough_data' | 'ok' | 'warning' | 'failed'

/** Limits of the test of each day: with 30 looks, 0.55 % of the healthy tests fail. */
export const srmFailsBelow = 0.0005
export const srmWarnsBelow = 0.01
/** The limit of the sequential test: at most 0.1 % of the healthy tests ever reach it, at any number of looks. */
export const srmFailsAboveBayesFactor = 1000
export const srmConcentration = 10_000
const minUnitsPerArm = 8
/** Below this, chi-square is not used, because its distribution differs. */
const minExpected = 5
/** Below this, the exact test decides too: chi-square fails healthy tests with a small arm many times too often. */
const exactBelowExpected = 100
/** Late events of clients that had not heard of a change. */
const fewImpossible = { units: 5, share: 0.001 }

/**
 * The sample ratio mismatch test: chi-square of the units against the weights, over the arms with a weight.
 * Null without units.
 * Source: Fabijan et al., "Diagnosing Sample Ratio Mismatch in Online Controlled Experiments", KDD 2019.
 */
export function srmChiSquare(split: Split): Figures<{ chi2: number; df: number; pValue: number }> {
  const { observed, shares, total } = weighted(split)
  const chi2 = observed.reduce((sum, units, i) => {
    const expected = total * shares[i]!
    return sum + (units - expected) ** 2 / expected
  }, 0)
  const df = Math.max(0, observed.length - 1)
  return figures({ chi2, df, pValue: chiSquareSf(chi2, df) })
}

/** Splits of several periods with different weights: their chi-squares and degrees of freedom add up. */
export function srmOfPeriods(periods: readonly Split[]): Figures<{ chi2: number; df: number; pValue: number }> {
  const tests = periods.map(srmChiSquare).filter(({ chi2 }) => chi2 !== null)
  const df = tests.reduce((sum, test) => sum + (test.df ?? 0), 0)
  const chi2 = tests.length === 0 ? Number.NaN : tests.reduce((sum, test) => sum + (test.chi2 ?? 0), 0)
  return figures({ chi2, df, pValue: chiSquareSf(chi2, df) })
}

/**
 * The sequential test, valid at any number of looks: the evidence for a Dirichlet-multinomial split around the weights
 * against the weights themselves, `ln BF = ln B(α + n) - ln B(α) - Σ n ln w`, with `α = concentration · w`.
 * The p-value is min(1, 1 / BF).
 * Source: Lindon, Malek, "Anytime-Valid Inference for Multinomial Count Data", NeurIPS 2022; optimizely/ssrm.
 *
 * @param priorAlpha the parameters α themselves, one for each arm, instead of the concentration
 */
export function srmSequential(
  split: Split,
  { concentration = srmConcentration, priorAlpha }: { concentration?: number; priorAlpha?: readonly number[] } = {},
): Figures<{ logBayesFactor: number; pValue: number }> {
  const { observed, shares, places } = weighted(split)
  const alpha = shares.map((share, i) => priorAlpha?.[places[i]!] ?? concentration * share)
  const posterior = alpha.map((parameter, i) => parameter + observed[i]!)
  const logLikelihood = observed.reduce((sum, units, i) => sum + units * Math.log(shares[i]!), 0)
  const logBayesFactor = logBetaOf(posterior) - logBetaOf(alpha) - logLikelihood
  return figures({ logBayesFactor, pValue: Math.exp(-Math.max(0, logBayesFactor)) })
}

/**
 * The result of a day's test for one split, or for several periods with different weights: not enough data below 8
 * units for each arm, or while an arm of every period expects fewer than 5. Periods with such an arm do not count. The
 * p-value is that of chi-square; where an arm expects fewer than 100 units, it is not below that of the exact test.
 */
export function srmOfDay(
  ...periods: Split[]
): Figures<{ status: HealthStatus; chi2: number; df: number; pValue: number }> {
  const used = periods.filter((period) => leastExpected(period) >= minExpected)
  const parts = used.map(weighted)
  const total = parts.reduce((sum, part) => sum + part.total, 0)
  const arms = Math.max(0, ...parts.map(({ observed }) => observed.length))
  const chiSquare = srmOfPeriods(used)
  if (chiSquare.pValue === null || arms < 2 || total < minUnitsPerArm * arms)
    return { status: 'not_enough_data', chi2: null, df: null, pValue: null }
  const isSmall = used.some((period) => leastExpected(period) < exactBelowExpected)
  const pValue = isSmall ? Math.max(chiSquare.pValue, exactPValue(used)) : chiSquare.pValue
  return { ...chiSquare, pValue, status: pValue < srmFailsBelow ? 'failed' : pValue < srmWarnsBelow ? 'warning' : 'ok' }
}

/** The status of {@link srmOfDay}. */
export const srmStatus = (...periods: Split[]): HealthStatus => srmOfDay(...periods).status

/** Whether the sequential test has seen enough units to say that there is no sign of a mismatch. */
export function srmHasLooked(...periods: Split[]): boolean {
  const parts = periods.map(weighted)
  const arms = Math.max(0, ...parts.map(({ observed }) => observed.length))
  return arms > 1 && parts.reduce((sum, part) => sum + part.total, 0) >= minUnitsPerArm * arms
}

/** The arms without a weight that have more units than late events explain. Answers their places. */
export function impossibleVariations({ observed, weights }: Split): number[] {
  const all = observed.reduce((sum, units) => sum + units, 0)
  return observed.flatMap((units, i) =>
    (weights[i] ?? 0) <= 0 && units >= fewImpossible.units && units >= fewImpossible.share * all ? [i] : [],
  )
}

/**
 * The exact test of each arm against the others, two-sided: the smallest p-value of the binomial distributions, times
 * their number. Two arms are one comparison.
 */
function exactPValue(periods: readonly Split[]): number {
  const tests = periods.flatMap((period) => {
    const { observed, shares, total } = weighted(period)
    const pValues = observed.map((units, i) => binomialPValue(units, total, shares[i]!))
    return observed.length === 2 ? pValues.slice(0, 1) : pValues
  })
  return Math.min(1, tests.length * Math.min(...tests))
}

/** P(X ≤ k) and P(X ≥ k) of a binomial are incomplete beta functions of its share. */
function binomialPValue(k: number, n: number, p: number): number {
  const atMost = k >= n ? 1 : betaSf(p, k + 1, n - k)
  const atLeast = k <= 0 ? 1 : betaCdf(p, k, n - k + 1)
  return Math.min(1, 2 * Math.min(atMost, atLeast))
}

function leastExpected(split: Split): number {
  const { shares, total } = weighted(split)
  return shares.length === 0 ? 0 : total * Math.min(...shares)
}

function weighted({ observed, weights }: Split) {
  const places = weights.flatMap((weight, i) => (weight > 0 ? [i] : []))
  const sum = places.reduce((all, i) => all + weights[i]!, 0)
  const units = places.map((i) => observed[i] ?? 0)
  return {
    places,
    observed: units,
    shares: places.map((i) => weights[i]! / sum),
    total: units.reduce((all, count) => all + count, 0),
  }
}

/** ln of the multivariate beta function. */
function logBetaOf(parameters: readonly number[]): number {
  const sum = parameters.reduce((all, parameter) => all + parameter, 0)
  return parameters.reduce((log, parameter) => log + logGamma(parameter), 0) - logGamma(sum)
}
