import type { Data } from '@svc/client'
import { percent } from '../../../ui/words/percent.ts'

export const errorsPath = '/api/v1/projects/{projectId}/experiments/{experimentId}/errors'

type CodeError = Data<typeof errorsPath, 'get'>[number]

/** "With price, line 12": where the code has thrown it. */
export const placeOfError = ({ line }: Pick<CodeError, 'line'>, variation: string): string =>
  line === null ? variation : `${variation}, line ${line}`

/** "20 (2.1 %)": how many visitors have met it, and their share of the visitors of the variation where it is known. */
export function shareOfVisitors({ visitors, share }: Pick<CodeError, 'visitors' | 'share'>): string {
  const count = visitors.toLocaleString('en')
  if (share === null) return count
  const inPercent = share * 100
  return `${count} (${percent(inPercent > 0 && inPercent < 0.1 ? 'under 0.1' : Math.round(inPercent * 10) / 10)})`
}
