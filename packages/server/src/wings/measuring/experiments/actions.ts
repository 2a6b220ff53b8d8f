import { isDeepStrictEqual } from 'node:util'
import { actions } from '../../../catalogue/actions.ts'
import {
  type Issue,
  invalid,
  isRefusal,
  notFound,
  type Refusal,
  refuse,
  refuseIssues,
} from '../../../catalogue/refusals.ts'
import type { InOrganization } from '../../../http/credentials.ts'
import { anyVersion, type IfMatch, versionEtag } from '../../../http/etag.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId, newId } from '../../../platform/ids.ts'
import type { Author, ProjectChange } from '../../../platform/outbox.ts'
import { asOne } from '../../../platform/transaction.ts'
import { withoutUndefined } from '../../../without-undefined.ts'
import {
  addHiddenVariations,
  createHiddenFlag,
  deleteHiddenFlag,
  type Flag,
  findFlag,
  lockFlagIn,
  onDraft,
  readHidden,
  saveHiddenFlag,
  saveHiddenName,
  unknownVariation,
} from '../../flags/flags/index.ts'
import { environmentQueries, lockProject, type ProjectType } from '../../flags/projects/index.ts'
import {
  createRule,
  deleteRule,
  nameOfCopy,
  newAbTestBody,
  type RuleUpdate,
  updateRule,
} from '../../flags/rules/index.ts'
import { cancelSchedule, openSchedule, replaceOverrides, type Schedule } from '../../flags/switches/index.ts'
import { findProduction } from '../../model/environments/index.ts'
import { goneGroups } from '../../model/exclusion-groups/index.ts'
import { type Experiment, type ExperimentStatus, experimentOfRule } from '../../model/experiments/index.ts'
import { type LockedFlagEnvironment, saveVersions } from '../../model/flag-environments/index.ts'
import { deleteRuleRows, saveRuleSwitches } from '../../model/rules/index.ts'
import { takeShortIds } from '../../model/short-ids/index.ts'
import {
  type AbTestRule,
  authorshipAfter,
  describeOverrides,
  statisticsOf,
  webOf,
  withoutRule,
} from '../../model/versions/index.ts'
import type { VariationContent } from '../../model/web/index.ts'
import { lockEnvironment, type Publishing } from '../../serving/datafile/index.ts'
import { contentByKey, editedContent, refusesContent } from './content/content.ts'
import { saveContent } from './content/saving.ts'
import {
  asExperiment,
  firstVariations,
  foreignToFlag,
  maxExperimentsPerProject,
  refusesFields,
  refusesIn,
} from './experiment.ts'
import { shownDefinition, testIn } from './present.ts'
import {
  countUnarchived,
  experimentQueries,
  findPlaces,
  insertExperiment,
  type NewExperimentRow,
  saveExperiment,
} from './queries.ts'
import { definitionFields, type ExperimentUpdate, type NewExperiment, webFieldNames } from './schema.ts'

interface Project {
  id: string
  orgId: string
  type: ProjectType
}

/** The type of the project decides the type of the experiment. */
export async function createExperiment(
  db: Db,
  by: Author,
  project: Project,
  wanted: NewExperiment,
  /** What variations of a web experiment do to pages, by their keys. */
  contents?: ReadonlyMap<string, VariationContent>,
): Promise<Experiment | Refusal> {
  const type = project.type === 'WEB' ? 'WEB' : 'FEATURE'
  const foreign = refusesFields(type, wanted, { definitionFields, webFields: webFieldNames })
  if (foreign) return foreign
  const create = type === 'WEB' ? createOnPage : createOnFlag
  return asExperiment(await create(db, by, project, { ...wanted, flagId: wanted.flagId ?? '' }, contents))
}

type Wanted = NewExperiment & { flagId: string }

