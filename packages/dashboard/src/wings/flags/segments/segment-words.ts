import { counted } from '../../../ui/words/lists.ts'
import type { Segment } from './segment.ts'

/** The service lists up to so many of each kind. */
const most = 100

/** "3 rules and 1 audience"; undefined if nothing names it. */
export function usesInWords(usedBy: Segment['usedBy']): string | undefined {
  const parts = (['rule', 'experiment', 'audience'] as const).flatMap((type) => {
    const count = usedBy.filter((use) => use.type === type).length
    if (count === 0) return []
    return count >= most ? `${most} ${type}s or more` : counted(count, type)
  })
  return parts.length === 0 ? undefined : parts.join(' and ')
}

/** What a change of the members does, in a sentence. */
export function actsAtOnce({ usedBy }: Pick<Segment, 'usedBy'>): string {
  const uses = usesInWords(usedBy)
  return uses === undefined
    ? 'The segment is unused, so changes have no effect on visitors.'
    : `Changes act at once in ${uses}, without a publish.`
}
