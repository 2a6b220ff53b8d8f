import { type Arm, beyond, differenceOf } from './arm.ts'
import { figures } from './figures.ts'
import { mergePairMoments, noPairs, type PairMoments } from './moments.ts'
import { type Effect, tTest, welchDf } from './welch.ts'

/** What CUPED makes of two arms. */
export interface CupedEffect extends Effect {
  theta: number
  /** The share of the variance of the difference that the covariate explains. */
  varianceReduction: number
  /** The arms after the adjustment. */
  control: Arm
  treatment: Arm
}

/**
 * The slope of the value on the covariate, `θ = cov(y, x) / var(x)`, of all units of all arms together: a slope per arm
 * finds effects where there are none. 0 if the covariate has no variance.
 */
export function pooledTheta(arms: readonly PairMoments[]): number {
  const { cXY, m2X } = arms.reduce(mergePairMoments, noPairs)
  return m2X > 0 ? cXY / m2X : 0
}

/**
 * The difference of two means, adjusted by a covariate from before the first exposure: y is the metric after it, x the
 * same metric before it. `d = (ȳT - θx̄T) - (ȳC - θx̄C)`, `v = var y + θ² var x - 2θ cov`. A lift divides by the
 * unadjusted control mean.
 * Source: Deng, Xu, Kohavi, Walker, "Improving the Sensitivity of Online Controlled Experiments", WSDM 2013.
 *
 * @param offset what was taken from each y before it was added up. What was taken from each x cancels
 * @param theta with more than two arms, `pooledTheta` of all of them, so that control is the same in every comparison
 */
export function cupedEffect(
  control: PairMoments,
  treatment: PairMoments,
  theta: number = pooledTheta([control, treatment]),
  offset = 0,
): CupedEffect {
  const adjustedControl = adjusted(control, theta, offset)
  const adjustedTreatment = adjusted(treatment, theta, offset)
  const variance = adjustedControl.variance / control.n + adjustedTreatment.variance / treatment.n
  const before =
    adjusted(control, 0, offset).variance / control.n + adjusted(treatment, 0, offset).variance / treatment.n
  const mean = offset + control.sumY / control.n
  const covariance = (control.m2Y - theta * control.cXY) / (control.n - 1) / control.n
  return {
    theta,
    varianceReduction: before > 0 ? 1 - variance / before : 0,
    control: adjustedControl,
    treatment: adjustedTreatment,
    estimate: differenceOf(adjustedControl, adjustedTreatment),
    variance,
    df: welchDf(adjustedControl, adjustedTreatment),
    n: control.n + treatment.n,
    baseline: Math.abs(mean),
    baselineVariance: control.m2Y / (control.n - 1) / control.n,
    covariance: -Math.sign(mean) * covariance,
  }
}

/**
 * The t-test of an adjusted difference, two-sided at level `alpha`. The lift has the interval of the delta method, with the
 * unadjusted means in its variance, as in GrowthBook's gbstats: `(R²·var y - 2Rθ·cov + θ²·var x) / (nC·ȳC²)`, R = ȳT / ȳC,
 * is the part of control. Verdicts use `fiellerLift`.
 */
export function cupedTest(control: PairMoments, treatment: PairMoments, alpha: number) {
  const effect = cupedEffect(control, treatment)
  const ratio = treatment.sumY / treatment.n / (control.sumY / control.n)
  const ofControl =
    (ratio ** 2 * control.m2Y - 2 * ratio * effect.theta * control.cXY + effect.theta ** 2 * control.m2X) /
    (control.n - 1) /
    control.n
  const variance = (effect.treatment.variance / treatment.n + ofControl) / effect.baseline ** 2
  const lift = effect.estimate / effect.baseline
  const liftTest = tTest(lift, variance, effect.df, alpha)
  return figures({
    theta: effect.theta,
    adjustedMeanControl: effect.control.mean,
    adjustedMeanTreatment: effect.treatment.mean,
    difference: effect.estimate,
    ...tTest(effect.estimate, effect.variance, effect.df, alpha),
    varianceReduction: effect.varianceReduction,
    lift,
    liftStandardError: liftTest.standardError,
    liftCiLow: liftTest.ciLow,
    liftCiHigh: liftTest.ciHigh,
  })
}

function adjusted({ n, sumY, m2Y, sumX, m2X, cXY }: PairMoments, theta: number, offset: number): Arm {
  const squares = m2Y + theta ** 2 * m2X - 2 * theta * cXY
  // A covariate that explains everything leaves a rest that is only rounding.
  const rest = Math.abs(squares) <= 1e-12 * (m2Y + theta ** 2 * m2X) ? 0 : squares
  return { n, ...beyond(offset, (sumY - theta * sumX) / n), variance: n < 2 ? Number.NaN : rest / (n - 1) }
}
