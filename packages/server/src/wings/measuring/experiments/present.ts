import { isDeepStrictEqual } from 'node:util'
import type { Experiment } from '../../model/experiments/index.ts'
import { type AbTestRule, stagedRules, type Version, webOf } from '../../model/versions/index.ts'
import type { WebContent } from '../../model/web/index.ts'
import type { ResultsSummary } from '../results/index.ts'
import { type Definition, definitionOf } from './experiment.ts'
import type { Place } from './queries.ts'

export const testIn = (version: Version, ruleId: string): AbTestRule | undefined =>
  version.rules.find((rule) => rule.type === 'AB_TEST' && rule.id === ruleId) as AbTestRule | undefined

/** What is tested: as drafted, or, once the experiment is completed, as it ran. */
export function shownDefinition(
  { ruleId, type, finalDefinition }: Experiment,
  { draft, live, variations }: Place,
): Definition {
  if (finalDefinition !== null) {
    const { web: _content, ...definition } = finalDefinition as FinalDefinition
    return definition
  }
  const [version, rule] = [draft, live].map((each) => [each, testIn(each, ruleId)] as const).find(([, rule]) => rule)!
  return definitionOf(rule!, version, { variations, type })
}

/** A test as it ran. Of a web experiment, with all that its variations did to pages. */
export type FinalDefinition = Definition & { web?: WebContent }

export function presentExperiment(experiment: Experiment, place: Place, summary: ResultsSummary | undefined) {
  const { adopted: _adopted, finalDefinition: _final, version: _version, ...shown } = experiment
  const { launchedAt, completedAt, archivedAt, createdAt, updatedAt, flagId, ...fields } = shown
  const time = (at: Date | null) => at?.toISOString() ?? null
  return {
    ...fields,
    flagId: experiment.type === 'WEB' ? null : flagId,
    ...{ pages: null, activation: null, activationSelector: null, applyAt: null },
    ...shownDefinition(experiment, place),
    hasStagedChanges: isStaged(experiment, place),
    schedule: place.schedule,
    results: summary ?? null,
    ...{ launchedAt: time(launchedAt), completedAt: time(completedAt), archivedAt: time(archivedAt) },
    ...{ createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() },
  }
}

/** Before the launch there is only the draft, and after the end only what ran. */
function isStaged({ status, ruleId }: Experiment, { draft, live }: Place): boolean {
  if (status !== 'RUNNING' && status !== 'PAUSED') return false
  const allowed = ({ overrides }: Version) => overrides.ruleAllowlists.find((list) => list.ruleId === ruleId)
  return (
    stagedRules(live, draft).has(ruleId) ||
    !isDeepStrictEqual(allowed(live), allowed(draft)) ||
    !isDeepStrictEqual(webOf(live), webOf(draft))
  )
}
