import { type Arm, differenceOf } from './arm.ts'
import { tQuantile, tSf } from './distributions.ts'
import { type Figures, figures } from './figures.ts'
import { sequentialBounds, sequentialOneSidedPValue } from './sequential.ts'
import { welchDf } from './welch.ts'

/** Which change of a metric is good. */
export type Direction = 'INCREASE' | 'DECREASE'

export interface Margin {
  /** How much worse than control is still accepted, as a fraction of its mean. */
  margin: number
  direction: Direction
}

export type GuardrailState = 'passed' | 'inconclusive' | 'breached'

/**
 * Whether the treatment is not worse than control by the margin, one-sided at level `alpha`. The contrast is linear,
 * `mT - (1 - m)·mC` if an increase is good and `mT - (1 + m)·mC` if a decrease is, so its variance is exact:
 * `vT/nT + (1 ∓ m)²·vC/nC`. For a negative control mean, the margin goes the other way.
 * Source: Welch's t-test of the contrast; Schultzberg et al. (Spotify), arXiv 2402.11609.
 */
export function nonInferiority(control: Arm, treatment: Arm, { alpha, ...margin }: Margin & { alpha: number }) {
  const { contrast, standardError, df } = contrastOf(control, treatment, margin)
  const t = contrast / standardError
  const better = margin.direction === 'INCREASE' ? t : -t
  const [pValueNonInferior, pValueInferior] = [tSf(better, df), tSf(-better, df)]
  return figures({
    contrast,
    standardError,
    df,
    t,
    pValueNonInferior,
    pValueInferior,
    nonInferior: pValueNonInferior < alpha,
    inferior: pValueInferior < alpha,
  })
}

export interface Guardrail {
  margin: number
  contrast: number
  lowerBound: number
  upperBound: number
  pValueNonInferior: number
  state: GuardrailState
}

/**
 * The state of a guardrail. Its bounds are those of the test: always valid if it is sequential, Welch's t otherwise.
 * `breached` always needs the always-valid bound, because a fixed one that is read daily gives 24.5 % false alarms.
 */
export function guardrail(
  control: Arm,
  treatment: Arm,
  {
    alpha,
    tuningParameter,
    isSequential,
    ...margin
  }: Margin & { alpha: number; tuningParameter: number; isSequential: boolean },
): Figures<Guardrail> {
  const { contrast, standardError, df } = contrastOf(control, treatment, margin)
  const n = control.n + treatment.n
  const always = sequentialBounds({ estimate: contrast, standardError, n, alpha, tuningParameter })
  const reach = isSequential ? (always.halfWidth ?? Number.NaN) : tQuantile(1 - alpha, df) * standardError
  const isGoodUp = margin.direction === 'INCREASE'
  const z = (isGoodUp ? contrast : -contrast) / standardError
  const pValueNonInferior = isSequential ? sequentialOneSidedPValue(z, n, { alpha, tuningParameter }) : tSf(z, df)
  const [lowerBound, upperBound] = [contrast - reach, contrast + reach]
  // If nothing happens in both arms, the treatment is not worse.
  const isAlike = standardError === 0 && contrast === 0
  const isPassed = isAlike || (isGoodUp ? lowerBound > 0 : upperBound < 0)
  const isBreached = isGoodUp ? (always.upperBound ?? 0) < 0 : (always.lowerBound ?? 0) > 0
  const state: GuardrailState = isPassed ? 'passed' : isBreached ? 'breached' : 'inconclusive'
  return figures({ margin: margin.margin, contrast, lowerBound, upperBound, pValueNonInferior, state })
}

function contrastOf(control: Arm, treatment: Arm, { margin, direction }: Margin) {
  const accepted = Math.sign(control.mean) * (direction === 'INCREASE' ? -margin : margin)
  const scaled = { n: control.n, mean: (1 + accepted) * control.mean, variance: (1 + accepted) ** 2 * control.variance }
  return {
    contrast: differenceOf(control, treatment) - accepted * control.mean,
    standardError: Math.sqrt(scaled.variance / scaled.n + treatment.variance / treatment.n),
    df: welchDf(scaled, treatment),
  }
}
