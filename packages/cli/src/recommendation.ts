import type { Data } from '@svc/client'

type Results = Data<'/api/v1/projects/{projectId}/flags/{flagId}/rules/{ruleId}/results', 'get'>
type Recommendation = NonNullable<Results['recommendation']>

const sentences: Record<Recommendation['action'], string> = {
  UNHEALTHY: 'Do not decide: a health check failed.',
  KEEP_RUNNING: 'Keep it running.',
  SHIP: 'Ship it.',
  REVIEW: 'Review it: the metrics disagree.',
  ROLLBACK: 'Roll it back.',
  NO_EFFECT: 'No effect was found.',
}

/** A test that visitors do not get cannot be kept running. */
const undecided: Record<string, string> = {
  DRAFT: 'It has not started.',
  PAUSED: 'It was paused before anything was shown.',
  COMPLETED: 'It ended before anything was shown.',
  ARCHIVED: 'It ended before anything was shown.',
}

/** A recommendation for a rule or an experiment with this status, in words; empty if there is none. */
export function recommended(found: Pick<Recommendation, 'action'> | null, status: string): string {
  if (!found) return ''
  return (found.action === 'KEEP_RUNNING' && undecided[status]) || sentences[found.action]
}

/** `PLANNED_SAMPLE_NOT_REACHED` becomes `planned sample not reached`. */
export const inLowerCase = (name: string): string => name.toLowerCase().replaceAll('_', ' ')
