import { normalCdf, normalPdf, normalQuantile } from './distributions.ts'
import { type Figures, figures } from './figures.ts'

/** What is believed of an effect before the data, on the scale of the estimate. `proper: false` is no belief. */
export interface GaussianPrior {
  proper: boolean
  mean: number
  stddev: number
}

export interface GaussianPosterior {
  posteriorMean: number
  posteriorStddev: number
  ciLow: number
  ciHigh: number
  /** The probability that the treatment is better than control. */
  chanceToBeatControl: number
  /** What shipping the treatment costs on average if control is better, on the scale of the estimate. */
  expectedLossTreatment: number
  /** What keeping control costs on average if the treatment is better. */
  expectedLossControl: number
}

export const flatPrior: GaussianPrior = { proper: false, mean: 0, stddev: 1 }

/**
 * The posterior of an effect whose estimate is normal: `1/σ² = 1/se² + 1/τ²`, `μ = σ² · (d/se² + μ0/τ²)`.
 * Chance `Φ(μ/σ)`, loss of the treatment `σφ(z) - μΦ(-z)`. The interval holds with probability 1 - alpha.
 * Without a standard error, all figures are null.
 * Source: GrowthBook, gbstats.
 *
 * @param lowerIsBetter swaps the chance and the losses
 */
export function gaussianPosterior({
  estimate,
  standardError,
  prior = flatPrior,
  alpha = 0.05,
  lowerIsBetter = false,
}: {
  estimate: number
  standardError: number
  prior?: GaussianPrior
  alpha?: number
  lowerIsBetter?: boolean
}): Figures<GaussianPosterior> {
  const precision = standardError > 0 ? 1 / standardError ** 2 : Number.NaN
  const priorPrecision = prior.proper ? 1 / prior.stddev ** 2 : 0
  const deviation = 1 / Math.sqrt(precision + priorPrecision)
  const mean = (estimate * precision + prior.mean * priorPrecision) / (precision + priorPrecision)
  const z = mean / deviation
  const halfWidth = normalQuantile(1 - alpha / 2) * deviation
  const [up, down] = [deviation * expectedExcess(z), deviation * expectedExcess(-z)]
  return figures({
    posteriorMean: mean,
    posteriorStddev: deviation,
    ciLow: mean - halfWidth,
    ciHigh: mean + halfWidth,
    chanceToBeatControl: normalCdf(lowerIsBetter ? -z : z),
    expectedLossTreatment: lowerIsBetter ? up : down,
    expectedLossControl: lowerIsBetter ? down : up,
  })
}

/** E[max(Z + z, 0)] of a standard normal Z. */
function expectedExcess(z: number): number {
  if (z > -5) return normalPdf(z) + z * normalCdf(z)
  // The difference cancels. With Laplace's continued fraction of Mills' ratio, 1/(x + 1/(x + 2/(x + …))), it is a quotient.
  let fraction = -z
  for (let k = 60; k >= 2; k--) fraction = -z + k / fraction
  return normalPdf(z) / (1 - z * fraction)
}
