import { isDeepStrictEqual } from 'node:util'
import { type Difference, isSameOrder } from '../../../difference.ts'
import { differingParts, summariesOf } from './difference.ts'
import type { Authorship, Edit, FlagEnvironment, RuleSummary, Version } from './version.ts'

/** A difference with its author and the names that a sentence about it needs. */
export interface StagedChange extends Difference {
  /** The rules that it names, as drafted; deleted rules as they were. */
  rules: RuleSummary[]
  /** Null if the change is older than the record of authors. */
  by: Edit['by'] | null
  at: string | null
  source?: string
}

export interface EditedBy {
  actor: Edit['by'] & Pick<Edit, 'source'>
  now: Date
}

export const editOf = ({ actor: { type, id, name, source }, now }: EditedBy): Edit => ({
  by: { type, id, name },
  at: now.toISOString(),
  ...(source !== undefined && { source }),
})

/** Who staged a change, for an answer. */
export const authorOf = (edit: Edit | null | undefined): Pick<StagedChange, 'by' | 'at' | 'source'> => ({
  by: edit?.by ?? null,
  at: edit?.at ?? null,
  ...(edit?.source !== undefined && { source: edit.source }),
})

type Versions = Pick<FlagEnvironment, 'live' | 'draft'>

/**
 * The record after an edit. A change keeps its author for as long as its drafted value stays; what is no longer staged
 * leaves the record.
 */
export function authorshipAfter(
  before: Versions & Pick<FlagEnvironment, 'stagedBy'>,
  after: Versions,
  by: EditedBy,
): Authorship {
  const edit = editOf(by)
  const earlier = new Map(differingParts(before.live, before.draft).map((part) => [part.path, part.held]))
  const kept = differingParts(after.live, after.draft).flatMap(({ path, held }) => {
    const isKept = earlier.has(path) && isSame(path, earlier.get(path), held)
    const author = isKept ? before.stagedBy[path] : edit
    return author ? [[path, author] as const] : []
  })
  return Object.fromEntries(kept)
}

/** The row after an edit of its draft. */
export const withDraft = <Row extends Versions & Pick<FlagEnvironment, 'stagedBy'>>(
  row: Row,
  draft: Version,
  by: EditedBy,
): Row => ({ ...row, draft, stagedBy: authorshipAfter(row, { live: row.live, draft }, by) })

/** Created and deleted rules move nothing. */
const isSame = (path: string, one: unknown, other: unknown): boolean =>
  path === 'ruleOrder' || path === 'variationOrder'
    ? isSameOrder(one as string[], other as string[])
    : isDeepStrictEqual(one, other)

export const authoredChanges = (live: Version, draft: Version, stagedBy: Authorship): StagedChange[] =>
  differingParts(live, draft).map(({ path, from, to, ruleIds }) => ({
    path,
    from,
    to,
    rules: summariesOf(ruleIds, live, draft),
    ...authorOf(stagedBy[path]),
  }))
