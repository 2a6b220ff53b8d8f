import { normalQuantile } from './distributions.ts'
import { type Figures, figures } from './figures.ts'

/** How sure a test must be: alpha is two-sided unless said otherwise. */
export interface Certainty {
  alpha: number
  power: number
}

/** How many more units a sequential test is planned with. It usually ends earlier: 1.19 on average, with power 80.4 %. */
export const sequentialFactor = 1.8

/**
 * Units per arm to find a relative change of a rate:
 * `n = (z(1-α/2) · sqrt(2p̄(1-p̄)) + z(1-β) · sqrt(p1q1 + p2q2))² / (p2 - p1)²`, p̄ = (p1 + p2) / 2.
 * Null if the wanted rate is not between 0 and 1, or if no change is wanted.
 * Source: R `power.prop.test`. `nullVariance: "baseline"` is the form of Evan Miller's calculator, which gives less power.
 */
export function proportionSampleSize({
  baseline,
  relativeMde,
  alpha,
  power,
  nullVariance = 'pooled',
}: Certainty & { baseline: number; relativeMde: number; nullVariance?: 'pooled' | 'baseline' }): Figures<{
  perVariation: number
  perVariationExact: number
}> {
  const changed = baseline * (1 + relativeMde)
  const isRate = (value: number) => value > 0 && value < 1
  const assumed = nullVariance === 'baseline' ? baseline : (baseline + changed) / 2
  const root =
    normalQuantile(1 - alpha / 2) * Math.sqrt(2 * assumed * (1 - assumed)) +
    normalQuantile(power) * Math.sqrt(baseline * (1 - baseline) + changed * (1 - changed))
  const exact = isRate(baseline) && isRate(changed) ? (root / (changed - baseline)) ** 2 : Number.NaN
  return figures({ perVariation: Math.ceil(exact), perVariationExact: exact })
}

/**
 * Units per arm to find a relative change of a mean: `nC = (z(1-α/2) + z(1-β))² · s² · (1 + 1/r) / δ²`, `nT = r · nC`.
 * Null where no change is asked for.
 * Source: Kohavi et al. 2009, whose rule of thumb is 16 s² / δ².
 *
 * @param allocationRatio units of the treatment for each unit of control
 */
export function meanSampleSize({
  mean,
  stddev,
  relativeMde,
  alpha,
  power,
  allocationRatio = 1,
}: Certainty & { mean: number; stddev: number; relativeMde: number; allocationRatio?: number }): Figures<{
  controlExact: number
  control: number
  treatment: number
}> {
  const z = normalQuantile(1 - alpha / 2) + normalQuantile(power)
  const controlExact = (z ** 2 * stddev ** 2 * (1 + 1 / allocationRatio)) / (mean * relativeMde) ** 2
  return figures({
    controlExact,
    control: Math.ceil(controlExact),
    treatment: Math.ceil(controlExact * allocationRatio),
  })
}

/**
 * Units per arm to show that a guardrail is not worse by its margin, one-sided at level `alpha`:
 * `n = (z(1-α) + z(1-β))² · s² · (1 + (1-m)²) / (m·μ)²`. With G guardrails, divide β by G + 1.
 * Source: Schultzberg et al. (Spotify), arXiv 2402.11609.
 */
export function nonInferioritySampleSize({
  mean,
  stddev,
  margin,
  alpha,
  power,
}: Certainty & { mean: number; stddev: number; margin: number }): Figures<{
  perVariation: number
  perVariationExact: number
}> {
  const z = normalQuantile(1 - alpha) + normalQuantile(power)
  const exact = (z ** 2 * stddev ** 2 * (1 + (1 - margin) ** 2)) / (margin * mean) ** 2
  return figures({ perVariation: Math.ceil(exact), perVariationExact: exact })
}
