import type { ComparisonResult, HealthCheck, MetricResult, Results } from '../results/index.ts'

/** What an alarm is about. */
export type AlarmKind = 'SRM' | 'TRAFFIC' | 'GUARDRAIL_METRIC' | 'COMPUTATION' | 'CODE_ERROR'

/**
 * The setting of `autoPause` for each kind. Results that cannot be computed never pause a rule, because anyone can send
 * events. Errors of code are found in no snapshot: see `tellCodeError`.
 */
export const pausedBy = {
  SRM: 'srm',
  TRAFFIC: 'traffic',
  GUARDRAIL_METRIC: 'guardrailMetric',
  COMPUTATION: null,
  CODE_ERROR: 'codeErrors',
} as const

const kindOfCheck: Partial<Record<HealthCheck['check'], 'SRM' | 'TRAFFIC' | 'COMPUTATION'>> = {
  SRM: 'SRM',
  TRAFFIC_DROP: 'TRAFFIC',
  NO_EXPOSURES: 'TRAFFIC',
  TRAFFIC_CAP: 'TRAFFIC',
  VARIATION_STARVED: 'TRAFFIC',
  COMPUTATION: 'COMPUTATION',
}

/** `UNKNOWN`: neither failed nor clearly healthy, so nothing is reported and no alarm is armed again. */
type State = 'HEALTHY' | 'FAILED' | 'UNKNOWN'

/** What a snapshot says about one thing that can fail. The key is what is remembered of it. */
export type Finding = { key: string; state: State } & (
  | { kind: 'SRM' | 'TRAFFIC' | 'COMPUTATION'; check: HealthCheck }
  | { kind: 'GUARDRAIL_METRIC'; metric: MetricResult; variationId: string; comparison: ComparisonResult }
)

/** Everything in the results of a rule that can cause an alarm. Crossovers, balance and shares of addresses only show in the results. */
export function findingsOf(results: Results): Finding[] {
  const checks = results.health.checks.flatMap((check): Finding[] => {
    const kind = kindOfCheck[check.check]
    return kind ? [{ key: check.check, state: stateOfCheck(check), kind, check }] : []
  })
  return [...checks, ...guardrails(results)]
}

/**
 * A cap that is reached, or a metric without figures, is only a warning in the results, but people must still be
 * notified of it.
 */
const toldAsWarnings: ReadonlySet<HealthCheck['check']> = new Set(['TRAFFIC_CAP', 'COMPUTATION'])

function stateOfCheck({ check, status }: HealthCheck): State {
  if (status === 'FAILED' || (status === 'WARNING' && toldAsWarnings.has(check))) return 'FAILED'
  // A warning after a failure is not a recovery: the figures are still unlikely.
  return status === 'OK' ? 'HEALTHY' : 'UNKNOWN'
}

/**
 * A guardrail fails if it is proven to be worse, and only then: most harmless metrics never prove that they are not, so an
 * alarm or a pause because of that would say nothing. The recommendation asks for a review of those.
 */
function guardrails(results: Results): Finding[] {
  return results.metrics.flatMap((metric) =>
    metric.variations.flatMap(({ variationId, comparison }): Finding[] => {
      if (!comparison?.guardrail) return []
      const state = states[comparison.guardrail.state]
      const key = `GUARDRAIL_METRIC ${metric.metricId} ${variationId}`
      return [{ key, state, kind: 'GUARDRAIL_METRIC', metric, variationId, comparison }]
    }),
  )
}

const states = { BREACHED: 'FAILED', INCONCLUSIVE: 'UNKNOWN', PASSED: 'HEALTHY' } as const

/**
 * Compares a snapshot with the failures that were reported. A failure fires once. It is armed again by a healthy
 * snapshot; a snapshot that does not look at it, for example because the rule is paused, leaves it as it was.
 */
export function judge(
  told: readonly string[],
  findings: readonly Finding[],
): { fired: Finding[]; told: readonly string[] } {
  const known = new Set(told)
  const fired = findings.filter(({ key, state }) => state === 'FAILED' && !known.has(key))
  const healthy = new Set(findings.flatMap(({ key, state }) => (state === 'HEALTHY' ? [key] : [])))
  // This check exists only while something fails.
  if (!findings.some(({ kind }) => kind === 'COMPUTATION')) healthy.add('COMPUTATION')
  return { fired, told: [...told.filter((key) => !healthy.has(key)), ...fired.map(({ key }) => key)] }
}
