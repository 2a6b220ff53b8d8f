import type { Conversions } from './arm.ts'
import { normalQuantile, normalSf } from './distributions.ts'
import { figures } from './figures.ts'

/**
 * The z-test of two shares with the pooled variance, and the interval with the unpooled one. For calculators and
 * cross-checks: verdicts use Welch's form, whose p-value and interval agree.
 * Source: R `prop.test(correct = FALSE)`.
 */
export function twoProportionTest(control: Conversions, treatment: Conversions, alpha: number) {
  const [rateControl, rateTreatment] = [control.sum / control.n, treatment.sum / treatment.n]
  const difference = rateTreatment - rateControl
  const pooled = (control.sum + treatment.sum) / (control.n + treatment.n)
  const pooledStandardError = Math.sqrt(pooled * (1 - pooled) * (1 / control.n + 1 / treatment.n))
  const unpooledStandardError = Math.sqrt(
    (rateControl * (1 - rateControl)) / control.n + (rateTreatment * (1 - rateTreatment)) / treatment.n,
  )
  const z = difference / pooledStandardError
  const halfWidth = normalQuantile(1 - alpha / 2) * unpooledStandardError
  return figures({
    difference,
    pooledStandardError,
    z,
    pValue: 2 * normalSf(Math.abs(z)),
    unpooledStandardError,
    ciLow: difference - halfWidth,
    ciHigh: difference + halfWidth,
  })
}
