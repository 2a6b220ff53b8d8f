import type { VersionRow } from './queries.ts'

/** The `result` of the job of a dataset. */
export interface RefreshResult {
  /** False: the rows are those of the active version, and there is no new one. */
  changed: boolean
  versionId: string | null
  number: number | null
  rows: number
  checks: VersionRow['checks']
}

export const resultOf = (version: VersionRow, changed = true): RefreshResult => ({
  changed,
  versionId: version.id,
  number: version.number,
  rows: version.rows,
  checks: version.checks,
})
