import type { Conversions } from './arm.ts'
import { logBeta } from './distributions.ts'

/** Tables that are as likely as the observed one, but for rounding, count as such. As in R. */
const rounding = 1 + 1e-7

/**
 * Fisher's exact test, two-sided: the probability of all tables with the same margins that are at most as likely as the
 * observed one. For display where a cell has fewer than 5 units. Null if an arm has no units.
 * Its work grows with the smaller margin.
 * Source: Fisher 1935; R `fisher.test`.
 */
export function fisherExact(control: Conversions, treatment: Conversions): { pValue: number | null } {
  const converted = control.sum + treatment.sum
  const total = control.n + treatment.n
  if (!(control.n > 0 && treatment.n > 0 && converted >= 0 && converted <= total)) return { pValue: null }
  const low = Math.max(0, converted - control.n)
  const high = Math.min(converted, treatment.n)
  const logOf = (k: number) => logChoose(treatment.n, k) + logChoose(control.n, converted - k)
  const observed = logOf(treatment.sum)
  const limit = observed + Math.log(rounding)
  let extreme = 0
  let all = 0
  for (let k = low; k <= high; k++) {
    const log = logOf(k)
    const probability = Math.exp(log - logChoose(total, converted))
    all += probability
    if (log <= limit) extreme += probability
  }
  return { pValue: Math.min(1, extreme / all) }
}

function logChoose(n: number, k: number): number {
  return -Math.log(n + 1) - logBeta(n - k + 1, k + 1)
}
