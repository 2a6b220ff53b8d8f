import type { Data } from '@svc/client'
import { plain } from '../terminal/terminal.ts'

type Results = Data<'/api/v1/projects/{projectId}/flags/{flagId}/rules/{ruleId}/results', 'get'>
type Recommendation = NonNullable<Results['recommendation']>

const sentences: Record<Recommendation['action'], string> = {
  UNHEALTHY: 'Do not decide: a health check failed.',
  KEEP_RUNNING: 'Keep it running.',
  SHIP: 'Ship it.',
  REVIEW: 'Review it: the metrics disagree.',
  ROLLBACK: 'Roll it back.',
  NO_EFFECT: 'No effect shown.',
}

/** The words in place of "keep it running" for a test that does not run. */
const undecided: Record<string, string> = {
  DRAFT: 'It has not started.',
  PAUSED: 'It was paused before it showed a difference.',
  COMPLETED: 'It ended before it showed a difference.',
  ARCHIVED: 'It ended before it showed a difference.',
}

const windowsOpen = 'Wait: all planned visitors have arrived, and some still have time to convert.'

/** A recommendation for a rule or an experiment with this status, in words; empty if there is none. */
export function recommended(
  found: (Pick<Recommendation, 'action'> & Partial<Pick<Recommendation, 'reasons' | 'breached'>>) | null,
  status: string,
): string {
  if (!found) return ''
  const { action, reasons = [], breached = [] } = found
  const instead = reasons.includes('WINDOWS_OPEN') ? windowsOpen : undecided[status]
  return `${harmWords(breached)}${(action === 'KEEP_RUNNING' && instead) || sentenceOf(action, reasons)}`
}

/** Harm comes before all advice. */
function harmWords(breached: readonly { name: string }[]): string {
  const names = [...new Set(breached.map(({ name }) => name))]
  return names.length > 0 ? `${plain(names.join(', '))} got worse than its margin allows. ` : ''
}

/** Metrics do not disagree where the only verdict is harm. */
const sentenceOf = (action: Recommendation['action'], reasons: readonly Recommendation['reasons'][number][]): string =>
  action === 'REVIEW' && !reasons.includes('PRIMARY_BETTER') ? 'Review it.' : sentences[action]

/** `PLANNED_SAMPLE_NOT_REACHED` becomes `planned sample not reached`. */
export const inLowerCase = (name: string): string => name.toLowerCase().replaceAll('_', ' ')
