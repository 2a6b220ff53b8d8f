import { type Change, shiftsItself } from '../../../model/web/index.ts'

export const contentWarningCodes = ['OVERWRITTEN', 'SELECTOR_SHIFTS'] as const

export interface ContentWarning {
  code: (typeof contentWarningCodes)[number]
  message: string
}

/** What a change replaces whole, so that two of them cannot both be seen. */
const replaces = (change: Change): string | undefined => {
  if (change.type === 'ATTRIBUTE') return `the attribute ${change.name}`
  return change.type === 'TEXT' || change.type === 'HTML' || change.type === 'IMAGE' ? 'the content' : undefined
}

/** Changes that a later change of the same set overwrites on the same element. */
const overwritten = (changes: readonly Change[]): ContentWarning[] =>
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

/** Changes that make their own selector find a different element. */
const shifting = (changes: readonly Change[]): ContentWarning[] =>
  changes.filter(shiftsItself).map(({ id, type, selector }) => {
    const does = type === 'MOVE' ? 'moves its element' : 'inserts an element'
    const message = `${id} ${does}, so ${selector} then finds a different element, because it counts positions. Use a selector that does not, such as an id.`
    return { code: 'SELECTOR_SHIFTS', message }
  })

/** What to check in a set of changes that can be saved. */
export const contentWarnings = (changes: readonly Change[]): ContentWarning[] => [
  ...overwritten(changes),
  ...shifting(changes),
]
