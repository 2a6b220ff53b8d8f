import { type AbTestRule, reassigns } from '../../model/versions/index.ts'

/** A stretch in which every visitor kept the variation, as the history of the rule has it. */
interface PastPhase {
  startedAt: Date
  revision: number
  rule: { type: string }
}

/**
 * LAUNCHED: visitors got the test for the first time. SPLIT_CHANGED: other weights. BUCKETING_CHANGED: a different
 * `bucketBy` or `salt`. RESTARTED: a publish restarted the results with the same split.
 */
export const phaseReasons = ['LAUNCHED', 'SPLIT_CHANGED', 'BUCKETING_CHANGED', 'RESTARTED'] as const

type PhaseReason = (typeof phaseReasons)[number]

/** The phases of an experiment, the first one first. Weights are fractions, as in results. */
export function phasesOf(past: readonly PastPhase[]) {
  const tests = past.flatMap((phase) => (isTest(phase) ? [phase] : []))
  return tests.map(({ startedAt, revision, rule }, index) => ({
    phase: index + 1,
    startedAt: startedAt.toISOString(),
    endedAt: tests[index + 1]?.startedAt.toISOString() ?? null,
    revision,
    reason: reasonOf(tests[index - 1]?.rule, rule),
    variations: rule.variations.map(({ variationId, weight }) => ({ variationId, weight: weight / 10_000 })),
  }))
}

const isTest = (phase: PastPhase): phase is PastPhase & { rule: AbTestRule } => phase.rule.type === 'AB_TEST'

function reasonOf(before: AbTestRule | undefined, after: AbTestRule): PhaseReason {
  if (!before) return 'LAUNCHED'
  if (!reassigns(before, after)) return 'RESTARTED'
  return after.salt === before.salt && after.bucketBy === before.bucketBy ? 'SPLIT_CHANGED' : 'BUCKETING_CHANGED'
}
