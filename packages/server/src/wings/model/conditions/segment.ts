import { hashId, type Segment } from '@svc/core'

/**
 * A segment with these visitors in the form of a data file, to evaluate conditions here. It has no salt, so it must not
 * leave the process.
 */
export const segmentOf = (ids: readonly string[]): Segment => ({
  salt: '',
  ids: ids
    .map((id) => hashId('', id))
    .sort()
    .join(''),
})
