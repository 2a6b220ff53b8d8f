import type { Conversions } from './arm.ts'
import { figures } from './figures.ts'
import { wilsonInterval } from './wilson.ts'

/**
 * The hybrid score interval of a difference of two shares, for few conversions.
 * Source: Newcombe, Statistics in Medicine 1998, 17:873, method 10.
 */
export function newcombeInterval(control: Conversions, treatment: Conversions, alpha: number) {
  const [rateControl, rateTreatment] = [control.sum / control.n, treatment.sum / treatment.n]
  const ofControl = wilsonInterval(control, alpha)
  const ofTreatment = wilsonInterval(treatment, alpha)
  const between = (to: number | null, from: number) => (to === null ? Number.NaN : to - from)
  const difference = rateTreatment - rateControl
  return figures({
    difference,
    ciLow: difference - Math.hypot(between(ofTreatment.ciLow, rateTreatment), between(ofControl.ciHigh, rateControl)),
    ciHigh: difference + Math.hypot(between(ofTreatment.ciHigh, rateTreatment), between(ofControl.ciLow, rateControl)),
  })
}
