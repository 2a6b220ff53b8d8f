import { isDeepStrictEqual } from 'node:util'
import { invalid, isRefusal, notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { type IfMatch, versionEtag } from '../../../http/etag.ts'
import type { On } from '../../../nouns/index.ts'
import { constraintOf, type Db, type Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import { type Author, closeEvents } from '../../../platform/outbox.ts'
import type { Sweep } from '../../../platform/retention/index.ts'
import { afterCommit, inTransaction } from '../../../platform/transaction.ts'
import { withoutUndefined } from '../../../without-undefined.ts'
import { numberProject } from '../../people/organizations/index.ts'
import { type DataFileStore, lockEnvironments, notifyChanged } from '../../serving/datafile/index.ts'
import { addBuiltInEnvironments } from './environments/actions.ts'
import { keyFor } from './key.ts'
import type { ProjectType } from './project-type.ts'
import {
  deleteProjectRows,
  detachProject,
  hasFlags,
  insertProject,
  lockDeletedProject,
  lockProject,
  type Project,
  projectKeys,
  type RunningFlag,
  runningFlags,
  saveProject,
  servedExperiments,
} from './queries.ts'

/**
 * A transaction that creates or deletes a part of the project, under the project's lock. Two creates at once cannot pass
 * a limit or take the same key, and no new environment can copy drafts that named a deleted part until a moment ago.
 */
export const inProject = <Result>(
  db: Db,
  by: Author,
  { orgId, id }: { orgId: string; id: string },
  work: (on: On) => Promise<Result | Refusal>,
): Promise<Result | Refusal> =>
  inTransaction(db, async (tx) => ((await lockProject(tx, orgId, id)) ? work({ tx, by, orgId }) : notFound('Project')))

export const projectEtag = ({ version }: Project): string => versionEtag('project', version)

interface NewProject {
  orgId: string
  name: string
  key?: string | undefined
  type?: ProjectType
}

export async function createProject(
  tx: Tx,
  by: Author,
  { orgId, name, key, type = 'FEATURE_FLAG' }: NewProject,
): Promise<Project | Refusal> {
  const shortId = await numberProject(tx, orgId)
  const taken = await projectKeys(tx, orgId)
  if (key !== undefined && taken.has(key)) return keyTaken(key)
  const project: Project = {
    id: newId(),
    shortId,
    orgId,
    key: key ?? keyFor(name, 'project', taken),
    name,
    type,
    samplesVisitors: true,
    version: 1,
    createdAt: by.now,
    updatedAt: by.now,
  }
  await insertProject(tx, project)
  await addBuiltInEnvironments(tx, project.id, by)
  await by.record(tx, {
    orgId,
    projectId: project.id,
    action: 'project.create',
    object: { type: 'project', id: project.id, name },
    after: project,
    events: [{ name: 'project.created', payload: {} }],
  })
  return project
}

const keyTaken = (key: string): Refusal => {
  const message = `The key ${key} is taken in this organization.`
  return refuse('already_exists', message, { issues: [{ path: ['key'], message }] })
}

const whatIsIn: Record<ProjectType, string> = { FEATURE_FLAG: 'flags', WEB: 'experiments' }

type Editable = Pick<Project, 'name' | 'key' | 'samplesVisitors'>

type ProjectEdit = { [Field in keyof Editable]?: Editable[Field] | undefined }

export function updateProject(
  db: Db,
  by: Author,
  ifMatch: IfMatch,
  { orgId, projectId }: { orgId: string; projectId: string },
  edit: ProjectEdit,
): Promise<Project | Refusal> {
  const work = inTransaction(db, async (tx) => {
    const project = await lockProject(tx, orgId, projectId)
    if (!project) return notFound('Project')
    const failed = ifMatch(projectEtag(project))
    if (failed) return failed
    const { name, key, samplesVisitors } = project
    const before: Editable = { name, key, samplesVisitors }
    const after: Editable = { ...before, ...withoutUndefined(edit) }
    if (isDeepStrictEqual(before, after)) return project
    if (after.key !== key && (await hasFlags(tx, projectId)))
      return refuse('invalid_state', `The project has ${whatIsIn[project.type]}: its key can no longer change.`, {
        current: key,
      })
    const edited = { ...project, ...after, version: project.version + 1, updatedAt: by.now }
    await saveProject(tx, edited)
    await by.record(tx, {
      orgId,
      projectId,
      action: 'project.update',
      object: { type: 'project', id: projectId, name: after.name },
      before,
      after,
      events: [{ name: 'project.updated', payload: { previousName: name } }],
    })
    return edited
  })
  return work.catch((error) => {
    if (constraintOf(error) === 'projects_key_key' && edit.key) return keyTaken(edit.key)
    throw error
  })
}

const maxShownReferences = 100

/**
 * Deletes a project at once, regardless of its size: no call finds it any more, and its rows are deleted later in batches.
 * Every environment is locked, so no flag starts running meanwhile. An edit in progress cannot commit afterwards.
 */
export async function deleteProject(
  db: Db,
  store: DataFileStore,
  by: Author,
  { ifMatch, confirmation }: { ifMatch: IfMatch; confirmation: string | undefined },
  { orgId, projectId }: { orgId: string; projectId: string },
): Promise<null | Refusal> {
  const result = await inTransaction(db, async (tx) => {
    const project = await lockProject(tx, orgId, projectId)
    if (!project) return notFound('Project')
    // A separate statement: it sees the environments that were committed while the first one waited.
    const environments = await lockEnvironments(tx, projectId)
    const refusal =
      refusesUnconfirmed(project, confirmation) ??
      ifMatch(projectEtag(project)) ??
      refusesRunning(await runningFlags(tx, projectId, maxShownReferences)) ??
      refusesServed(await servedExperiments(tx, projectId, maxShownReferences))
    if (refusal) return refusal
    const { shortId, key, name, type } = project
    // Detach first, so that the project's own webhooks get no more events.
    await detachProject(tx, projectId)
    await by.record(tx, {
      orgId,
      projectId,
      action: 'project.delete',
      object: { type: 'project', id: projectId, name },
      before: { shortId, key, name, type },
      events: [{ name: 'project.deleted', payload: {} }],
    })
    await closeEvents(tx, projectId)
    for (const { id } of environments) await notifyChanged(tx, id)
    return environments.map(({ id }) => id)
  })
  if (isRefusal(result)) return result
  // On this node, the SDK keys stop working before the call answers. Other nodes follow when they are notified.
  afterCommit(() => {
    for (const envId of result) store.remove(envId)
  })
  return null
}

function refusesUnconfirmed({ key }: Project, confirmation: string | undefined): Refusal | undefined {
  if (confirmation === key) return undefined
  const message = `Deleting a project cannot be undone. Send X-Svc-Confirm with the key of the project: ${key}.`
  return invalid({ path: ['X-Svc-Confirm'], message })
}

function refusesRunning(running: readonly RunningFlag[]): Refusal | undefined {
  if (running.length === 0) return undefined
  return refuse('invalid_state', 'Flags of the project are running. Pause them in every environment first.', {
    references: running.map((flag) => ({ type: 'flag', ...flag })),
  })
}

function refusesServed(served: readonly { id: string; envId: string }[]): Refusal | undefined {
  if (served.length === 0) return undefined
  const message =
    'Visitors get experiments of the project. Pause or complete those that run, and archive those that are rolled out.'
  return refuse('invalid_state', message, { references: served.map((each) => ({ type: 'experiment', ...each })) })
}

const sweepEveryMs = 60_000

/** Deletes the rows of deleted projects. Only one node sweeps a project at a time. */
export const deletedProjectSweep: Sweep = {
  name: 'projects',
  everyMs: sweepEveryMs,
  keepForMs: 0,
  sweep: (db, _before, limit) =>
    db.transaction().execute(async (tx) => {
      const projectId = await lockDeletedProject(tx)
      return projectId === undefined ? 0 : deleteProjectRows(tx, projectId, limit)
    }),
}
