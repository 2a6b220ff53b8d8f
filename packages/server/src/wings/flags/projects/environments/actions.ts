import { invalid, isRefusal, notFound, type Refusal } from '../../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../../http/etag.ts'
import { nounActions, recordedAs } from '../../../../nouns/index.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { newId, newSdkKey } from '../../../../platform/ids.ts'
import type { Author } from '../../../../platform/outbox.ts'
import type { Sweep } from '../../../../platform/retention/index.ts'
import { afterCommit, inTransaction } from '../../../../platform/transaction.ts'
import {
  type IngestKeyRequirement,
  ingestKeysOf,
  insertEnvironment,
  orderEnvironments,
  saveEnvironment,
} from '../../../model/environments/index.ts'
import { slotless } from '../../../model/exclusion-groups/index.ts'
import { refusesWithExperiments, unarchivedExperiments } from '../../../model/experiments/index.ts'
import { findFlagEnvironments, insertFlagEnvironments } from '../../../model/flag-environments/index.ts'
import { findRuleRows, insertRuleRows } from '../../../model/rules/index.ts'
import { takeShortIds } from '../../../model/short-ids/index.ts'
import { copyVersion, firstVersion, withDraft } from '../../../model/versions/index.ts'
import {
  type DataFileStore,
  findKeys,
  firstDataFile,
  firstWebSettings,
  lockEnvironments,
  notifyChanged,
} from '../../../serving/datafile/index.ts'
import { keyFor } from '../key.ts'
import { findWebSettings, lockProject } from '../queries.ts'
import { builtInEnvironments, colorFor, maxEnvironmentsPerProject, moved, refusesDeletion } from './environment.ts'
import { refusesRequirement } from './ingest-keys/ingest-key.ts'
import {
  type Environment,
  environmentQueries,
  environmentsInOrder,
  flagsOfProject,
  forgetDeleted,
  noteDeleted,
} from './queries.ts'

interface Content {
  name: string
  color: string
  protected: boolean
  ingestKeyRequiredFor: IngestKeyRequirement
  position: number
}

export const environments = nounActions<Environment, Content>({
  noun: 'environment',
  place: 'project',
  most: maxEnvironmentsPerProject,
  nameConstraint: 'environments_name_key',
  keyConstraint: 'environments_key_key',
  content: ({ name, color, protected: isProtected, ingestKeyRequiredFor, position }) => ({
    ...{ name, color, protected: isProtected, ingestKeyRequiredFor, position },
  }),
  record: recordedAs('environment', ({ id, name }) => ({ environment: { id, name } })),
})

/** Adds Production and Development to a new project. It has no flags yet, so each gets an empty data file. */
export async function addBuiltInEnvironments(tx: Tx, projectId: string, by: Author): Promise<void> {
  for (const [position, environment] of builtInEnvironments.entries()) {
    const row = { ...environment, id: newId(), projectId, builtIn: true, position, sdkKey: newSdkKey() }
    await insertEnvironment(tx, row, by)
    await firstDataFile(tx, row, [])
  }
}

interface NewEnvironment {
  orgId: string
  projectId: string
  name: string
  key: string | undefined
  color: string | undefined
  protected: boolean
  position: number | undefined
  copyFromEnvId: string | null
}

