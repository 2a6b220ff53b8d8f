import { type Figures, figures } from './figures.ts'

/** The level, and the number of units of the pair at which intervals are narrowest. Both stay fixed during a test. */
export interface SequentialSettings {
  alpha: number
  tuningParameter: number
}

export interface SequentialEstimate extends SequentialSettings {
  estimate: number
  standardError: number
  /** Units of both arms. */
  n: number
}

/** The tuning parameter of a test without a planned sample. A value that is wrong by 10 times costs little. */
export const defaultTuningParameter = 5000

/** `ρ = sqrt((-2 ln α + ln(-2 ln α + 1)) / N*)`. Source: Waudby-Smith et al., arXiv 2103.06476, eq. 161. */
export function sequentialRho({ alpha, tuningParameter }: SequentialSettings): number {
  const twice = -2 * Math.log(alpha)
  return Math.sqrt((twice + Math.log(twice + 1)) / tuningParameter)
}

/**
 * The critical value that stays valid however often a test is looked at:
 * `z = sqrt(2κ / (N·ρ²) · ln(sqrt(κ) / α))`, κ = N·ρ² + 1. Source: the same, eq. 9.
 */
export function sequentialCriticalValue(n: number, settings: SequentialSettings): number {
  const information = n * sequentialRho(settings) ** 2
  const kappa = information + 1
  return Math.sqrt(((2 * kappa) / information) * Math.log(Math.sqrt(kappa) / settings.alpha))
}

/**
 * The always-valid interval `d ± z · se` and p-value, two-sided: p < α exactly when 0 is outside the interval.
 * `p = min(1, sqrt(κ) · exp(-ρ²·N·(d/se)² / (2κ)))`, eq. 155.
 */
export function sequentialInterval({ estimate, standardError, n, ...settings }: SequentialEstimate): Figures<{
  rho: number
  criticalValue: number
  halfWidth: number
  ciLow: number
  ciHigh: number
  pValue: number
}> {
  const rho = sequentialRho(settings)
  const criticalValue = sequentialCriticalValue(n, settings)
  const halfWidth = criticalValue * standardError
  return figures({
    rho,
    criticalValue,
    halfWidth,
    ciLow: estimate - halfWidth,
    ciHigh: estimate + halfWidth,
    pValue: sequentialPValue(estimate / standardError, n, settings),
  })
}

/** The always-valid two-sided p-value of `z` standard errors. */
export function sequentialPValue(z: number, n: number, settings: SequentialSettings): number {
  const information = n * sequentialRho(settings) ** 2
  const kappa = information + 1
  // min and max would hide NaN.
  const p = Math.sqrt(kappa) * Math.exp((-information * z * z) / (2 * kappa))
  return p > 1 ? 1 : p
}

/**
 * Always-valid one-sided bounds, each at level `alpha`: half width `se · sqrt(2κ / (N·ρ²) · ln(1 + sqrt(κ) / (2α)))`
 * with ρ of 2α. For guardrails. Source: the same, eq. 134.
 */
export function sequentialBounds({ estimate, standardError, n, ...settings }: SequentialEstimate): Figures<{
  rho: number
  halfWidth: number
  lowerBound: number
  upperBound: number
}> {
  const { information, kappa, rho } = oneSided(n, settings)
  const halfWidth =
    standardError * Math.sqrt(((2 * kappa) / information) * Math.log(1 + Math.sqrt(kappa) / (2 * settings.alpha)))
  return figures({ rho, halfWidth, lowerBound: estimate - halfWidth, upperBound: estimate + halfWidth })
}

/** The always-valid p-value of "the effect is not above 0", for `z` standard errors: below alpha when the bound is above 0. */
export function sequentialOneSidedPValue(z: number, n: number, settings: SequentialSettings): number {
  if (z <= 0) return 1
  const { information, kappa } = oneSided(n, settings)
  const p = Math.sqrt(kappa) / (2 * Math.expm1((information * z * z) / (2 * kappa)))
  return p > 1 ? 1 : p
}

function oneSided(n: number, { alpha, tuningParameter }: SequentialSettings) {
  const rho = sequentialRho({ alpha: 2 * alpha, tuningParameter })
  const information = n * rho ** 2
  return { rho, information, kappa: information + 1 }
}
