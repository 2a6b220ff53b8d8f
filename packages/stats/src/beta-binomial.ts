import type { Conversions } from './arm.ts'
import { betaCdf, betaSf, logBeta } from './distributions.ts'
import { type Figures, figures } from './figures.ts'

/** The parameters of the Beta distribution that is believed of a rate before the data. */
export interface BetaPrior {
  alpha: number
  beta: number
}

export interface BetaBinomial {
  posteriorMeanControl: number
  posteriorMeanTreatment: number
  /** The probability that the rate of the treatment is better. */
  chanceToBeatControl: number
  /** What shipping the treatment costs on average if control is better, in points of the rate. */
  expectedLossTreatment: number
  /** What keeping control costs on average if the treatment is better. */
  expectedLossControl: number
}

export const uniformPrior: BetaPrior = { alpha: 1, beta: 1 }

interface Beta {
  a: number
  b: number
}

/** How far the integrals reach from each mean, in standard deviations. */
const reach = 20

/**
 * Compares two rates exactly: both posteriors are Beta distributions.
 * `P(pT > pC) = ∫ f_T F_C`, `E[max(pC - pT, 0)] = ∫ F_T (1 - F_C)`, by Gauss-Legendre on panels. All terms are positive,
 * so small probabilities and losses keep their digits. The substitution p = sin² u gives every posterior about the same
 * width and removes the poles at 0 and 1.
 * Null if an arm has more conversions than units, or a parameter of the prior is not above 0.
 * Source: Stucchio 2015; Evan Miller, "Formulas for Bayesian A/B Testing".
 *
 * @param lowerIsBetter swaps the chance and the losses
 */
export function betaBinomial(
  control: Conversions,
  treatment: Conversions,
  prior: BetaPrior = uniformPrior,
  lowerIsBetter = false,
): Figures<BetaBinomial> {
  const [c, t] = [posterior(control, prior), posterior(treatment, prior)]
  const [lower, higher] = lowerIsBetter ? [t, c] : [c, t]
  const exists = [c.a, c.b, t.a, t.b].every((parameter) => parameter > 0 && Number.isFinite(parameter))
  const integrals = exists
    ? compare(lower, higher)
    : { chance: Number.NaN, lossOfHigher: Number.NaN, lossOfLower: Number.NaN }
  return figures({
    posteriorMeanControl: meanOf(c),
    posteriorMeanTreatment: meanOf(t),
    chanceToBeatControl: integrals.chance,
    expectedLossTreatment: integrals.lossOfHigher,
    expectedLossControl: integrals.lossOfLower,
  })
}

function posterior({ n, sum }: Conversions, prior: BetaPrior): Beta {
  return { a: prior.alpha + sum, b: prior.beta + n - sum }
}

const meanOf = ({ a, b }: Beta): number => a / (a + b)

/** P(higher > lower), and the mean excess of each over the other. */
function compare(lower: Beta, higher: Beta) {
  let [chance, lossOfHigher, lossOfLower] = [0, 0, 0]
  const ends = panels(lower, higher)
  const logScale = Math.log(2) - logBeta(higher.a, higher.b)
  for (let i = 1; i < ends.length; i++) {
    const [from, to] = [ends[i - 1] ?? 0, ends[i] ?? 0]
    const [centre, half] = [(from + to) / 2, (to - from) / 2]
    for (const [node, weight] of legendre) {
      const u = centre + half * node
      const [sine, cosine] = [Math.sin(u), Math.cos(u)]
      const x = sine * sine
      // Both densities in u: dx = 2 sin u cos u du.
      const density = Math.exp(logScale + (2 * higher.a - 1) * Math.log(sine) + (2 * higher.b - 1) * Math.log(cosine))
      const slope = 2 * sine * cosine
      const [below, above] = [distribution(x, lower), distribution(x, higher)]
      chance += half * weight * density * below.cdf
      lossOfHigher += half * weight * slope * above.cdf * below.sf
      lossOfLower += half * weight * slope * above.sf * below.cdf
    }
  }
  return { chance: Math.min(1, chance), lossOfHigher, lossOfLower }
}

/** The ends of panels of one standard deviation of u around both means, between 0 and π/2. */
function panels(...posteriors: Beta[]): number[] {
  const ends = posteriors.flatMap((beta) => {
    const centre = Math.asin(Math.sqrt(meanOf(beta)))
    const deviation = 1 / (2 * Math.sqrt(beta.a + beta.b + 1))
    return Array.from({ length: 2 * reach + 1 }, (_, i) => centre + (i - reach) * deviation)
  })
  const inside = ends.filter((end) => end > 0 && end < Math.PI / 2)
  return [0, ...inside.sort((a, b) => a - b), Math.PI / 2]
}

/** Both tails, the smaller one computed directly. */
function distribution(x: number, { a, b }: Beta): { cdf: number; sf: number } {
  if (x < a / (a + b)) {
    const cdf = betaCdf(x, a, b)
    return { cdf, sf: 1 - cdf }
  }
  const sf = betaSf(x, a, b)
  return { cdf: 1 - sf, sf }
}

/** Nodes and weights of Gauss-Legendre quadrature on [-1, 1] with 12 nodes, by Newton's method. */
const legendre: readonly (readonly [number, number])[] = gaussLegendre(12)

function gaussLegendre(order: number): [number, number][] {
  return Array.from({ length: order }, (_, i) => {
    let x = Math.cos((Math.PI * (i + 0.75)) / (order + 0.5))
    let slope = 0
    for (let step = 0; step < 50; step++) {
      let [before, value] = [1, x]
      for (let k = 2; k <= order; k++) [before, value] = [value, ((2 * k - 1) * x * value - (k - 1) * before) / k]
      slope = (order * (x * value - before)) / (x * x - 1)
      const correction = value / slope
      x -= correction
      if (Math.abs(correction) < 1e-16) break
    }
    return [x, 2 / ((1 - x * x) * slope * slope)]
  })
}
