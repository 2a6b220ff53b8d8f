import { isDeepStrictEqual } from 'node:util'
import { isRefusal, notFound, type Refusal, refuse, refuseIssues, refuseUnknown } from '../../../catalogue/refusals.ts'
import { contentEtag, type IfMatch, versionEtag } from '../../../http/etag.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inOneTrip, inTransaction } from '../../../platform/transaction.ts'
import { experimentOfRule, findHidden, ownersOf, pathsOfFlag } from '../../model/experiments/index.ts'
import { findStaged, flagSummary, lockFlagEnvironments, saveDraft } from '../../model/flag-environments/index.ts'
import { deleteRuleRows, touchRuleRows } from '../../model/rules/index.ts'
import {
  differences,
  type FlagEnvironment,
  stagedRuleSummaries,
  type Version,
  webOf,
  withDraft,
} from '../../model/versions/index.ts'
import { contentFaults } from '../../model/web/index.ts'
import {
  type Flag,
  flagEtag,
  flagEvent,
  lockFlag,
  lockFlagIn,
  recordFlagChange,
  saveDraftEdit,
  saveVariations,
  updatedIn,
} from '../flags/index.ts'
import { shareProject, unknownFlags } from '../projects/index.ts'
import { type StagedList, stagedList } from '../publishing/index.ts'
import { discardedDraft } from './discard.ts'

interface Which {
  projectId: string
  envId: string
  envName: string
  flagId: string
}

/** Takes changes out of the draft of a flag. Returns what is still staged of the flag. */
export function discardStaged(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { projectId, envId, envName, flagId }: Which,
  paths: readonly string[],
): Promise<StagedList | Refusal> {
  return inTransaction(db, async (tx) => {
    const unknown = await unknownFlags(tx, projectId, [flagId])
    if (unknown.length > 0) return refuseUnknown('flagId', 'This project has no flag', unknown)
    const [, flag, rows] = await inOneTrip([
      // Variations belong to all environments, so none must be added meanwhile.
      shareProject(tx, projectId),
      lockFlag(tx, flagId),
      lockFlagEnvironments(tx, flagId),
    ])
    const row = rows.find((each) => each.envId === envId)
    if (!flag || !row) return notFound('Flag')
    const failed = ifMatch(flagEtag(flag)) && ifMatch(contentEtag(leftOf(flag, row)))
    if (failed) return failed
    const draft = discardedDraft(flag, row, paths)
    if (isRefusal(draft)) return draft
    const next = withDraft(row, draft, by)
    const isOfFlag = !hasVariationsOf(row.draft, draft)
    if (isOfFlag) {
      const others = rows.filter((each) => each !== row)
      const saved = await saveVariations(tx, by, flag, others, variationsOf(flag, draft))
      if (isRefusal(saved)) return saved
      await saveDraft(tx, next)
    } else await saveDraftEdit(tx, row, draft, by)
    const { leaving, changed } = ruleChanges(row, draft)
    const owners = await ownersOf(tx, leaving)
    if (owners.length > 0)
      return refuse('invalid_state', 'The rule belongs to an experiment. Delete the experiment instead.', {
        references: owners,
      })
    await touchRuleRows(tx, changed, by.now)
    await deleteRuleRows(tx, leaving)
    const taken = differences(row.live, row.draft).filter(({ path }) => paths.includes(path))
    const rules = stagedRuleSummaries(row.draft, draft)
    const updated = await updatedIn(tx, { ...row, envName }, rules.length > 0 ? { rules } : {})
    await recordFlagChange(tx, by, flag, {
      action: 'flag.discard_changes',
      before: { envId, changes: Object.fromEntries(taken.map(({ path, to }) => [path, to])) },
      after: { envId, changes: Object.fromEntries(taken.map(({ path, from }) => [path, from])) },
      events: [updated, ...(isOfFlag ? [flagEvent('flag.updated', await flagSummary(tx, flagId))] : [])],
    })
    return leftOf(flag, next)
  })
}