/** Makes a hidden flag in the environment, with the test as its only rule. */
function createOnPage(
  db: Db,
  by: Author,
  project: Project,
  wanted: Wanted,
  contents?: ReadonlyMap<string, VariationContent>,
): Promise<Experiment | Refusal> {
  return asOne(db, async (tx) => {
    const room = await refusesMore(tx, project)
    if (room) return room
    const { variations = firstVariations, baselineVariationKey = variations[0]!.key } = wanted
    const envId = wanted.envId ?? (await findProduction(tx, project.id))
    // The lock of the project keeps the environment from being deleted meanwhile.
    if (!envId || !(await environmentQueries.find(tx, project.orgId, project.id, envId))) return unknownEnvironment
    const shortId = await takeShortIds(tx, project.id, 'EXPERIMENT')
    const { id: projectId, orgId } = project
    const flag = await createHiddenFlag(tx, by, {
      ...{ orgId, projectId, envId, variations, name: wanted.name },
      key: hiddenKey(shortId),
      baselineKey: baselineVariationKey,
    })
    if (isRefusal(flag)) return flag
    const which = { flagId: flag.id, envId }
    const rule = await createTest(db, by, which, { ...wanted, variations, baselineVariationKey })
    if (isRefusal(rule)) return rule
    const { row } = (await lockFlagIn(tx, flag.id, envId))!
    const web = editedContent(webOf(row.draft), wanted, flag.variations, contents)
    const unfit = refusesContent(web, flag.variations)
    if (unfit) return unfit
    await saveContent(tx, by, row, web, { ruleId: rule.id, isLaunched: false })
    const { name, description, tags, hypothesis, autoPause } = wanted
    return insert(tx, by, project, {
      ...which,
      ...{ shortId, type: 'WEB', ruleId: rule.id, adopted: false },
      ...{ name, description, tags, hypothesis },
      autoPause: { codeErrors: false, ...(autoPause ?? statisticsOf(rule).autoPause) },
    })
  })
}

/** How programs and exposures call a web experiment. */
export const hiddenKey = (shortId: number): string => `x${shortId}`

const unknownEnvironment = invalid({ path: ['envId'], message: 'This project has no environment with this id.' })

/** Makes a rule in the draft, which only a launch takes live, or adopts one. */
function createOnFlag(db: Db, by: Author, project: Project, wanted: Wanted): Promise<Experiment | Refusal> {
  return asOne(db, async (tx) => {
    const room = await refusesMore(tx, project)
    if (room) return room
    const { flagId } = wanted
    const flag = await findFlag(tx, project.orgId, { projectId: project.id, flagId })
    if (!flag) return invalid({ path: ['flagId'], message: 'This project has no flag with this id.' })
    const envId = wanted.envId ?? (await findProduction(tx, project.id))
    const isThere =
      envId && isId(envId) && (await findFlag(tx, project.orgId, { projectId: project.id, flagId, envId }))
    if (!isThere) return unknownEnvironment
    const which = { flagId, envId }
    const rule =
      wanted.ruleId === undefined ? await createTest(db, by, which, wanted) : await adoptTest(db, which, wanted.ruleId)
    if (isRefusal(rule)) return rule
    const { name, hypothesis, description, tags, autoPause } = wanted
    const experiment = await insert(tx, by, project, {
      ...which,
      shortId: await takeShortIds(tx, project.id, 'EXPERIMENT'),
      type: 'FEATURE',
      ruleId: rule.id,
      adopted: wanted.ruleId !== undefined,
      ...{ name, description, tags },
      hypothesis: hypothesis ?? rule.hypothesis,
      autoPause: { codeErrors: false, ...(autoPause ?? statisticsOf(rule).autoPause) },
    })
    // With its switch on, a run of the flag or a publish would launch it, but not as it is drafted.
    if (experiment.adopted && experiment.status === 'DRAFT')
      await saveRuleSwitches(tx, [{ id: rule.id, enabled: false, at: by.now }])
    return experiment
  })
}

/**
 * A draft of the same test, in this or a different environment. It has its own salt, so its visitors are assigned
 * independently. It leaves an exclusion group that was deleted.
 */
