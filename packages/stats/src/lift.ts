import { type Arm, differenceOf } from './arm.ts'
import { type Figures, figures } from './figures.ts'
import { type Effect, tTest, welchDf } from './welch.ts'

export interface LiftInterval {
  /** Fraction of the baseline: 0.05 is 5 % more. */
  lift: number
  ciLow: number
  ciHigh: number
  /** The relative variance of the baseline times q². From 1 on, the baseline cannot be distinguished from 0. */
  g: number
}

/**
 * The lift, `d / |mC|`, with Fieller's interval: all L with `|D - L·M| <= q · sqrt(V_D - 2·L·K + L²·V_M)`.
 * It excludes 0 exactly when the interval of the difference with the same critical value `q` does.
 * Where the baseline cannot be distinguished from 0 (g >= 1), the interval is unbounded: both ends are null.
 * Source: Fieller 1954; the rule for g as in Statsig's documentation.
 */
export function fiellerLift(effect: Effect, q: number): Figures<LiftInterval> {
  const { estimate, variance, baseline, baselineVariance, covariance } = effect
  const g = (q ** 2 * baselineVariance) / baseline ** 2
  const lift = estimate / baseline
  if (!(g < 1)) return figures({ lift, ciLow: Number.NaN, ciHigh: Number.NaN, g })
  const a = baseline ** 2 - q ** 2 * baselineVariance
  const b = estimate * baseline - q ** 2 * covariance
  const c = estimate ** 2 - q ** 2 * variance
  const root = Math.sqrt(Math.max(0, b * b - a * c))
  // The end that would be a small difference of large numbers follows from the product of both, c / a. So its sign is
  // that of c, as the interval of the difference has it.
  const far = (b + (b < 0 ? -root : root)) / a
  const near = far === 0 ? 0 : c / a / far
  return figures({ lift, ciLow: Math.min(near, far), ciHigh: Math.max(near, far), g })
}

/**
 * The lift with a symmetric interval by the delta method: `se² = vT / (nT·mC²) + vC·mT² / (nC·mC⁴)`.
 * For exports and comparison with other tools. Verdicts use Fieller: under repeated looks this interval loses its level.
 * Source: GrowthBook, gbstats.
 */
export function deltaLift(control: Arm, treatment: Arm, alpha: number) {
  const baseline = Math.abs(control.mean)
  const lift = differenceOf(control, treatment) / baseline
  const variance =
    treatment.variance / (treatment.n * control.mean ** 2) +
    (control.variance * treatment.mean ** 2) / (control.n * control.mean ** 4)
  return figures({ lift, ...tTest(lift, variance, welchDf(control, treatment), alpha) })
}
