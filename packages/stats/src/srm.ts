import { chiSquareSf, logGamma } from './distributions.ts'
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
 * What a day's test says of one split, or of several periods with different weights: not enough data below 8 units for
 * each arm.
 */
export function srmStatus(...periods: Split[]): HealthStatus {
  const { pValue } = srmOfPeriods(periods)
  const parts = periods.map(weighted)
  const total = parts.reduce((sum, part) => sum + part.total, 0)
  const arms = Math.max(0, ...parts.map(({ observed }) => observed.length))
  if (pValue === null || arms < 2 || total < minUnitsPerArm * arms) return 'not_enough_data'
  if (pValue < srmFailsBelow) return 'failed'
  return pValue < srmWarnsBelow ? 'warning' : 'ok'
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
