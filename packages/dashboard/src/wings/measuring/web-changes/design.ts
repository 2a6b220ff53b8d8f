import type { ExperimentOnPages } from '../experiments/experiment.ts'
import type { ChangeSet, Page, VariationPath } from './change-set.ts'
import type { Saved, useSaveSet } from './save-set.tsx'

/** A variation of a web experiment on its page, for the parts of the page. */
export interface Design {
  experiment: ExperimentOnPages
  /** Of the experiment. */
  etag: string
  variation: ExperimentOnPages['variations'][number]
  path: VariationPath
  pages: readonly Page[]
  /** What it changes, as drafted. */
  content: ChangeSet
  canEdit: boolean
  /** Whether where its visitors go can be edited: also of a variation whose visitors go elsewhere already. */
  canRedirect: boolean
  /** Also where nothing can be edited: what ran can be looked at. */
  canPreview: boolean
  /** Undefined if the person went back from the question about two edits. */
  save: ReturnType<typeof useSaveSet>['save']
  /** Says that something is saved, and what else is to know. */
  told: (message: string, saved: Saved, undo?: () => unknown) => void
  /** Opens a panel of the page, or none. */
  go: (search: DesignSearch) => void
}

/** What the address says: which panel is open, and of which change. */
export interface DesignSearch {
  panel?: string
  change?: string
}