export function duplicateExperiment(
  db: Db,
  by: Author,
  project: Pick<Project, 'id' | 'orgId'>,
  { id, envId }: { id: string; envId: string | undefined },
): Promise<Experiment | Refusal> {
  return asOne(db, async (tx) => {
    const original = await experimentQueries.find(tx, project.orgId, project.id, id)
    if (!original) return notFound('Experiment')
    const place = (await findPlaces(tx, [original.id])).get(original.id)!
    const { salt: _own, variations, ...definition } = shownDefinition(original, place)
    // A completed test names its variations as they were called then.
    const keys = new Map(place.draft.variations.map(({ id, key }) => [id, key]))
    const { exclusionGroupId } = definition
    const gone = await goneGroups(tx, project.id, exclusionGroupId === null ? [] : [exclusionGroupId])
    const type = original.type === 'WEB' ? 'WEB' : 'FEATURE_FLAG'
    const made = await createExperiment(
      tx,
      by,
      { ...project, type },
      {
        ...definition,
        ...contentOf(original),
        name: nameOfCopy(original.name),
        envId: envId ?? original.envId,
        ...(original.type === 'FEATURE' && { flagId: original.flagId }),
        ...(gone.size > 0 && { exclusionGroupId: null }),
        variations: variations.map(({ id, key, name, weight, redirect }) => ({
          ...{ key: keys.get(id) ?? key, weight },
          ...(original.type === 'WEB' && { name, redirect }),
        })),
      },
      contentByKey(original, place),
    )
    if (!isRefusal(made) || made.refusal !== 'validation_failed') return made
    const [issue] = made.details!.issues as Issue[]
    const field = issue!.path.join('.')
    if (field === 'envId' || field === '') return made
    return refuse('invalid_state', `The experiment cannot be duplicated. ${field}: ${issue!.message}`, {
      current: field,
    })
  })
}

/** The lock of the project keeps two experiments from taking the last place. */
export async function refusesMore(tx: Tx, project: Pick<Project, 'id' | 'orgId'>): Promise<Refusal | undefined> {
  if (!(await lockProject(tx, project.orgId, project.id))) return notFound('Project')
  if ((await countUnarchived(tx, project.id)) < maxExperimentsPerProject) return undefined
  const message = `A project can have up to ${maxExperimentsPerProject} experiments that are not archived.`
  return invalid({ path: [], message: `${message} Archive one first.` })
}

interface Which {
  flagId: string
  envId: string
}

/** The rule's switch is off, so a run of the flag does not start the experiment. */
async function createTest(db: Db, by: Author, which: Which, wanted: NewExperiment): Promise<AbTestRule | Refusal> {
  const {
    variations = [],
    allowlist,
    ...definition
  } = Object.fromEntries(
    definitionFields.flatMap((field) => (wanted[field] === undefined ? [] : [[field, wanted[field]]])),
  ) as Pick<NewExperiment, (typeof definitionFields)[number]>
  const request = newAbTestBody.parse({
    ...definition,
    type: 'AB_TEST',
    ...{ name: wanted.name, hypothesis: wanted.hypothesis, enabled: false },
    variations: variations.map(({ key, weight }) => ({ variationKey: key, weight })),
  })
  const created = await createRule(db, by, which, request)
  if (isRefusal(created)) return created
  const allowed = allowlist && (await allow(db, by, { ...which, ruleId: created.ruleId }, allowlist))
  if (isRefusal(allowed)) return allowed
  return testIn(created.context.draft, created.ruleId)!
}

