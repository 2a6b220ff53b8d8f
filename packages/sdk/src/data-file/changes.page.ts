import type { DataFile } from '@svc/core'

/** As in `changes.ts`, in fewer bytes: if anything that flags share changed, all of them may have. */
export function changedFlags(before: DataFile, after: DataFile): string[] {
  const same = (part: (file: DataFile) => unknown) => JSON.stringify(part(before)) === JSON.stringify(part(after))
  const isSharedSame = same(({ audiences, segments, exclusionGroups, holdouts }) => [
    audiences,
    segments,
    exclusionGroups,
    holdouts,
  ])
  return Object.keys({ ...before.flags, ...after.flags })
    .filter((key) => !isSharedSame || !same(({ flags }) => flags[key]))
    .sort()
}
