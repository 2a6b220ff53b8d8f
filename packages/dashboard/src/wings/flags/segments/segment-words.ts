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

/** "Ada replaced the list, from 1,200 to 1,400 ids": what stands before the time of the last change. */
export function editInWords({ edit, by, before, after }: NonNullable<Segment['lastEdit']>): string {
  const [moved, ids] = [counted(Math.abs(after - before), 'id'), counted(after, 'id')]
  const all = `(${after.toLocaleString('en')} in all)`
  if (edit === 'add') return `${by.name} added ${moved} ${all},`
  if (edit === 'remove') return `${by.name} removed ${moved} ${all},`
  if (before === 0) return `${by.name} uploaded ${ids}`
  return `${by.name} replaced the list, from ${before.toLocaleString('en')} to ${ids},`
}

/** "The first 100 of 1,400 ids." Nothing to say while all are shown. */
export const shownInWords = (shown: number, count: number): string =>
  shown < count ? `The first ${shown.toLocaleString('en')} of ${counted(count, 'id')}, in order.` : ''

/** Whether the wanted id is there, and how many begin with it. `ids` are in order, so the wanted one is the first. */
export function foundInWords(wanted: string, ids: readonly string[], hasMore: boolean): string {
  const isThere = ids[0] === wanted
  const longer = ids.length - (isThere ? 1 : 0)
  if (longer === 0)
    return isThere ? `${wanted} is in this segment.` : `${wanted} is not in this segment, and no id begins with it.`
  const others = counted(longer, isThere ? 'other id' : 'id')
  const verb = longer === 1 && !hasMore ? 'begins' : 'begin'
  return `${wanted} is ${isThere ? '' : 'not '}in this segment. ${hasMore ? 'At least ' : ''}${others} ${verb} with it.`
}