/** Replaces the allowlist of one rule in the draft. */
export function allow(
  db: Db,
  by: Author,
  { ruleId, owner, ...which }: Which & { ruleId: string; owner?: string },
  entries: NonNullable<NewExperiment['allowlist']>,
): Promise<unknown | Refusal> {
  return onDraft(db, which, async ({ row }) => {
    const { environmentAllowlist, ruleAllowlists } = describeOverrides(row.draft)
    const own = entries.length > 0 ? [{ ruleId, entries }] : []
    return replaceOverrides(
      db,
      by,
      anyVersion,
      { ...which, ...(owner && { owner }) },
      {
        environmentAllowlist,
        // Its own list comes first, so that issues are about it.
        ruleAllowlists: [...own, ...ruleAllowlists.filter((list) => list.ruleId !== ruleId)],
      },
    )
  })
}

function adoptTest(db: Db, which: Which, ruleId: string): Promise<AbTestRule | Refusal> {
  return onDraft(db, which, async ({ tx, row }) => {
    const rule = testIn(row.draft, ruleId)
    if (!rule)
      return invalid({ path: ['ruleId'], message: 'The flag has no A/B rule with this id in the environment.' })
    const owner = await experimentOfRule(tx, ruleId)
    if (!owner) return rule
    return refuse('invalid_state', 'The rule already belongs to an experiment.', {
      references: [{ type: 'experiment', id: owner.id }],
    })
  })
}

async function insert(
  tx: Tx,
  by: Author,
  { id: projectId, orgId }: Pick<Project, 'id' | 'orgId'>,
  wanted: Omit<NewExperimentRow, 'id' | 'projectId' | 'createdAt' | 'updatedAt'>,
): Promise<Experiment> {
  const id = newId()
  await insertExperiment(tx, {
    ...wanted,
    id,
    projectId,
    createdAt: by.now,
    updatedAt: by.now,
  })
  const experiment = (await experimentQueries.find(tx, orgId, projectId, id))!
  const { shortId, ruleId, envId, flagId, type } = experiment
  const after = { ...contentOf(experiment), shortId, envId, ruleId, ...(type === 'FEATURE' && { flagId }) }
  await recordExperiment(tx, by, orgId, experiment, { action: 'experiment.create', after })
  return experiment
}

/** What an edit of the experiment itself can change. The rest is in the rule. */
export const contentOf = ({ name, hypothesis, description, tags, autoPause }: Experiment) => ({
  ...{ name, hypothesis, description, tags, autoPause },
})

export const summaryOf = ({ id, shortId, name, status }: Experiment, previousStatus: ExperimentStatus) => ({
  ...{ id, shortId, name, status, previousStatus },
})

/** The actions that are recorded here. A switch of the rule records the others. */
type OwnAction = `experiment.${'create' | 'update' | 'delete' | 'complete' | 'archive' | 'unarchive'}`

/** Records what was done to an experiment, with the event of the action. */
export function recordExperiment(
  tx: Tx,
  by: Author,
  orgId: string,
  experiment: Experiment,
  {
    previousStatus = experiment.status,
    ...change
  }: Pick<ProjectChange<OwnAction>, 'action' | 'before' | 'after'> & {
    previousStatus?: ExperimentStatus
  },
): Promise<void> {
  const { id, projectId, name } = experiment
  const [event] = actions[change.action].events
  return by.record(tx, {
    ...change,
    ...{ orgId, projectId },
    object: { type: 'experiment', id, name },
    events: [{ name: event, payload: { experiment: summaryOf(experiment, previousStatus) } }],
  })
}

export const experimentEtag = ({ version }: Experiment): string => versionEtag('experiment', version)

export interface WhichExperiment {
  orgId: string
  projectId: string
  experimentId: string
}

export const whichOf = ({ organization }: InOrganization, { id, projectId }: Experiment): WhichExperiment => ({
  orgId: organization.id,
  projectId,
  experimentId: id,
})

export interface OnExperiment {
  tx: Tx
  flag: Flag
  row: LockedFlagEnvironment
  experiment: Experiment
}

