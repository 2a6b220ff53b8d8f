import { allOf, counted } from '../../../ui/words/lists.ts'
import type { Results } from './figures.ts'
import { breachesOf, uncheckedOf, type VerdictContext } from './verdict.ts'

type Given = Pick<
  Results,
  'recommendation' | 'health' | 'ruleStatus' | 'units' | 'metrics' | 'progress' | 'runtimeDays' | 'settings'
>

/**
 * What to do now, in a sentence that begins with a verb. Undefined where the verdict says it itself, and after a winner
 * was declared. The first row that fits.
 */
export function nextStepOf(
  results: Given,
  { nameOf, winner }: Pick<VerdictContext, 'nameOf' | 'winner'>,
): string | undefined {
  const { recommendation, health, ruleStatus, units } = results
  if (winner || !recommendation) return undefined
  const isRunning = ruleStatus === 'RUNNING'
  if (health.status === 'FAILED') return 'Find the cause, fix it, and start a new test.'
  if (breachesOf(results).length > 0)
    return isRunning
      ? 'Pause the test, or decide that this is worth it.'
      : 'Look for the cause before you start it again.'
  if (units.total === 0 || ruleStatus === 'DRAFT') return undefined
  switch (recommendation.action) {
    case 'SHIP':
      return `Declare ${nameOf(recommendation.variationId ?? '')} the winner.`
    case 'REVIEW': {
      const names = uncheckedOf(results)
      return `Decide whether ${names.length > 0 ? allOf(names, 3) : 'the guardrails'} can stay as they are, or keep the test running.`
    }
    case 'ROLLBACK':
      return 'End the test and keep the baseline.'
    case 'NO_EFFECT':
      return 'End the test, and try a bigger change.'
  }
  return keepRunning(results)
}

function keepRunning({ ruleStatus, recommendation, progress, runtimeDays, settings }: Given): string | undefined {
  if (ruleStatus === 'PAUSED') return 'Resume the test to count more visitors.'
  const reasons = recommendation?.reasons ?? []
  if (reasons.includes('WINDOWS_OPEN')) return 'Wait until the last visitors have had their time to convert.'
  if (ruleStatus === 'COMPLETED') return 'Duplicate the test to ask the same question again.'
  if (reasons.includes('NO_PRIMARY_METRIC')) return undefined
  if (reasons.includes('MIN_RUNTIME_NOT_REACHED') && settings)
    return `Keep it running for ${counted(Math.max(1, Math.ceil(settings.minRuntimeDays - runtimeDays)), 'more day', 'more days')}, so that it covers whole weeks.`
  const days = progress?.estimatedDaysRemaining ?? null
  return days === null || days === 0
    ? 'Keep it running.'
    : `Keep it running for about ${counted(days, 'more day', 'more days')}.`
}
