import type { DataFile } from '@svc/core'

/**
 * Keys of the flags that may evaluate differently under the second file: added, removed or altered ones, and where
 * an audience, a segment or an exclusion group changed, every flag that uses one. Sorted.
 */
export function changedFlags(before: DataFile, after: DataFile): string[] {
  const shared = textOfShared(before) === textOfShared(after) ? undefined : sharedUse
  const keys = new Set([...Object.keys(before.flags), ...Object.keys(after.flags)])
  return [...keys].filter((key) => differs(textOfFlag(before, key), textOfFlag(after, key), shared)).sort()
}

const sharedUse = /"(audience|segment|group)":/

const textOfShared = (file: DataFile): string => JSON.stringify([file.audiences, file.segments, file.exclusionGroups])

const textOfFlag = (file: DataFile, key: string): string =>
  Object.hasOwn(file.flags, key) ? JSON.stringify(file.flags[key]) : ''

const differs = (before: string, after: string, shared: RegExp | undefined): boolean =>
  before !== after || !!shared?.test(after)
