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
 * What to do with a test, the first that applies: health failed → `unhealthy`; too early → `keep_running`; an arm is
 * better and its guardrails passed → `ship` the one with the largest lift; better, but a guardrail has not passed →
 * `review`; all arms worse → `rollback`; planned sample reached → `no_effect`; else `keep_running`.
 * It is advice: a person declares the winner.
 */
export function decide({ health, runtimeDays, minRuntimeDays, plannedSampleReached, arms }: Evidence): Decision {
  if (health === 'failed' || health === 'unhealthy') return advise('unhealthy')
  if (runtimeDays < minRuntimeDays) return advise('keep_running')
  const better = arms.filter((arm) => arm.primarySignificantAdjusted && (arm.primaryLift ?? 0) > 0)
  const [best, second] = better
    .filter((arm) => arm.guardrails === 'passed')
    .sort((a, b) => (b.primaryLift ?? 0) - (a.primaryLift ?? 0))
  if (best) return { recommendation: 'ship', variation: best.variation, runnerUp: second?.variation ?? null }
  if (better.length > 0) return advise('review')
  const isWorse = (arm: ArmVerdict) => arm.primarySignificantAdjusted && (arm.primaryLift ?? 0) < 0
  if (arms.length > 0 && arms.every(isWorse)) return advise('rollback')
  return advise(plannedSampleReached ? 'no_effect' : 'keep_running')
}

function advise(recommendation: Recommendation): Decision {
  return { recommendation, variation: null, runnerUp: null }
}