/** Locks the flag in the environment, then the experiment. Everything that `work` does is one transaction. */
export function onExperiment<Result>(
  db: Db,
  { orgId, projectId, experimentId }: WhichExperiment,
  work: (on: OnExperiment) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  return asOne(db, async (tx) => {
    const found = await experimentQueries.find(tx, orgId, projectId, experimentId)
    if (!found) return notFound('Experiment')
    return onDraft(db, found, async ({ flag, row }) => {
      const experiment = await experimentQueries.lock(tx, experimentId)
      return experiment ? work({ tx, flag, row, experiment }) : notFound('Experiment')
    })
  })
}

/** As {@link onExperiment}. Of a web experiment, the environment is locked first, as every change of a data file does. */
const onDeleted: typeof onExperiment = (db, which, work) =>
  asOne(db, async (tx) => {
    const { orgId, projectId, experimentId } = which
    const found = await experimentQueries.find(tx, orgId, projectId, experimentId)
    if (found?.type === 'WEB') await lockEnvironment(tx, { orgId, projectId, envId: found.envId })
    return onExperiment(db, which, work)
  })

/** What is tested is staged once the experiment was launched. The rest acts at once. */
export async function updateExperiment(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  which: WhichExperiment,
  update: ExperimentUpdate,
): Promise<Experiment | Refusal> {
  const { variations, statistics, allowlist, name, hypothesis, description, tags, autoPause, ...rest } = update
  const { pages, activation, activationSelector, applyAt, ...fields } = rest
  const ofPages = withoutUndefined({ pages, activation, activationSelector, applyAt })
  const own = withoutUndefined({ name, hypothesis, description, tags, autoPause })
  const ofRule = withoutUndefined({
    ...fields,
    variations: variations?.map(({ key, weight }) => ({ variationKey: key, weight })),
    statistics: statistics && { ...statistics, autoPause: { srm: false, traffic: false, guardrailMetric: false } },
  })
  const result = await onExperiment(db, which, async (on) => {
    const { tx, row, experiment } = on
    const { id, ruleId, status } = experiment
    const redefines = Object.keys({ ...ofRule, ...ofPages }).length > 0 || allowlist !== undefined
    const refusal =
      ifMatch(experimentEtag(experiment)) ??
      refusesIn(redefines ? 'redefine' : 'edit', status) ??
      refusesOtherVariations(experiment, testIn(row.draft, ruleId), row, variations) ??
      (experiment.type === 'FEATURE' ? refuseIssues(foreignToFlag(update, webFieldNames)) : undefined)
    if (refusal) return refusal
    const before = await shownContent(tx, experiment)
    const edited = {
      ...experiment,
      ...own,
      autoPause: { ...experiment.autoPause, ...withoutUndefined({ ...autoPause }) },
    }
    if (!isDeepStrictEqual(contentOf(edited), contentOf(experiment))) await saveExperiment(tx, edited, by.now)
    const test = () => editTest(db, by, experiment, { ofRule, allowlist })
    const redefined =
      experiment.type === 'WEB' ? await editOnPage(on, by, { ...update, name: edited.name }, test) : await test()
    if (isRefusal(redefined)) return redefined
    let now = (await experimentQueries.lock(tx, id))!
    const after = await shownContent(tx, now)
    if (isDeepStrictEqual(before, after)) return now
    if (now.version === experiment.version) {
      // Names of variations and the allowlist are not in the rule, whose version the ETag counts.
      await saveExperiment(tx, now, by.now)
      now = (await experimentQueries.lock(tx, id))!
    }
    await recordExperiment(tx, by, which.orgId, now, { action: 'experiment.update', before, after })
    return now
  })
  return asExperiment(result)
}

/** Edits the draft of the test, and the visitors who are allowed in by name. */
async function editTest(
  db: Db,
  by: Author,
  experiment: Experiment,
  { ofRule, allowlist }: { ofRule: Partial<RuleUpdate>; allowlist: ExperimentUpdate['allowlist'] },
): Promise<Refusal | undefined> {
  const owned = { ...experiment, owner: experiment.id }
  if (Object.keys(ofRule).length > 0) {
    // A publish asks for the confirmation.
    const change = { ...ofRule, confirmReassignment: true, dryRun: false }
    const updated = await updateRule(db, by, anyVersion, owned, change)
    if (isRefusal(updated)) return updated
  }
  const allowed = allowlist && (await allow(db, by, owned, allowlist))
  return isRefusal(allowed) ? allowed : undefined
}

