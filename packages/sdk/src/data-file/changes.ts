import type { DataFile } from '@svc/core'
import { own } from '@svc/core'

/**
 * Sorted keys of the flags that may evaluate differently with the second file: flags that were added, removed or
 * changed. If any audience, segment, exclusion group or holdout changed, they include every flag that uses one.
 */
export function changedFlags(before: DataFile, after: DataFile): string[] {
  const isSharedSame = shared.every((section) => same(before[section], after[section]))
  const keys = new Set([...Object.keys(before.flags), ...Object.keys(after.flags)])
  return [...keys]
    .filter((key) => !same(flagOf(before, key), flagOf(after, key)) || (!isSharedSame && usesShared(after, key)))
    .sort()
}

const shared = ['audiences', 'segments', 'exclusionGroups', 'holdouts'] as const

const usesShared = (file: DataFile, key: string): boolean =>
  /"(audience|segment|group|holdout)":/.test(JSON.stringify(flagOf(file, key)) ?? '')

const flagOf = (file: DataFile, key: string): unknown => own(file.flags, key)

/** The identity check is a shortcut: a patched file keeps the objects that did not change. */
const same = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)
