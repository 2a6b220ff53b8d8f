import { isDeepStrictEqual } from 'node:util'
import { isRefusal, notFound, type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import { anyVersion, contentEtag, type IfMatch } from '../../../../http/etag.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { asOne } from '../../../../platform/transaction.ts'
import { saveDraftEdit } from '../../../flags/flags/index.ts'
import { lockProject } from '../../../flags/projects/index.ts'
import { publish, stagedList } from '../../../flags/publishing/index.ts'
import { refusesReassignment } from '../../../flags/rules/index.ts'
import type { Schedule, Switching } from '../../../flags/switches/index.ts'
import { joinGroup } from '../../../model/exclusion-groups/index.ts'
import { type Experiment, type ExperimentStatus, testChanges } from '../../../model/experiments/index.ts'
import { findStaged, saveVersions } from '../../../model/flag-environments/index.ts'
import { findRuleRows, movedVisitors, touchRuleRows } from '../../../model/rules/index.ts'
import {
  authorshipAfter,
  type Difference,
  type Exclusion,
  movedShare,
  reassigns,
  type Version,
  webOf,
  withTestLive,
} from '../../../model/versions/index.ts'
import { missingToServe } from '../../../model/web/index.ts'
import {
  lockEnvironment,
  type Publication,
  type PublishedScript,
  type Publishing,
  type ScriptIn,
} from '../../../serving/datafile/index.ts'
import { scriptHosts } from '../../../serving/heartbeat/index.ts'
import {
  cancelOpenSchedule,
  experimentEtag,
  type OnExperiment,
  onExperiment,
  recordExperiment,
  refusesMore,
  type WhichExperiment,
} from '../actions.ts'
import { refusesIn, type Transition, verdictOn } from '../experiment.ts'
import { type FinalDefinition, shownDefinition, testIn } from '../present.ts'
import { experimentQueries, findPlaces, findWebSettings, overlapping, saveExperiment } from '../queries.ts'
import { publishWarnings, restarted } from './publish.ts'
import { exclusionGroupGone, rollOutEnds, startWarnings, type Warning } from './warnings.ts'
import { changedSelectors, scriptNotSeen, webWarnings } from './web-warnings.ts'

export interface Lifecycle {
  db: Db
  change: Publishing
  switching: Switching
  scriptIn: ScriptIn
}

/** What became of an experiment. */
export interface Moved {
  experiment: Experiment
  previousStatus: ExperimentStatus
  changed: boolean
  dataFile: Pick<Publication, 'revision' | 'etag' | 'publishedAt'>
  /** What pages load after the call; null for an experiment of a flag. */
  script: PublishedScript | null
  suspendedSchedules: Schedule[]
  warnings: Warning[]
}

/** An experiment in progress of a change that visitors may see. The environment is locked too. */
export interface OnLaunched extends OnExperiment {
  which: WhichExperiment
  by: Author
  dataFile: Moved['dataFile']
}

/** Locks the environment first, as every change of a data file does. */
export function onLaunched<Result extends Moved>(
  { db, scriptIn }: Pick<Lifecycle, 'db' | 'scriptIn'>,
  by: Author,
  which: WhichExperiment,
  work: (on: OnLaunched) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  return asOne(db, async (tx) => {
    const { orgId, projectId, experimentId } = which
    const found = await experimentQueries.find(tx, orgId, projectId, experimentId)
    const place = found && { orgId, projectId, envId: found.envId }
    const environment = place && (await lockEnvironment(tx, place))
    if (!environment) return notFound('Experiment')
    const { revision, etag, publishedAt } = environment
    const dataFile = { revision, etag, publishedAt }
    const moved = await onExperiment(db, which, (on) => work({ ...on, which, by, dataFile }))
    if (isRefusal(moved) || found.type !== 'WEB') return moved
    const now = await lockEnvironment(tx, place)
    return { ...moved, script: now ? await scriptIn(tx, now) : null }
  })
}

export interface MoveRequest {
  which: WhichExperiment
  ifMatch: IfMatch
}

/** A move that is refused in other states, and does nothing in those that it leads to. */
const onMove = (
  context: Pick<Lifecycle, 'db' | 'scriptIn'>,
  by: Author,
  { ifMatch, which }: MoveRequest,
  transition: Transition,
  work: (on: OnLaunched) => Promise<Moved | Refusal>,
): Promise<Moved | Refusal> =>
  onLaunched(context, by, which, async (on) => {
    const verdict = verdictOn(transition, on.experiment.status)
    if (isRefusal(verdict)) return verdict
    return verdict === 'nothing' ? unchanged(on) : (ifMatch(experimentEtag(on.experiment)) ?? work(on))
  })

/** Serves the rule. Other staged changes stay staged. */
export const startExperiment = (
  context: Lifecycle,
  by: Author,
  request: MoveRequest,
  transition: 'launch' | 'resume',
  { dryRun }: { dryRun: boolean },
): Promise<Moved | Refusal> =>
  onMove(context, by, request, transition, async (on) => {
    const version = transition === 'launch' ? on.row.draft : on.row.live
    const warnings = [
      ...(await warningsOf(on, transition)),
      ...(await warningsOnPages(on, version)),
      ...(await unseenScript(on, version)),
    ]
    const missing = [...missingFor(on), ...(await missingOnPages(on, version))]
    if (dryRun) return { ...unchanged(on), warnings: [...missing, ...warnings] }
    return refusesMissing(missing) ?? switched(context, on, true, warnings)
  })

const refusesMissing = (missing: readonly Warning[]): Refusal | undefined =>
  missing[0] && refuse('invalid_state', missing[0].message, { missing })

export const refusesPausedFlag = (on: OnExperiment): Refusal | undefined => refusesMissing(missingFor(on))

/** A run of the flag would run its other rules too, so the experiment cannot do it. */
function missingFor({ flag, row }: OnExperiment): Warning[] {
  if (row.enabled && !flag.archivedAt) return []
  const message = flag.archivedAt
    ? `The flag is archived. Unarchive it, and run it in ${row.envName} first.`
    : `The flag is paused in ${row.envName}. Run it there first.`
  return [{ code: 'FLAG_PAUSED', message }]
}

/**
 * What keeps a web experiment from being served as this version says. Whatever serves it refuses it too. What is served
 * already stays as it is.
 *
 * @param given the variations that visitors would get
 */
export async function missingOnPages(
  on: OnExperiment,
  version: Version,
  given: Version['variations'] = testedIn(on, version),
): Promise<Warning[]> {
  const { tx, experiment, row } = on
  if (experiment.type !== 'WEB') return []
  const { hosts } = await findWebSettings(tx, experiment.projectId)
  const missingIn = (each: Version, variations: Version['variations']): Warning[] =>
    missingToServe(webOf(each), `x${experiment.shortId}`, variations, hosts)
  const served = experiment.status === 'RUNNING' ? missingIn(row.live, testedIn(on, row.live)) : []
  return missingIn(version, given).filter(({ message }) => served.every((each) => each.message !== message))
}

function testedIn({ experiment }: OnExperiment, version: Version): Version['variations'] {
  const ids = testIn(version, experiment.ruleId)?.variations.map(({ variationId }) => variationId) ?? []
  return version.variations.filter(({ id }) => ids.includes(id))
}

/** About what a web experiment does to pages as this version says. */
async function warningsOnPages(on: OnExperiment, version: Version): Promise<Warning[]> {
  const { tx, experiment } = on
  if (experiment.type !== 'WEB') return []
  const [web, tested] = [webOf(version), testedIn(on, version)]
  const exclusionGroupId = testIn(version, experiment.ruleId)?.exclusion?.groupId ?? null
  const overlaps = await overlapping(tx, experiment, { selectors: changedSelectors(web, tested), exclusionGroupId })
  const { cookieDomain } = await findWebSettings(tx, experiment.projectId)
  return webWarnings(web, tested, { overlaps, cookieDomain })
}

const seenWithinMs = 86_400_000

async function unseenScript(on: OnLaunched, version: Version): Promise<Warning[]> {
  const { tx, by, experiment } = on
  if (experiment.type !== 'WEB') return []
  const hosts = await scriptHosts(tx, experiment.envId, new Date(by.now.getTime() - seenWithinMs))
  return scriptNotSeen(webOf(version), testedIn(on, version), hosts)
}

/** About the test as visitors will get it, among the rules that serve. */
async function warningsOf({ tx, row, experiment }: OnExperiment, transition: 'launch' | 'resume'): Promise<Warning[]> {
  const { ruleId } = experiment
  const version = transition === 'launch' ? withTestLive(row, ruleId) : row.live
  // The switch refuses too.
  if (isRefusal(version)) return []
  const test = testIn(version, ruleId)
  if (!test) return []
  const serving = new Set((await findRuleRows(tx, row)).flatMap(({ id, enabled }) => (enabled ? [id] : [])))
  const place = version.rules.findIndex(({ id }) => id === ruleId)
  return startWarnings(
    test,
    version.rules.slice(0, place).filter(({ id }) => serving.has(id)),
  )
}

/** Also suspends scheduled runs, and turns the switch off where only a pause of the flag holds the experiment. */
export const pauseExperiment = (
  context: Lifecycle,
  by: Author,
  { which, ifMatch }: MoveRequest,
): Promise<Moved | Refusal> =>
  onLaunched(context, by, which, async (on) => {
    const refusal = refusesIn('pause', on.experiment.status) ?? ifMatch(experimentEtag(on.experiment))
    return refusal ?? switched(context, on, false)
  })

export interface PublishRequest {
  comment: string | null
  dryRun: boolean
  newPhase: boolean
  confirmReassignment: boolean
}

/** Publishes all that is staged of the flag in the environment, as the environment's own publish would. */
export const publishExperiment = (
  { change, ...context }: Lifecycle,
  by: Author,
  ifMatch: IfMatch,
  which: WhichExperiment,
  { comment, dryRun, newPhase, confirmReassignment }: PublishRequest,
): Promise<(Moved & { changes: Difference[] }) | Refusal> =>
  onLaunched(context, by, which, async (on) => {
    const { tx, row, experiment } = on
    const { flagId, envId, ruleId, status } = experiment
    const [live, draft] = [testIn(row.live, ruleId), testIn(row.draft, ruleId)]
    const running = status === 'RUNNING'
    const refusal =
      (await refusesUnseen(on, ifMatch)) ??
      refusesIn('publish', status) ??
      (live &&
        draft &&
        (await refusesReassignment(tx, live, draft, { running, confirmed: dryRun || confirmReassignment })))
    if (refusal) return refusal
    const moves = live && draft && reassigns(live, draft) ? [{ ruleId, share: movedShare(live, draft) }] : []
    const [moved] = await movedVisitors(tx, moves)
    const changed = testChanges(ruleId, row.live, row.draft)
    const warnings = [
      ...(await missingOnPages(on, row.draft)),
      ...(await warningsOnPages(on, row.draft)),
      ...(live && draft ? publishWarnings(live, draft, changed, moved?.visitors ?? null) : []),
    ]
    if (newPhase && !dryRun && live && draft) {
      const rules = row.draft.rules.map((rule) => (rule.id === ruleId ? restarted(live, draft, by.now) : rule))
      await saveDraftEdit(tx, row, { ...row.draft, rules }, by)
      await touchRuleRows(tx, [ruleId], by.now)
    }
    const asked = { ...which, envId, flagIds: [flagId], comment, dryRun, owner: experiment.id }
    const result = await publish(change, by, anyVersion, asked)
    if (isRefusal(result)) return result
    const { revision, etag, publishedAt } = result.publication
    return {
      ...{ ...unchanged(on), experiment: await afterMove(on), changed: result.staged && !dryRun },
      dataFile: { revision, etag, publishedAt },
      changes: [...result.flags, ...result.experiments].flatMap(({ changes }) => changes),
      warnings,
    }
  })

/**
 * A publish can be bound to the experiment, or to the list of what is staged of the flag: that list also contains the
 * other staged changes of the flag, which the publish makes live too.
 */
async function refusesUnseen({ tx, experiment }: OnExperiment, ifMatch: IfMatch): Promise<Refusal | undefined> {
  const failed = ifMatch(experimentEtag(experiment))
  if (!failed) return undefined
  const list = stagedList(await findStaged(tx, experiment.envId, [experiment.flagId]), [])
  const staged = experiment.type === 'WEB' ? 'its staged changes' : 'the staged changes of its flag'
  const message = `The experiment or ${staged} have changed since you read them.`
  return ifMatch(contentEtag(list)) && { ...failed, message }
}

export const completeExperiment = (context: Lifecycle, by: Author, request: MoveRequest): Promise<Moved | Refusal> =>
  onMove(context, by, request, 'complete', async (on) => {
    const ended = await endExperiment(context, on, await completed(on))
    if (!isRefusal(ended)) await recordMove(on, ended, 'complete')
    return ended
  })

/** The experiment as it will be, with the test as it ran, so that its results stay readable. */
export async function completed({ tx, by, experiment }: OnLaunched): Promise<Experiment> {
  if (experiment.completedAt) return experiment
  const { draft, ...place } = (await findPlaces(tx, [experiment.id])).get(experiment.id)!
  const ran = testIn(place.live, experiment.ruleId) ? place.live : draft
  const definition = shownDefinition(experiment, { ...place, draft: ran })
  const finalDefinition: FinalDefinition = experiment.type === 'WEB' ? { ...definition, web: webOf(ran) } : definition
  return { ...experiment, finalDefinition, completedAt: by.now }
}

export const archiveExperiment = (context: Lifecycle, by: Author, request: MoveRequest): Promise<Moved | Refusal> =>
  onMove(context, by, request, 'archive', async (on) => {
    const archived = await endExperiment(context, on, { ...on.experiment, archivedAt: by.now })
    if (isRefusal(archived)) return archived
    await recordMove(on, archived, 'archive')
    const { type, winner } = on.experiment
    const ends = type === 'WEB' && winner?.rolledOut ? [rollOutEnds(winner.variationKey)] : []
    return { ...archived, warnings: [...archived.warnings, ...ends] }
  })

export const unarchiveExperiment = (context: Lifecycle, by: Author, request: MoveRequest): Promise<Moved | Refusal> =>
  asOne(context.db, async (tx) => {
    const { which } = request
    // It counts again, so the project is locked first.
    if (!(await lockProject(tx, which.orgId, which.projectId))) return notFound('Project')
    return onMove(context, by, request, 'unarchive', async (on) => {
      const full = await refusesMore(tx, { id: which.projectId, orgId: which.orgId })
      if (full) return full
      const warnings = await slotAgain(on)
      if (isRefusal(warnings)) return warnings
      await saveExperiment(tx, { ...on.experiment, archivedAt: null }, by.now)
      const served = await serveAgain(context, on)
      if (isRefusal(served)) return served
      const moved = { ...served, changed: true, warnings }
      await recordMove(on, moved, 'unarchive')
      return moved
    })
  })

/** The archive paused the rule of a winner that was rolled out in a web experiment. */
async function serveAgain(context: Lifecycle, on: OnLaunched): Promise<Moved | Refusal> {
  const { type, winner } = on.experiment
  const ruleId = type === 'WEB' && winner?.rolledOut ? on.row.live.rules[0]?.id : undefined
  if (ruleId === undefined) return { ...unchanged(on), experiment: await afterMove(on) }
  return switched(context, { ...on, experiment: { ...on.experiment, ruleId } }, true)
}

/** A draft gave its slot in an exclusion group back when it was archived. Now it gets one as a new test does. */
async function slotAgain({ tx, by, row, which, experiment }: OnLaunched): Promise<Warning[] | Refusal> {
  const { flagId, envId, ruleId, launchedAt } = experiment
  const earlier = testIn(row.draft, ruleId)?.exclusion
  if (!earlier || launchedAt) return []
  const exclusion = await joinGroup(tx, { projectId: which.projectId, envId }, ruleId, earlier.groupId)
  if (isRefusal(exclusion)) return { ...exclusion, message: noSlotLeft }
  const [draft, live] = [row.draft, row.live].map((version) => withSlot(version, ruleId, exclusion)) as [
    Version,
    Version,
  ]
  if (isDeepStrictEqual([draft, live], [row.draft, row.live])) return []
  // The version of the flag moves with its draft.
  await saveDraftEdit(tx, row, draft, by)
  await saveVersions(tx, envId, [{ flagId, draft, live, stagedBy: authorshipAfter(row, { draft, live }, by) }])
  await touchRuleRows(tx, [ruleId], by.now)
  return exclusion ? [] : [exclusionGroupGone]
}

/** A draft is served to no visitor, so its live version can change. A rule has one slot in both versions. */
const withSlot = (version: Version, ruleId: string, exclusion: Exclusion | null): Version => ({
  ...version,
  rules: version.rules.map((rule) => (rule.id === ruleId && rule.type === 'AB_TEST' ? { ...rule, exclusion } : rule)),
})

const noSlotLeft = 'The exclusion group is full. Complete or delete one of its tests, publish, and try again.'

/** Saves the end first: then the pause of the rule is a part of it and not a pause of the experiment. */
export async function endExperiment(context: Lifecycle, on: OnLaunched, ended: Experiment): Promise<Moved | Refusal> {
  const failed = await saveEnd(context, on, ended)
  if (failed) return failed
  const ruleId = ruleToPause(on, ended)
  if (ruleId === undefined) return { ...unchanged(on), experiment: await afterMove(on), changed: true }
  const moved = await switched(context, { ...on, experiment: { ...on.experiment, ruleId } }, false)
  return isRefusal(moved) ? moved : { ...moved, changed: true }
}

/** The test; or the rule that replaced it by a roll-out, once a web experiment is archived. */
function ruleToPause({ row }: OnLaunched, { type, ruleId, archivedAt }: Experiment): string | undefined {
  if ([row.draft, row.live].some((version) => testIn(version, ruleId))) return ruleId
  return type === 'WEB' && archivedAt !== null ? row.live.rules[0]?.id : undefined
}

/** Cancels the open schedule of an experiment that ends, and saves it. */
export async function saveEnd(
  { db }: Pick<Lifecycle, 'db'>,
  { tx, by, experiment }: OnLaunched,
  ended: Experiment,
): Promise<Refusal | undefined> {
  const cancelled = await cancelOpenSchedule(db, tx, by, experiment)
  if (isRefusal(cancelled)) return cancelled
  await saveExperiment(tx, ended, by.now)
  return undefined
}

export const unchanged = ({ experiment, dataFile }: OnLaunched): Moved => ({
  ...{ experiment, previousStatus: experiment.status, changed: false, dataFile, script: null },
  suspendedSchedules: [],
  warnings: [],
})

export async function afterMove({ tx, experiment: { id } }: OnExperiment): Promise<Experiment> {
  return (await experimentQueries.lock(tx, id))!
}

async function switched(
  { switching }: Lifecycle,
  on: OnLaunched,
  enabled: boolean,
  warnings: Warning[] = [],
): Promise<Moved | Refusal> {
  const { which, by, experiment } = on
  const { flagId, envId, ruleId, id: owner, status: previousStatus } = experiment
  const result = await switching({
    which: { orgId: which.orgId, projectId: which.projectId, flagId, envId },
    by,
    move: { ruleId, enabled, owner },
  })
  if (isRefusal(result)) return result
  const { changed, dataFile, suspendedSchedules } = result
  const now = await afterMove(on)
  return { experiment: now, previousStatus, changed, dataFile, script: null, suspendedSchedules, warnings }
}

function recordMove(
  { tx, by, which }: OnLaunched,
  { experiment, previousStatus }: Moved,
  verb: 'complete' | 'archive' | 'unarchive',
): Promise<void> {
  return recordExperiment(tx, by, which.orgId, experiment, {
    action: `experiment.${verb}`,
    previousStatus,
    before: { status: previousStatus },
    after: { status: experiment.status },
  })
}