/**
 * Edits a web experiment: first its hidden flag gets the variations that are new, then the test changes, and then the
 * flag loses those that are gone. Nothing of an unlaunched one is staged.
 */
async function editOnPage(
  on: OnExperiment,
  by: Author,
  update: ExperimentUpdate & { name: string },
  editTest: () => Promise<Refusal | undefined>,
): Promise<Refusal | undefined> {
  const { name, variations, baselineVariationKey, allowlist } = update
  const { tx, flag, row, experiment } = on
  const { ruleId, launchedAt } = experiment
  const isLaunched = launchedAt !== null
  const before = testIn(row.draft, ruleId)
  if (!before) {
    // The test has left with a roll-out, so only the name can change.
    await saveHiddenName(tx, by, flag, name)
    return undefined
  }
  const read = readHidden(variations ?? flag.variations, flag.variations)
  if (isRefusal(read)) return read
  const refusal = refusesGone(on, read.variations, { baselineVariationKey, allowlist })
  if (refusal) return refusal
  const added = read.variations.some(({ id }) => !row.draft.variations.some((each) => each.id === id))
  if (added) await addHiddenVariations(on, by, read.variations)
  const failed = await editTest()
  if (failed) return failed
  let now = (await lockFlagIn(tx, flag.id, row.envId))!
  const web = editedContent(webOf(now.row.draft), update, read.variations)
  const unfit = refusesContent(web, read.variations)
  if (unfit) return unfit
  if (await saveContent(tx, by, now.row, web, { ruleId, isLaunched })) now = (await lockFlagIn(tx, flag.id, row.envId))!
  const { baselineVariationId: baselineId } = testIn(now.row.draft, ruleId)!
  const saved = { ruleId, name, variations: read.variations, baselineId, isLaunched }
  await saveHiddenFlag({ tx, ...now }, by, saved)
  return undefined
}

/**
 * A variation that goes must not be the baseline, and the allowlist must not name it. The draft still has it when the
 * test changes, so nothing else refuses it.
 */
function refusesGone(
  { flag, row, experiment: { ruleId } }: OnExperiment,
  kept: Flag['variations'],
  { baselineVariationKey, allowlist }: Pick<ExperimentUpdate, 'baselineVariationKey' | 'allowlist'>,
): Refusal | undefined {
  const isKept = (key: string) => kept.some((each) => each.key === key)
  const unknown = (allowlist ?? []).flatMap(({ variationKey }, place) =>
    isKept(variationKey)
      ? []
      : [{ path: ['allowlist', place, 'variationKey'], message: `There is no variation ${variationKey}.` }],
  )
  if (unknown.length > 0) return refuseIssues(unknown)
  if (baselineVariationKey !== undefined && !isKept(baselineVariationKey))
    return unknownVariation('baselineVariationKey')
  const gone = flag.variations.filter(({ id }) => !kept.some((each) => each.id === id))
  const entries = row.draft.overrides.ruleAllowlists.find((list) => list.ruleId === ruleId)?.entries ?? []
  const listed = gone.find(({ id }) => entries.some(({ variationId }) => variationId === id))
  if (listed && allowlist === undefined)
    return invalid({
      path: ['allowlist'],
      message: `allowlist names the variation ${listed.key}. Remove it there too.`,
    })
  const { baselineVariationId } = testIn(row.draft, ruleId)!
  if (baselineVariationKey !== undefined || !gone.some(({ id }) => id === baselineVariationId)) return undefined
  return unknownVariation('baselineVariationKey')
}

