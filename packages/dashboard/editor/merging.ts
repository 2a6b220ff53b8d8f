import { type FieldConflict, resolved } from '../src/ui/form/merge.ts'
import { mergeSets } from '../src/ui/form/merge-set.ts'
import type { Change, Draft } from './draft.ts'

/** What two people did to one variation. */
export interface MergedDraft {
  /** Mine, and theirs where I changed nothing. What is in conflict is mine. */
  draft: Draft
  /** Their fields are those of `mergeSets`. A side is undefined for a change that it has removed. */
  conflicts: readonly FieldConflict[]
  /** How many things came in that only they changed. */
  theirs: number
  /** The draft with the chosen side of each conflict, by its field. */
  choose(choices: Readonly<Record<string, 'mine' | 'theirs'>>): Draft
}

/** Merges two edits of the same draft, so that nothing that either person did is lost. */
export function mergeDrafts(base: Draft, mine: Draft, theirs: Draft): MergedDraft {
  const merged = mergeSets<Change>(base, mine, theirs)
  return {
    draft: merged.setOf(merged.values),
    conflicts: merged.conflicts,
    theirs: merged.theirs.filter((field) => field !== 'order').length,
    choose: (choices) => merged.setOf(resolved(merged, choices)),
  }
}
