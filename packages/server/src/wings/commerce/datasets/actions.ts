import { invalid, notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import {
  findJob,
  type Job,
  JobFailure,
  type Jobs,
  openJob,
  removeSchedule,
  setSchedule,
} from '../../../platform/jobs/index.ts'
import { type Author, recordedLast } from '../../../platform/outbox.ts'
import { asOne, inTransaction } from '../../../platform/transaction.ts'
import { projectNoun } from '../../flags/projects/index.ts'
import { findProduction, isEnvironmentOf } from '../../model/environments/index.ts'
import { jobBody, recordJob } from '../../model/jobs/index.ts'
import {
  type DatasetContent,
  type DatasetGuards,
  type Derivation,
  defaultGuards,
  derivationOf,
  maxDatasetsPerProject,
  refusesDataset,
} from './dataset.ts'
import {
  activateVersion,
  activeBefore,
  activeVersionOf,
  type DatasetRow,
  datasetQueries,
  findVersion,
  insertDataset,
  keepDataset,
  modelsOn,
  projectName,
  refreshKind,
  saveDataset,
  type VersionRow,
} from './queries.ts'

type NewDataset = DatasetContent & { key?: string | undefined }

const noun = (retentionMs: number) =>
  projectNoun<'dataset', DatasetRow, DatasetContent, NewDataset>({
    noun: 'dataset',
    most: maxDatasetsPerProject,
    queries: datasetQueries,
    content: contentOf,
    begin: () => ({ activeVersion: null }),
    async insert(tx, row, by) {
      await insertDataset(tx, row)
      await schedule(tx, row, by.now)
    },
    async save(tx, row, by) {
      await saveDataset(tx, row)
      await schedule(tx, row, by.now)
    },
    refuses: {
      content: async (tx, projectId, content, given) =>
        refusesDataset(content, retentionMs) ??
        // The environment can have been deleted since. Whoever edits something else keeps it.
        (given.derivation ? await refusesEnvironment(tx, projectId, content) : undefined),
      delete: refusesDeletion,
    },
  })

function contentOf({ name, kind, derivation, guards, schedule }: DatasetContent): DatasetContent {
  return { name, kind, derivation, guards, schedule }
}

async function schedule(tx: Tx, { id: sourceId, projectId, name, schedule }: DatasetRow, now: Date): Promise<void> {
  await setSchedule(tx, { projectId, sourceId, name, kind: refreshKind, schedule, now })
}

async function refusesEnvironment(
  tx: Tx,
  projectId: string,
  { derivation }: DatasetContent,
): Promise<Refusal | undefined> {
  if (!derivation || (await isEnvironmentOf(tx, projectId, derivation.envId))) return undefined
  return invalid({ path: ['derivation', 'envId'], message: 'There is no such environment in this project.' })
}

/** Ends the attempt if the environment is gone. What is left of its events is about to be deleted, and says less each day. */
export async function expectEnvironment(db: Db, projectId: string, envId: string): Promise<void> {
  const fault = await environmentFault(db, projectId, envId)
  if (fault !== null) throw new JobFailure(fault)
}

/** What is wrong with the environment whose events are read; null if nothing is. */
export const environmentFault = async (db: Db, projectId: string, envId: string): Promise<string | null> =>
  (await isEnvironmentOf(db, projectId, envId))
    ? null
    : 'The environment whose events are read was deleted. Choose another one.'

/** Without a schedule, nobody can make a job of the dataset any more. */
async function refusesDeletion(tx: Tx, { id }: DatasetRow): Promise<Refusal | undefined> {
  const models = await modelsOn(tx, id)
  if (models.length > 0)
    return refuse('invalid_state', 'Models learn from this dataset. Delete them first, or give them another one.', {
      references: models.map((model) => ({ type: 'recommendation_model', id: model.id })),
    })
  await removeSchedule(tx, id)
  const job = await openJob(tx, id, refreshKind)
  if (!job) return undefined
  return refuse('invalid_state', 'A job of this dataset is queued or running. Cancel it first, or wait for its end.', {
    current: job.status,
    references: [{ type: 'job', id: job.id }],
  })
}

/** What a caller says of a dataset. */
export interface Given {
  name: string
  key?: string | undefined
  kind: DatasetContent['kind']
  derivation?: { [Field in keyof Derivation]?: Derivation[Field] | undefined } | null | undefined
  guards: { [Field in keyof DatasetGuards]?: number | undefined }
  schedule: DatasetContent['schedule']
}

/** The actions of datasets. What is not given has its default. */
export function datasetActions(retentionMs: number) {
  const plain = noun(retentionMs)

  const create = (db: Db, by: Author, project: { orgId: string; id: string }, given: Given) =>
    asOne(db, async (tx) => {
      const { derivation = given.kind === 'INTERACTIONS' ? {} : null } = given
      return plain.create(db, by, project, {
        ...given,
        derivation: await wholeDerivation(tx, project.id, derivation),
        guards: guardsOf(given.guards),
      })
    })

  const update = ((db, by, ifMatch, which, edit) =>
    asOne(db, async (tx) => {
      const { derivation, guards } = edit as Partial<Given>
      return plain.update(db, by, ifMatch, which, {
        ...edit,
        ...(derivation !== undefined && { derivation: await wholeDerivation(tx, which.projectId, derivation) }),
        ...(guards !== undefined && { guards: guardsOf(guards) }),
      })
    })) as typeof plain.update

  async function wholeDerivation(tx: Tx, projectId: string, given: Given['derivation']): Promise<Derivation | null> {
    if (!given) return null
    const production = (await findProduction(tx, projectId)) ?? null
    // A project without an environment is refused with the rest of the content.
    return derivationOf(given, { production, retentionMs }) as Derivation
  }

  return { ...plain, create, update }
}

export type DatasetActions = ReturnType<typeof datasetActions>

const guardsOf = ({ maxRowDrop, maxUnknownShare }: Given['guards']): DatasetGuards => ({
  maxRowDrop: maxRowDrop ?? defaultGuards.maxRowDrop,
  maxUnknownShare: maxUnknownShare ?? defaultGuards.maxUnknownShare,
})

interface Which {
  orgId: string
  projectId: string
  id: string
}

const tries = 3

/** Asks for a new version of a derived dataset. A dataset has one open job at a time. */
export const requestVersion = (
  { db, jobs }: { db: Db; jobs: Jobs },
  by: Author,
  { orgId, projectId, id }: Which,
): Promise<{ job: Job; isNew: boolean } | Refusal> =>
  inTransaction(db, async (tx) => {
    const dataset = await keepDataset(tx, id)
    if (!dataset) return notFound('Dataset')
    for (let left = tries; left > 0; left -= 1) {
      const made = await queueRefresh(tx, jobs, by, { orgId, dataset, input: {} })
      if (made) return { job: (await findJob(tx, { orgId, projectId }, made))!, isNew: true }
      // It can end between the two statements.
      const job = await openJob(tx, id, refreshKind)
      if (job) return { job, isNew: false }
    }
    return refuse('unavailable', 'Jobs of this dataset begin and end at the moment. Try again shortly.')
  })

/** What the job of a dataset works with. */
export interface RefreshInput {
  /** Models that learn from it run when the version goes live. */
  runModels?: boolean | undefined
  /** A version whose rows were uploaded. */
  arrived?: string | undefined
  /** A held version that a person has accepted. */
  accepts?: string | undefined
}

/** Makes the job of a version. Undefined if the dataset has an open one. */
export async function queueRefresh(
  tx: Tx,
  jobs: Jobs,
  by: Author,
  { orgId, dataset, input }: { orgId: string; dataset: DatasetRow; input: RefreshInput },
): Promise<string | undefined> {
  const { id: datasetId, projectId, name } = dataset
  const id = newId()
  const wanted = { id, projectId, kind: refreshKind, source: { id: datasetId, name }, trigger: 'REQUEST' } as const
  if (!(await jobs.createUnlessOpen(tx, { ...wanted, input, now: by.now }))) return undefined
  await recordJob(tx, by, { ...wanted, orgId, status: 'QUEUED' }, 'request', { after: { datasetId } })
  return id
}

/** Lets the models that learn from a dataset run at once. The wing provides it. */
export type RunModels = (
  tx: Tx,
  by: Author,
  of: { orgId: string; projectId: string; datasetId: string },
) => Promise<void>

export interface Activating {
  baseUrl: string
  runModels: RunModels
}

/** Makes a version the one that models read, and records that. The caller has locked the dataset. */
export async function goLive(
  tx: Tx,
  author: Author,
  { baseUrl, runModels }: Activating,
  of: { dataset: DatasetRow; version: VersionRow; job: Job | null; orgId: string; run: boolean },
): Promise<void> {
  const { dataset, version, job, orgId, run } = of
  const { id, projectId, key, name } = dataset
  await activateVersion(tx, { datasetId: id, versionId: version.id, now: author.now })
  const { rows } = version
  const common = job
    ? jobBody(baseUrl, job)
    : {
        ...{ source: { type: 'commerce' as const, id, name }, kind: refreshKind, projectId, job: null },
        projectName: await projectName(tx, projectId),
        link: `${baseUrl}/projects/${projectId}/commerce/datasets/${id}`,
      }
  await recordedLast(tx, author, async (by) => {
    await by.record(tx, {
      ...{ orgId, projectId, action: job ? 'dataset.refresh' : 'dataset.activate' },
      object: { type: 'dataset', id, name },
      before: { version: dataset.activeVersion?.number ?? null },
      after: { version: version.number, rows },
      events: [
        {
          name: 'dataset.version.activated',
          payload: { ...common, dataset: { id, key, name, version: version.number, rows } },
        },
      ],
    })
    // Models that were waiting for a first version have failed, or would begin with their next slot.
    if (run || dataset.activeVersion === null) await runModels(tx, by, { orgId, projectId, datasetId: id })
  })
}

/** Lets a version go live that a person has chosen. One that is active already stays, and nothing is recorded. */
export const activate = (
  db: Db,
  by: Author,
  context: Activating,
  { orgId, id, versionId, run }: Which & { versionId: string; run: boolean },
): Promise<VersionRow | Refusal> =>
  inTransaction(db, async (tx) => {
    const dataset = await datasetQueries.lock(tx, id)
    if (!dataset) return notFound('Dataset')
    const version = await findVersion(tx, id, versionId)
    if (!version) return notFound('Version')
    if (version.isActive) return version
    await goLive(tx, by, context, { dataset, version, job: null, orgId, run })
    return (await activeVersionOf(tx, id))!
  })

/** Goes back to the version that was active before. */
export const rollback = (
  db: Db,
  by: Author,
  context: Activating,
  { orgId, id, run }: Which & { run: boolean },
): Promise<VersionRow | Refusal> =>
  inTransaction(db, async (tx) => {
    const dataset = await datasetQueries.lock(tx, id)
    if (!dataset) return notFound('Dataset')
    const version = await activeBefore(tx, id)
    if (!version) return refuse('invalid_state', 'No other version was active before.')
    await goLive(tx, by, context, { dataset, version, job: null, orgId, run })
    return (await activeVersionOf(tx, id))!
  })
