import { isRefusal, notFound, type Refusal, refuseUnknown } from '../../../catalogue/refusals.ts'
import { contentEtag, type IfMatch } from '../../../http/etag.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Author, Event } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { lockReferenced, stagedAudiences } from '../../model/audiences/index.ts'
import { rejoinGroups } from '../../model/exclusion-groups/index.ts'
import { experimentChanges, experimentOfRule, type HiddenOf } from '../../model/experiments/index.ts'
import { findStaged, flagSummaries } from '../../model/flag-environments/index.ts'
import { deleteRuleRows, insertReturningRuleRows, touchRuleRows } from '../../model/rules/index.ts'
import { differences, stagedRuleSummaries, type Version, withDraft } from '../../model/versions/index.ts'
import { lockEnvironment, type PublishedEnvironment } from '../../serving/datafile/index.ts'
import { saveDraftEdits } from '../flags/index.ts'
import { unknownFlags } from '../projects/index.ts'
import { type StagedChanges, stagedList } from '../publishing/index.ts'
import { audienceChanges, flagChanges, hiddenChanges } from './changes.ts'
import {
  audiencesChangedIn,
  audiencesPublishedIn,
  flagsChangedIn,
  isKept,
  listRevisions,
  lockFlagsUnlike,
  lockRestorable,
  type MovedSwitch,
  type RevisionRow,
  servedNames,
  switchesUnlike,
} from './queries.ts'
import {
  besideExperiments,
  changedContents,
  changedRules,
  leavingRules,
  refusesRestore,
  refusesUnknown,
  restoredDraft,
  restoredReferences,
  returningRules,
} from './restore.ts'
import { maxListedFlags, maxShownFlags } from './schema.ts'
import type { Place } from './step.ts'

/** A revision with the differences from the state before it. */
export async function showRevision(
  db: Db,
  { envId, place, flagId }: { envId: string; place: Place; flagId: string | undefined },
) {
  const { revision } = place
  const step = place.step ?? 0
  const [row, previous] = await listRevisions(db, {
    envId,
    before: { revision, step: step + 1 },
    limit: 2,
    maxFlags: 0,
  })
  if (row?.revision !== revision || row.step !== step) return notFound('Revision')
  const [flags, inFile, published, names] = await Promise.all([
    flagsChangedIn(db, { envId, revision, step, flagId, maxFlags: maxShownFlags }),
    step === 0 ? audiencesChangedIn(db, envId, revision) : [],
    audiencesPublishedIn(db, { envId, revision, step }),
    servedNames(db, envId),
  ])
  const ids = new Map(names.map(({ section, shortId, id }) => [`${section}:${shortId}`, id]))
  const idOf = (kind: string, name: string) => ids.get(`${kind}s:${name}`) ?? name
  return {
    row,
    previousRevision: previous?.revision ?? null,
    previousStep: previous?.step ?? null,
    flags: flags
      .filter(() => row.projectType === 'FEATURE_FLAG')
      .map(({ id, key, name, change, current, before, fragment, live }) => ({
        ...{ id, key, name, change, current },
        changes: flagChanges(before, { key, fragment, live }),
      })),
    experiments: flags
      .filter(() => row.projectType === 'WEB')
      .map(({ before, fragment, live, ...flag }) => ({
        ...asExperiment(flag),
        changes: hiddenChanges(before, { key: flag.key, fragment, live }),
      })),
    audiences: [
      ...inFile.map(({ id, name, change, before, after }) => ({
        ...{ id, name, change },
        changes: audienceChanges(before, after, idOf),
      })),
      ...published
        .filter(({ id }) => !inFile.some((each) => each.id === id))
        .map(({ id, name, from, to }) => ({
          ...{ id, name, change: 'CHANGED' as const },
          changes: [{ path: 'conditions', from, to }],
        })),
    ],
  }
}

/** A web experiment in the place of its hidden flag. Its short id is in the key of the flag, also once it is deleted. */
export const asExperiment = ({ experimentId, key, name, change }: RevisionRow['flags'][number]) => ({
  ...{ id: experimentId, shortId: Number(key.slice(1)), name, change },
})

export interface WhichRevision {
  orgId: string
  projectId: string
  envId: string
  place: Place
  /** Only these flags; null for all that still exist. */
  flagIds: readonly string[] | null
}

interface RestoredFlag {
  flagId: string
  key: string
  experiment: HiddenOf | null
  before: Version
  draft: Version
}

/**
 * Stages the state of a revision for all flags that still exist. Visitors get it with the next publish. `ifMatch` is
 * about the list of staged changes; a dry run only shows what would be staged.
 */
