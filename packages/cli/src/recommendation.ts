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

/** A recommendation in words; empty if there is none. A test that has ended cannot be kept running. */
export function recommended(found: Pick<Recommendation, 'action'> | null, hasEnded: boolean): string {
  if (!found) return ''
  return hasEnded && found.action === 'KEEP_RUNNING' ? 'It ended before anything was shown.' : sentences[found.action]
}

/** `PLANNED_SAMPLE_NOT_REACHED` becomes `planned sample not reached`. */
export const inLowerCase = (name: string): string => name.toLowerCase().replaceAll('_', ' ')