async function shownContent(tx: Tx, experiment: Experiment) {
  const place = (await findPlaces(tx, [experiment.id])).get(experiment.id)!
  return { ...contentOf(experiment), ...shownDefinition(experiment, place) }
}

/** If a variation were removed, the results would lose its visitors. The visitors of a new one would come too late. */
function refusesOtherVariations(
  { launchedAt }: Experiment,
  test: AbTestRule | undefined,
  { draft }: LockedFlagEnvironment,
  wanted: ExperimentUpdate['variations'],
): Refusal | undefined {
  if (!launchedAt || !wanted || !test) return undefined
  const ids = new Set(test.variations.map(({ variationId }) => variationId))
  const keys = new Set(draft.variations.flatMap(({ id, key }) => (ids.has(id) ? [key] : [])))
  if (keys.symmetricDifference(new Set(wanted.map(({ key }) => key))).size === 0) return undefined
  const message = 'Variations cannot be added or removed after the launch. Duplicate the experiment.'
  return refuse('invalid_state', message, { current: [...keys] })
}

/** The switch of its rule: a scheduled run launches a draft and resumes a paused experiment. */
export const targetOf = ({ id: owner, flagId, envId, ruleId }: Experiment) => ({ flagId, envId, ruleId, owner })

/** For an experiment that ends or is deleted, which its schedule must not outlive. */
export async function cancelOpenSchedule(
  db: Db,
  tx: Tx,
  by: Author,
  experiment: Experiment,
): Promise<Schedule | Refusal | undefined> {
  const target = targetOf(experiment)
  return (await openSchedule(tx, target)) && cancelSchedule(db, by, anyVersion, target)
}

/**
 * Visitors do not get a test that is completed or was never launched, so the data files stay the same. Another test may
 * have taken its slot in an exclusion group, and what is live can come back to the draft.
 */
async function takeOutOfLive(tx: Tx, row: LockedFlagEnvironment, ruleId: string, by: Author): Promise<void> {
  const { flagId, envId } = row
  const [draft, live] = [withoutRule(row.draft, ruleId), withoutRule(row.live, ruleId)]
  await saveVersions(tx, envId, [{ flagId, draft, live, stagedBy: authorshipAfter(row, { draft, live }, by) }])
  await deleteRuleRows(tx, [ruleId])
}

/**
 * The rule leaves with the experiment that made it or ended it: another test can have taken its slot in a group. An
 * adopted rule becomes a plain one otherwise. A web experiment takes its hidden flag along, of which no data file has
 * anything: only drafts and archived experiments can be deleted.
 */
export function deleteExperiment(
  { db, change }: { db: Db; change: Publishing },
  by: Author,
  ifMatch: IfMatch,
  which: WhichExperiment,
): Promise<Experiment | Refusal> {
  return onDeleted(db, which, async ({ tx, row, experiment }) => {
    const { id, type, status, ruleId, adopted, launchedAt, completedAt } = experiment
    const leaves = !adopted || completedAt !== null
    const refusal = ifMatch(experimentEtag(experiment)) ?? refusesIn('delete', status)
    if (refusal) return refusal
    const cancelled = await cancelOpenSchedule(db, tx, by, experiment)
    if (isRefusal(cancelled)) return cancelled
    if (type === 'FEATURE' && leaves && testIn(row.draft, ruleId)) {
      const deleted = await deleteRule(db, by, anyVersion, { ...experiment, owner: id })
      if (isRefusal(deleted)) return deleted
    }
    await experimentQueries.remove(tx, id)
    if (type === 'WEB') {
      const deleted = await deleteHiddenFlag(change, by, { ...which, envId: row.envId, flagId: row.flagId })
      if (isRefusal(deleted)) return deleted
    } else if (leaves && (completedAt || !launchedAt) && testIn(row.live, ruleId))
      await takeOutOfLive(tx, row, ruleId, by)
    const before = contentOf(experiment)
    await recordExperiment(tx, by, which.orgId, experiment, { action: 'experiment.delete', before })
    return experiment
  })
}
