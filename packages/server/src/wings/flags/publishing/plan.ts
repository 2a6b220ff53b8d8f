import type { Event } from '../../../platform/outbox.ts'
import type { StagedAudience } from '../../model/audiences/index.ts'
import { type ExperimentSummary, testChanges } from '../../model/experiments/index.ts'
import {
  type Difference,
  differences,
  droppedRules,
  type FlagSummary,
  type Reassignment,
  reassignments,
  stagedRuleSummaries,
  type Version,
} from '../../model/versions/index.ts'

/** A flag whose draft differs from its live version. */
export interface StagedFlag {
  flagId: string
  key: string
  live: Version
  draft: Version
}

/** What a publish makes live. */
export interface StagedChanges {
  staged: boolean
  flags: { flagId: string; key: string; changes: Difference[] }[]
  audiences: { audienceId: string; name: string; changes: Difference[] }[]
  /** Of live rules. */
  reassignments: Reassignment[]
}

/** An experiment that was launched, with the rule that it owns. */
export type Launched = Omit<ExperimentSummary, 'previousStatus'> & { flagId: string; ruleId: string }

/** A launched experiment whose test a publish changes. */
export interface ChangedTest {
  experiment: ExperimentSummary
  changes: Difference[]
}

/** All that follows from what is staged. */
export interface PublishPlan {
  summary: StagedChanges
  /** Ids of rules that no version has after the publish. */
  drops: string[]
  tests: ChangedTest[]
}

/**
 * Plans a publish without acting.
 *
 * @param experiments those of the staged flags that are launched
 */
export const planPublish = (
  staged: readonly StagedFlag[],
  audiences: readonly StagedAudience[],
  experiments: readonly Launched[],
): PublishPlan => ({
  summary: stagedChanges(staged, audiences),
  drops: staged.flatMap(({ live, draft }) => droppedRules(live, draft)),
  tests: changedTests(staged, experiments),
})

const stagedChanges = (flags: readonly StagedFlag[], audiences: readonly StagedAudience[]): StagedChanges => ({
  staged: flags.length + audiences.length > 0,
  flags: flags.map(({ flagId, key, live, draft }) => ({ flagId, key, changes: differences(live, draft) })),
  audiences: audiences.map(({ id, name, live, draft }) => ({
    audienceId: id,
    name,
    changes: [{ path: 'conditions', from: live, to: draft }],
  })),
  reassignments: flags.flatMap(({ live, draft }) => reassignments(live, draft)),
})

const changedTests = (staged: readonly StagedFlag[], experiments: readonly Launched[]): ChangedTest[] =>
  experiments.flatMap(({ id, shortId, name, status, flagId, ruleId }) => {
    const { live, draft } = staged.find((flag) => flag.flagId === flagId)!
    const changes = testChanges(ruleId, live, draft)
    return changes.length > 0 ? [{ experiment: { id, shortId, name, status, previousStatus: status }, changes }] : []
  })

/** Events for edits that go live but that the data file does not show, such as the name of a rule. */
export function invisibleEdits(
  { id, name }: { id: string; name: string },
  summaries: readonly FlagSummary[],
  staged: readonly StagedFlag[],
  audiences: readonly Pick<StagedAudience, 'id' | 'shortId' | 'key' | 'name'>[],
): Event<'flag.updated' | 'audience.updated'>[] {
  const environment = { id, name }
  const ofAudiences = audiences.map(
    ({ id, shortId, key, name }): Event<'audience.updated'> => ({
      name: 'audience.updated',
      payload: { audience: { id, shortId, key, name }, environment },
    }),
  )
  if (staged.length === 0) return ofAudiences
  const changes = new Map(
    staged.map(({ flagId, live, draft }) => [flagId, differences(live, draft).map(withoutVisitors)]),
  )
  const payload = {
    environment,
    flags: summaries.map((flag) => ({ ...flag, changes: changes.get(flag.id)! })),
    rules: staged.flatMap(({ live, draft }) => stagedRuleSummaries(live, draft)),
  }
  return [{ name: 'flag.updated', payload }, ...ofAudiences]
}

/** Events show that overrides changed, but not for which visitors. */
const withoutVisitors = (difference: Difference): Difference =>
  difference.path === 'overrides' ? { ...difference, from: null, to: null } : difference

/** The events of the tests that a publish changes. Visitors notice only those of running experiments. */
export const testEvents = (
  tests: readonly ChangedTest[],
  { revision, previousRevision, etag }: { revision: number; previousRevision: number; etag: string },
): Event<'experiment.changes_published' | 'experiment.updated'>[] =>
  tests.map(({ experiment, changes }) =>
    experiment.status === 'RUNNING'
      ? {
          name: 'experiment.changes_published',
          payload: { experiment, changes, dataFile: { revision, previousRevision, etag } },
        }
      : { name: 'experiment.updated', payload: { experiment } },
  )