/** The same for a web experiment, in the place of its hidden flag. The paths are fields of the experiment. */
export function discardOfExperiment(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { projectId, envId, experimentId }: { projectId: string; envId: string; experimentId: string },
  paths: readonly string[],
): Promise<StagedList | Refusal> {
  return inTransaction(db, async (tx) => {
    const found = await findHidden(tx, projectId, experimentId)
    const locked = found && (await lockFlagIn(tx, found.flagId, envId))
    if (!locked) return refuseUnknown('experimentId', 'This environment has no web experiment', [experimentId])
    const { flag, row } = locked
    const { ruleId } = found
    const staged = stagedList(await findStaged(tx, envId, [flag.id]), [])
    const experiment = (await experimentOfRule(tx, ruleId))!
    const failed = ifMatch(versionEtag('experiment', experiment.version)) && ifMatch(contentEtag(staged))
    if (failed) return failed
    const changes = staged.experiments.flatMap((each) => each.changes)
    const unknown = refuseIssues(
      paths.flatMap((path, place) =>
        changes.some((change) => change.path === path)
          ? []
          : [{ path: ['paths', place], message: `Nothing is staged at ${path}. Read the list again.` }],
      ),
    )
    if (unknown) return unknown
    const differing = new Set(differences(row.live, row.draft).map(({ path }) => path))
    const draft = discardedDraft(
      flag,
      row,
      pathsOfFlag(ruleId, paths).filter((path) => differing.has(path)),
    )
    if (isRefusal(draft)) return draft
    const unfit = contentFaults(webOf(draft), draft.variations)
    if (unfit.length > 0) return refuseIssues(unfit.map(({ message }) => ({ path: ['paths'], message })))!
    await saveDraftEdit(tx, row, draft, by)
    await touchRuleRows(tx, [ruleId], by.now)
    const { id, shortId, name, status } = experiment
    const taken = changes.filter(({ path }) => paths.includes(path))
    await by.record(tx, {
      orgId: flag.orgId,
      projectId,
      action: 'experiment.discard_changes',
      object: { type: 'experiment', id, name },
      before: { envId, changes: Object.fromEntries(taken.map(({ path, to }) => [path, to])) },
      after: { envId, changes: Object.fromEntries(taken.map(({ path, from }) => [path, from])) },
      events: [
        {
          name: 'experiment.updated',
          payload: { experiment: { id, shortId, name, status, previousStatus: status } },
        },
      ],
    })
    return stagedList(await findStaged(tx, envId, [flag.id]), [])
  })
}

const leftOf = ({ key, name }: Flag, row: FlagEnvironment): StagedList =>
  stagedList(isDeepStrictEqual(row.live, row.draft) ? [] : [{ ...row, key, name, experiment: null }], [])

const hasVariationsOf = (one: Version, other: Version): boolean =>
  isDeepStrictEqual(one.variations, other.variations) && one.pausedVariationId === other.pausedVariationId

/** A variation that returns is called by its key: versions have no names of variations. */
function variationsOf(flag: Flag, { variations, pausedVariationId }: Version) {
  const names = new Map(flag.variations.map(({ id, name }) => [id, name]))
  return {
    variations: variations.map(({ id, key, value }) => ({ id, name: names.get(id) ?? key, key, value })),
    defaultVariationId: pausedVariationId,
  }
}

/** Rules that leave both versions, and rules with a new definition, whose old ETags must not match. */
function ruleChanges({ live, draft: before }: FlagEnvironment, draft: Version) {
  const kept = new Set([...live.rules, ...draft.rules].map(({ id }) => id))
  const earlier = new Map(before.rules.map((rule) => [rule.id, rule]))
  return {
    leaving: before.rules.map(({ id }) => id).filter((id) => !kept.has(id)),
    changed: draft.rules.filter((rule) => !isDeepStrictEqual(rule, earlier.get(rule.id))).map(({ id }) => id),
  }
}