export async function createEnvironment(db: Db, by: Author, wanted: NewEnvironment): Promise<Environment | Refusal> {
  const { orgId, projectId, name } = wanted
  const work = inTransaction(db, async (tx) => {
    const project = await lockProject(tx, orgId, projectId)
    if (!project) return notFound('Project')
    const existing = await environmentsInOrder(tx, projectId)
    const full = environments.refusesMoreThan(existing.length)
    if (full) return full
    if (existing.some((each) => each.name === name)) return environments.nameTaken
    const keys = new Set(existing.map(({ key }) => key))
    if (wanted.key !== undefined && keys.has(wanted.key)) return environments.keyTaken
    const source =
      wanted.copyFromEnvId === null ? null : await environmentQueries.find(tx, orgId, projectId, wanted.copyFromEnvId)
    if (source === undefined)
      return invalid({ path: ['copyFromEnvId'], message: 'No environment of this project has this id.' })
    const row = {
      id: newId(),
      projectId,
      name,
      key: wanted.key ?? keyFor(name, 'environment', keys),
      color: wanted.color ?? colorFor(existing.length),
      builtIn: false,
      protected: wanted.protected,
      position: existing.length,
      sdkKey: newSdkKey(),
    }
    await insertEnvironment(tx, row, by)
    const position = Math.min(wanted.position ?? row.position, row.position)
    if (position < row.position) await orderEnvironments(tx, moved(await lockOrder(tx, projectId), row.id, position))
    const flagIds = await addEveryFlag(tx, row, source?.id ?? null, by)
    await firstDataFile(tx, row, flagIds)
    if (project.type === 'WEB') await firstWebSettings(tx, row.id, projectId, await findWebSettings(tx, projectId))
    await by.record(tx, {
      orgId,
      projectId,
      action: 'environment.create',
      object: { type: 'environment', id: row.id, name },
      after: { ...row, position, copyFromEnvId: wanted.copyFromEnvId },
      events: [{ name: 'environment.created', payload: { environment: { id: row.id, name } } }],
    })
    return (await environmentQueries.find(tx, orgId, projectId, row.id))!
  })
  return environments.orTaken(work)
}

/** The environments of a locked project, which become locked too: moving one moves others. Answers their ids in order. */
async function lockOrder(tx: Tx, projectId: string): Promise<string[]> {
  await lockEnvironments(tx, projectId)
  const environments = await environmentsInOrder(tx, projectId)
  return environments.map(({ id }) => id)
}

/** A new environment contains every flag, paused, and can start with the drafts of a different environment. */
async function addEveryFlag(
  tx: Tx,
  { id: envId, projectId }: { id: string; projectId: string },
  sourceEnvId: string | null,
  by: Author,
): Promise<string[]> {
  const flags = await flagsOfProject(tx, projectId)
  const flagIds = flags.map(({ id }) => id)
  const sources = sourceEnvId ? await findFlagEnvironments(tx, flagIds) : []
  const copied = sources.filter((each) => each.envId === sourceEnvId).flatMap(({ draft }) => draft.rules)
  const without = await slotless(
    tx,
    copied.map(({ id }) => id),
  )
  const rows = []
  const rules = []
  for (const flag of flags) {
    const live = firstVersion(flag.variations, flag.defaultVariationId)
    const source = sources.find((each) => each.flagId === flag.id && each.envId === sourceEnvId)
    if (!source) {
      rows.push({ flagId: flag.id, envId, draft: live, live, stagedBy: {} })
      continue
    }
    const switches = new Map((await findRuleRows(tx, source)).map((rule) => [rule.id, rule.enabled]))
    const count = source.draft.rules.length
    const firstShortId = count > 0 ? await takeShortIds(tx, projectId, 'RULE', count) : 0
    // Each test keeps its slot. A test leaves the group if another test can have taken its slot.
    const slotted = source.draft.rules.map((rule) => (without.has(rule.id) ? { ...rule, exclusion: null } : rule))
    const draft = { ...source.draft, rules: slotted }
    const { version, newIds } = copyVersion(draft, { newId, firstShortId })
    rows.push(withDraft({ flagId: flag.id, envId, draft: live, live, stagedBy: {} }, version, by))
    for (const [oldId, id] of newIds) rules.push({ id, flagId: flag.id, envId, enabled: switches.get(oldId) ?? false })
  }
  await insertFlagEnvironments(tx, rows)
  await insertRuleRows(tx, rules, by.now)
  return flagIds
}

