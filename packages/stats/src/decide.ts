import type { GuardrailState } from './non-inferiority.ts'

export type Recommendation = 'unhealthy' | 'keep_running' | 'ship' | 'review' | 'rollback' | 'no_effect'

export interface ArmVerdict {
  variation: string
  /** Whether the primary metric differs from control after the correction for several comparisons. */
  primarySignificantAdjusted: boolean
  /** Positive if the treatment is better, for metrics where a decrease is good too. */
  primaryLift: number | null
  /** The worst state of its guardrails; `passed` if it has none. */
  guardrails: GuardrailState
}

export interface Evidence {
  /** `failed` if any check of the health failed. */
  health: string
  runtimeDays: number
  minRuntimeDays: number
  plannedSampleReached: boolean
  /** Whether guardrails have not been judged yet because their visitors are still being measured. */
  guardrailsOpen?: boolean
  arms: readonly ArmVerdict[]
}

export interface Decision {
  recommendation: Recommendation
  /** The variation to ship, otherwise null. */
  variation: string | null
  /** The next best variation that could be shipped. If it does not differ from the best, the two are tied. */
  runnerUp: string | null
}

/**
 * What to do with a test, the first that applies: health failed → `unhealthy`; an arm that breaches a guardrail is harm, at
 * any time, so unless another one can be shipped → `rollback` if all arms are harmful, else `review`; too early →
 * `keep_running`; an arm is better and its guardrails passed → `ship` the one with the largest lift; better, but a
 * guardrail has not passed → `review`, or `keep_running` while the guardrails are open; all arms worse → `rollback`;
 * planned sample reached → `no_effect`; else `keep_running`.
 * It is advice: a person declares the winner.
 */
export function decide(evidence: Evidence): Decision {
  const { health, runtimeDays, minRuntimeDays, plannedSampleReached, guardrailsOpen = false, arms } = evidence
  if (health === 'failed' || health === 'unhealthy') return advise('unhealthy')
  const isEarly = runtimeDays < minRuntimeDays
  const isBetter = (arm: ArmVerdict) => arm.primarySignificantAdjusted && (arm.primaryLift ?? 0) > 0
  const isWorse = (arm: ArmVerdict) => arm.primarySignificantAdjusted && (arm.primaryLift ?? 0) < 0
  const isBreached = (arm: ArmVerdict) => arm.guardrails === 'breached'
  const better = arms.filter(isBetter)
  const [best, second] = better
    .filter((arm) => arm.guardrails === 'passed')
    .sort((a, b) => (b.primaryLift ?? 0) - (a.primaryLift ?? 0))
  if (best && !isEarly)
    return { recommendation: 'ship', variation: best.variation, runnerUp: second?.variation ?? null }
  if (arms.some(isBreached))
    return advise(arms.every((arm) => !isBetter(arm) && (isBreached(arm) || isWorse(arm))) ? 'rollback' : 'review')
  if (isEarly) return advise('keep_running')
  if (better.length > 0) return advise(guardrailsOpen ? 'keep_running' : 'review')
  if (arms.length > 0 && arms.every(isWorse)) return advise('rollback')
  return advise(plannedSampleReached ? 'no_effect' : 'keep_running')
}

function advise(recommendation: Recommendation): Decision {
  return { recommendation, variation: null, runnerUp: null }
}
