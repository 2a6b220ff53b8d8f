import type { StagedAudience } from '../../model/audiences/index.ts'
import {
  type Authorship,
  authoredChanges,
  authorOf,
  type Reassignment,
  reassignments,
  type StagedChange,
} from '../../model/versions/index.ts'
import { type ChangedExperiment, changedExperiments, type StagedFlag } from './plan.ts'

interface AuthoredFlag extends StagedFlag {
  name: string
  stagedBy: Authorship
}

/** What a publish would make live now, with the author of each change. */
export interface StagedList {
  flags: { flagId: string; key: string; name: string; changes: StagedChange[] }[]
  experiments: ChangedExperiment<StagedChange>[]
  audiences: { audienceId: string; name: string; changes: StagedChange[] }[]
  reassignments: Reassignment[]
}

export const stagedList = (flags: readonly AuthoredFlag[], audiences: readonly StagedAudience[]): StagedList => ({
  flags: flags
    .filter(({ experiment }) => experiment === null)
    .map(({ flagId, key, name, live, draft, stagedBy }) => ({
      flagId,
      key,
      name,
      changes: authoredChanges(live, draft, stagedBy),
    })),
  // The changes are fields of the experiment, so they name no rule.
  experiments: changedExperiments(flags, ({ live, draft, stagedBy }) =>
    authoredChanges(live, draft, stagedBy).map((change) => ({ ...change, rules: [] })),
  ),
  audiences: audiences.map(({ id, name, live, draft, edited }) => ({
    audienceId: id,
    name,
    changes: [{ path: 'conditions', from: live, to: draft, rules: [], ...authorOf(edited) }],
  })),
  reassignments: flags.flatMap(({ live, draft }) => reassignments(live, draft)),
})
