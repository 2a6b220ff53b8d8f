import { normalCdf, normalQuantile } from './distributions.ts'
import { type Figures, figures } from './figures.ts'
import { sequentialCriticalValue } from './sequential.ts'

/** Two arms of equal size, on the scale of the lift. */
export interface PlannedComparison {
  mean: number
  stddev: number
  perVariation: number
  alpha: number
  /** For a sequential test. Then the power is a lower bound: that of its last look alone. */
  tuningParameter?: number | undefined
}

/**
 * The probability to find a relative effect, two-sided: `Φ(e/se - z) + Φ(-e/se - z)` with
 * `se² = s²/(μ²·n) · (1 + (1 + e)²)`. A sequential test widens se by the ratio of the critical values.
 * Source: GrowthBook, "Power technical".
 */
export function relativePower({ relativeEffect, ...planned }: PlannedComparison & { relativeEffect: number }): Figures<{
  standardError: number
  power: number
}> {
  const z = normalQuantile(1 - planned.alpha / 2)
  const variance = variancePerUnit(planned) * (1 + (1 + relativeEffect) ** 2)
  const standardError = Math.sqrt(variance) * widening(planned)
  const standardised = relativeEffect / standardError
  return figures({ standardError, power: normalCdf(standardised - z) + normalCdf(-standardised - z) })
}

/**
 * The smallest relative increase that is found with probability `power`: the solution of `e = (z(1-α/2) + z(1-β)) · se(e)`,
 * with `c = k² · s²/(μ²·n)`: `e = (c + sqrt(2c - c²)) / (1 - c)`. Null if no increase is found that often (c >= 1).
 * Source: the same.
 */
export function relativeMde({ power, ...planned }: PlannedComparison & { power: number }): { mde: number | null } {
  const k = normalQuantile(1 - planned.alpha / 2) + normalQuantile(power)
  const c = (k * widening(planned)) ** 2 * variancePerUnit(planned)
  return figures({ mde: c < 1 ? (c + Math.sqrt(2 * c - c * c)) / (1 - c) : Number.NaN })
}

function variancePerUnit({ mean, stddev, perVariation }: PlannedComparison): number {
  return stddev ** 2 / (mean ** 2 * perVariation)
}

function widening({ perVariation, alpha, tuningParameter }: PlannedComparison): number {
  if (!tuningParameter) return 1
  return sequentialCriticalValue(2 * perVariation, { alpha, tuningParameter }) / normalQuantile(1 - alpha / 2)
}