export function restoreRevision(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId, envId, place, flagIds }: WhichRevision,
  dryRun: boolean,
): Promise<Restored | Refusal> {
  return inTransaction(db, async (tx) => {
    const environment = await lockEnvironment(tx, { orgId, projectId, envId })
    if (!environment || !(await isKept(tx, envId, place))) return notFound('Revision')
    const unknown = flagIds ? await unknownFlags(tx, projectId, flagIds) : []
    if (unknown.length > 0) return refuseUnknown('flagIds', 'This project has no flag', unknown)
    const locked = await lockRestorable(tx, envId, place, await lockFlagsUnlike(tx, envId, place, flagIds))
    const rows = locked.map(besideExperiments)
    const references = restoredReferences(rows)
    const refusal = refusesRestore(rows) ?? refusesUnknown(references, await lockReferenced(tx, projectId, references))
    if (refusal) return refusal
    const failed = ifMatch('') && ifMatch(contentEtag(await stagedNow(tx, envId)))
    if (failed) return { ...failed, message: 'The staged changes of the environment have changed since you read them.' }
    // Another rule can have taken the former slot: then the rule gets a different one.
    const placed = await rejoinGroups(
      tx,
      { projectId, envId },
      rows.flatMap(({ past }) => past.live.rules),
    )
    if (isRefusal(placed)) return placed
    const placedRules = new Map(placed.map((rule) => [rule.id, rule]))
    const restored = rows.map((row) => {
      const draft = restoredDraft(row)
      const rules = draft.rules.map((rule) => placedRules.get(rule.id)!)
      return { ...withDraft(row, { ...draft, rules }, by), before: row.draft }
    })
    const switches = await switchesUnlike(tx, envId, place, { flagIds, limit: maxListedFlags })
    const result = { ...restoredChanges(restored), switches }
    const [event, ...events] = await updatedEvents(tx, environment, restored)
    if (!event || dryRun) return result
    await saveDraftEdits(
      tx,
      envId,
      restored.map(({ flagId, draft, stagedBy }) => ({ flagId, draft, stagedBy })),
      by,
    )
    const returning = rows.flatMap((row) => returningRules(row).map((rule) => ({ ...rule, flagId: row.flagId, envId })))
    await insertReturningRuleRows(tx, returning, by.now)
    const touched = rows.flatMap((row) => [...changedRules(row), ...changedContents(row)])
    await touchRuleRows(tx, [...new Set(touched)], by.now)
    await deleteRuleRows(tx, rows.flatMap(leavingRules))
    await by.record(tx, {
      orgId,
      projectId,
      action: 'environment.restore_revision',
      object: { type: 'environment', id: envId, name: environment.name },
      after: {
        revision: place.revision,
        ...(place.step !== null && { step: place.step }),
        ...(environment.projectType === 'WEB' ? { experiments: result.experiments } : { flags: result.flags }),
      },
      events: [event, ...events],
    })
    return result
  })
}

type Restored = RestoredChanges & { switches: MovedSwitch[] }
type RestoredChanges = Pick<StagedChanges, 'flags' | 'experiments'>

const restoredChanges = (restored: readonly RestoredFlag[]): RestoredChanges => ({
  flags: restored
    .filter(({ experiment }) => experiment === null)
    .map(({ flagId, key, before, draft }) => ({ flagId, key, changes: differences(before, draft) })),
  experiments: restored.flatMap(({ experiment, before, draft }) => {
    if (!experiment) return []
    const { ruleId, ...named } = experiment
    return [{ ...named, changes: experimentChanges(ruleId, differences(before, draft)) }]
  }),
})

const stagedNow = async (tx: Tx, envId: string) =>
  stagedList(await findStaged(tx, envId, null), await stagedAudiences(tx, envId))

async function updatedEvents(
  tx: Tx,
  { id, name }: PublishedEnvironment,
  restored: readonly RestoredFlag[],
): Promise<Event<'flag.updated' | 'experiment.updated'>[]> {
  const ofExperiments: Event<'experiment.updated'>[] = []
  for (const { experiment } of restored) {
    const found = experiment && (await experimentOfRule(tx, experiment.ruleId))
    if (!found) continue
    const { id, shortId, name, status } = found
    const payload = { experiment: { id, shortId, name, status, previousStatus: status } }
    ofExperiments.push({ name: 'experiment.updated', payload })
  }
  const byId = new Map(restored.flatMap((flag) => (flag.experiment ? [] : [[flag.flagId, flag] as const])))
  const summaries = await flagSummaries(tx, [...byId.keys()])
  const ofFlags = summaries.map((flag): Event<'flag.updated'> => {
    const { before, draft } = byId.get(flag.id)!
    return {
      name: 'flag.updated',
      payload: { flag, environment: { id, name }, rules: stagedRuleSummaries(before, draft) },
    }
  })
  return [...ofFlags, ...ofExperiments]
}
