import { type Arm, differenceOf } from './arm.ts'
import { tQuantile, tSf } from './distributions.ts'
import { type Figures, figures } from './figures.ts'

/**
 * The effect of a treatment as every metric type ends up with it, before a critical value is chosen.
 * `estimate` is treatment minus control; `baseline` is the absolute value of the control mean, which a lift divides by.
 */
export interface Effect {
  estimate: number
  /** Variance of the estimate, not of a unit. */
  variance: number
  df: number
  /** Units of both arms. */
  n: number
  baseline: number
  baselineVariance: number
  /** Covariance of estimate and baseline. */
  covariance: number
}

export interface WelchTest {
  meanControl: number
  meanTreatment: number
  varianceControl: number
  varianceTreatment: number
  difference: number
  standardError: number
  t: number
  df: number
  pValue: number
  ciLow: number
  ciHigh: number
}

/** The difference of two means, with its degrees of freedom after Welch and Satterthwaite. */
export function effectOf(control: Arm, treatment: Arm): Effect {
  const varianceOfControl = control.variance / control.n
  const sign = Math.sign(control.mean)
  return {
    estimate: differenceOf(control, treatment),
    variance: varianceOfControl + treatment.variance / treatment.n,
    df: welchDf(control, treatment),
    n: control.n + treatment.n,
    baseline: Math.abs(control.mean),
    baselineVariance: varianceOfControl,
    covariance: -sign * varianceOfControl,
  }
}

/** `ν = (a + b)² / (a² / (nC - 1) + b² / (nT - 1))`, where a and b are the variances of the two means. */
export function welchDf(control: Arm, treatment: Arm): number {
  const a = control.variance / control.n
  const b = treatment.variance / treatment.n
  // Divided by the sum first, because squares of tiny variances are 0.
  return 1 / ((a / (a + b)) ** 2 / (control.n - 1) + (b / (a + b)) ** 2 / (treatment.n - 1))
}

/**
 * Welch's t-test, two-sided at level `alpha`: `t = d / se`, `se² = vC/nC + vT/nT`, interval `d ± t(1 - α/2, ν) · se`.
 * Figures that do not exist, such as the p-value without any variance, are null.
 * Source: Welch 1947; R `t.test`.
 */
export function welchTest(control: Arm, treatment: Arm, alpha: number): Figures<WelchTest> {
  const effect = effectOf(control, treatment)
  return figures({
    meanControl: control.mean,
    meanTreatment: treatment.mean,
    varianceControl: control.variance,
    varianceTreatment: treatment.variance,
    difference: effect.estimate,
    ...tTest(effect.estimate, effect.variance, effect.df, alpha),
  })
}

/** Two-sided t-test of an estimate with its variance. NaN where the variance is 0. */
export function tTest(estimate: number, variance: number, df: number, alpha: number) {
  const standardError = Math.sqrt(variance)
  const t = estimate / standardError
  const halfWidth = tQuantile(1 - alpha / 2, df) * standardError
  return {
    standardError,
    t,
    df,
    pValue: 2 * tSf(Math.abs(t), df),
    ciLow: estimate - halfWidth,
    ciHigh: estimate + halfWidth,
  }
}