export function updateEnvironment(
  { db, store }: KeyContext,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId, envId }: { orgId: string; projectId: string; envId: string },
  edit: { [Field in keyof Content]?: Content[Field] | undefined },
): Promise<Environment | Refusal> {
  const work = inTransaction(db, async (tx) => {
    const moves = edit.position !== undefined
    if (moves && !(await lockProject(tx, orgId, projectId))) return notFound('Project')
    const order = moves ? await lockOrder(tx, projectId) : []
    const position = moves ? Math.min(edit.position!, order.length - 1) : undefined
    const locked = await environmentQueries.lock(tx, envId)
    return environments.edit({ tx, by, orgId }, locked, {
      ifMatch,
      edit: { ...edit, position },
      refuses: async ({ ingestKeyRequiredFor }) =>
        refusesRequirement(locked!.name, ingestKeyRequiredFor, (await ingestKeysOf(tx, envId)).length),
      save: async (edited, before) => {
        await saveEnvironment(tx, edited)
        if (edited.position !== before.position) await orderEnvironments(tx, moved(order, envId, edited.position))
        if (edited.ingestKeyRequiredFor !== before.ingestKeyRequiredFor) await announceKeys(tx, store, envId)
      },
    })
  })
  return environments.orTaken(work)
}

export interface KeyContext {
  db: Db
  store: DataFileStore
}

/**
 * Changes the keys of an environment. Two callers at a time wait for the lock of the environment, so only one of them
 * adds a key. On this node, the keys count before the call answers. Other nodes follow when they are notified.
 */
export async function changeKeys<Result>(
  { db, store }: KeyContext,
  envId: string,
  work: (tx: Tx, environment: Environment) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  return inTransaction(db, async (tx) => {
    const environment = await environmentQueries.lock(tx, envId)
    if (!environment) return notFound('Environment')
    const done = await work(tx, environment)
    if (!isRefusal(done)) await announceKeys(tx, store, envId)
    return done
  })
}

/** Call it at the end of a transaction that changed the keys of a locked environment, or what they are needed for. */
async function announceKeys(tx: Tx, store: DataFileStore, envId: string): Promise<void> {
  const keys = await findKeys(tx, envId)
  await notifyChanged(tx, envId)
  if (keys) afterCommit(() => store.keep(keys))
}

export interface DeletingEnvironments extends KeyContext {
  /** Deletes the flags of the web experiments in an environment. No other environment has them. */
  deleteHiddenFlags: (tx: Tx, envId: string) => Promise<void>
}

export async function deleteEnvironment(
  { db, store, deleteHiddenFlags }: DeletingEnvironments,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId, envId }: { orgId: string; projectId: string; envId: string },
): Promise<Environment | Refusal> {
  const result = await inTransaction(db, async (tx) => {
    if (!(await lockProject(tx, orgId, projectId))) return notFound('Project')
    const order = await lockOrder(tx, projectId)
    return environments.remove({ tx, by, orgId }, await environmentQueries.lock(tx, envId), {
      ifMatch,
      refuses: async (environment) =>
        refusesDeletion(environment, order.length) ??
        refusesWithExperiments('The environment', await unarchivedExperiments(tx, 'env_id', envId)),
      remove: async () => {
        await deleteHiddenFlags(tx, envId)
        await environmentQueries.remove(tx, envId)
        await noteDeleted(tx, { id: envId, projectId }, by.now)
        await orderEnvironments(
          tx,
          order.filter((id) => id !== envId),
        )
        await notifyChanged(tx, envId)
      },
    })
  })
  // On this node, the SDK key stops working before the call answers. Other nodes follow when they are notified.
  if (!isRefusal(result)) afterCommit(() => store.remove(envId))
  return result
}

const dayMs = 24 * 60 * 60_000

/** Deleted environments are known until their events are gone, which are deleted by whole days. */
export const deletedEnvironmentSweep = (eventsKeptForMs: number): Sweep => ({
  ...{ name: 'deleted_environments', everyMs: dayMs, keepForMs: eventsKeptForMs + 2 * dayMs },
  sweep: forgetDeleted,
})
