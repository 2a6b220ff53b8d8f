import type { Event } from '../../../platform/outbox.ts'
import type { StagedAudience } from '../../model/audiences/index.ts'
import { type ExperimentSummary, experimentChanges, type HiddenOf, testChanges } from '../../model/experiments/index.ts'
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
import type { Publication } from '../../serving/datafile/index.ts'

/** A flag whose draft differs from its live version. */
export interface StagedFlag {
  flagId: string
  key: string
  live: Version
  draft: Version
  /** In the place of a hidden flag. */
  experiment: HiddenOf | null
}

/** A web experiment with its staged changes. The paths are fields of the experiment. */
export interface ChangedExperiment<Change> {
  id: string
  shortId: number
  name: string
  changes: Change[]
}

/** What a publish makes live. */
export interface StagedChanges {
  staged: boolean
  /** The flags that people see. */
  flags: { flagId: string; key: string; changes: Difference[] }[]
  /** In the place of hidden flags. */
  experiments: ChangedExperiment<Difference>[]
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
  flags: flags
    .filter(isSeen)
    .map(({ flagId, key, live, draft }) => ({ flagId, key, changes: differences(live, draft) })),
  experiments: changedExperiments(flags, ({ live, draft }) => differences(live, draft)),
  audiences: audiences.map(({ id, name, live, draft }) => ({
    audienceId: id,
    name,
    changes: [{ path: 'conditions', from: live, to: draft }],
  })),
  reassignments: flags.flatMap(({ live, draft }) => reassignments(live, draft)),
})

const isSeen = ({ experiment }: StagedFlag): boolean => experiment === null

/** The web experiments of the hidden flags. `changesOf` gives the changes of a flag. */
export const changedExperiments = <Flag extends StagedFlag, Change extends Difference>(
  flags: readonly Flag[],
  changesOf: (flag: Flag) => Change[],
): ChangedExperiment<Change>[] =>
  flags.flatMap((flag) => {
    if (!flag.experiment) return []
    const { ruleId, ...named } = flag.experiment
    return [{ ...named, changes: experimentChanges(ruleId, changesOf(flag)) }]
  })

const changedTests = (staged: readonly StagedFlag[], experiments: readonly Launched[]): ChangedTest[] =>
  experiments.flatMap(({ id, shortId, name, status, flagId, ruleId }) => {
    const { live, draft, experiment } = staged.find((flag) => flag.flagId === flagId)!
    const changes = testChanges(ruleId, live, draft)
    // Nothing else tells what a publish does to a web experiment.
    return changes.length > 0 || experiment !== null
      ? [{ experiment: { id, shortId, name, status, previousStatus: status }, changes }]
      : []
  })

/**
 * Events for edits of flags and audiences that go live but that the data file does not show, such as the name of a rule,
 * or for which the project has no other event.
 */
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
  const flags = staged.filter(isSeen)
  if (flags.length === 0) return ofAudiences
  const changes = new Map(
    flags.map(({ flagId, live, draft }) => [flagId, differences(live, draft).map(withoutVisitors)]),
  )
  const payload = {
    environment,
    flags: summaries.flatMap((flag) => {
      const own = changes.get(flag.id)
      return own ? [{ ...flag, changes: own }] : []
    }),
    rules: flags.flatMap(({ live, draft }) => stagedRuleSummaries(live, draft)),
  }
  return [{ name: 'flag.updated', payload }, ...ofAudiences]
}

/** Events show that overrides changed, but not for which visitors. */
const withoutVisitors = (difference: Difference): Difference =>
  difference.path === 'overrides' ? { ...difference, from: null, to: null } : difference

/** The events of the tests that a publish changes. Visitors notice only those of running experiments. */
export const testEvents = (
  tests: readonly ChangedTest[],
  { revision, previousRevision, etag, script }: Pick<Publication, 'revision' | 'previousRevision' | 'etag' | 'script'>,
): Event<'experiment.changes_published' | 'experiment.updated'>[] =>
  tests.map(({ experiment, changes }) =>
    experiment.status === 'RUNNING'
      ? {
          name: 'experiment.changes_published',
          payload: {
            ...{ experiment, changes, dataFile: { revision, previousRevision, etag } },
            ...(script && { script: script() }),
          },
        }
      : { name: 'experiment.updated', payload: { experiment } },
  )
