import type { Change } from '../../../model/web/index.ts'

export interface ContentWarning {
  code: 'OVERWRITTEN'
  message: string
}

/** What a change replaces whole, so that two of them cannot both be seen. */
const replaces = (change: Change): string | undefined => {
  if (change.type === 'ATTRIBUTE') return `the attribute ${change.name}`
  return change.type === 'TEXT' || change.type === 'HTML' || change.type === 'IMAGE' ? 'the content' : undefined
}

/** Changes that a later change of the same set overwrites on the same element. */
export const overwritten = (changes: readonly Change[]): ContentWarning[] =>
  changes.flatMap((change, place) => {
    const what = replaces(change)
    const later = changes
      .slice(place + 1)
      .find(
        (other) =>
          what !== undefined &&
          replaces(other) === what &&
          other.selector === change.selector &&
          (other.page === change.page || other.page === null || change.page === null),
      )
    if (!later) return []
    const message = `${later.id} comes after ${change.id} and also sets ${what} of ${change.selector}, so ${change.id} is not seen where both act.`
    return [{ code: 'OVERWRITTEN', message }]
  })
