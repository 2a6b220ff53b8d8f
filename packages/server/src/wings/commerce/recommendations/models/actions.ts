import { invalid, isRefusal, notFound, type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import { namesIn } from '../../../../nouns/index.ts'
import { asPartOf, type Db, type Tx } from '../../../../platform/db/index.ts'
import { isId, newId } from '../../../../platform/ids.ts'
import { findJob, type Job, type Jobs, openJob, removeSchedule, setSchedule } from '../../../../platform/jobs/index.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { asOne, inTransaction } from '../../../../platform/transaction.ts'
import { projectNoun } from '../../../flags/projects/index.ts'
import { findProduction, isEnvironmentOf } from '../../../model/environments/index.ts'
import { recordJob } from '../../../model/jobs/index.ts'
import {
  type DatasetRow,
  datasetActions,
  datasetCalled,
  kindOfDataset,
  modelsOn,
  queueRefresh,
  type RunModels,
} from '../../datasets/index.ts'
import { type NamedModels, placementsNaming } from '../placements/index.ts'
import type { ModelName, ModelOfStrategyIn, ModelStrategy } from './live.ts'
import {
  behaviour,
  keyOfStrategy,
  learnsFrom,
  type ModelContent,
  maxModelsPerProject,
  nameOfStrategy,
  refusesModel,
  scheduleOfStrategy,
  settingsOf,
} from './model.ts'
import {
  activateRun,
  findRun,
  insertModel,
  keepModel,
  keysOf,
  type ModelRow,
  modelQueries,
  newestOf,
  notifyChanged,
  type RunRow,
  saveModel,
} from './queries.ts'
import { runKind } from './runs/worker.ts'

type NewModel = ModelContent & { key?: string | undefined }

const noun = projectNoun<'recommendation_model', ModelRow, ModelContent, NewModel>({
  noun: 'recommendation_model',
  word: 'model',
  most: maxModelsPerProject,
  queries: modelQueries,
  content: contentOf,
  begin: () => ({ activeRun: null }),
  async insert(tx, row, by) {
    await insertModel(tx, row)
    await schedule(tx, row, by.now)
  },
  async save(tx, row, by) {
    await saveModel(tx, row)
    await schedule(tx, row, by.now)
  },
  async remove(tx, id) {
    const model = await modelQueries.lock(tx, id)
    await modelQueries.remove(tx, id)
    if (model) await notifyChanged(tx, model.projectId)
  },
  refuses: {
    content: async (tx, projectId, content, given) =>
      refusesModel(content) ??
      // The environment can have been deleted since. Whoever edits something else keeps it.
      (given.settings ? await refusesEnvironment(tx, projectId, content) : undefined) ??
      (await refusesDataset(tx, projectId, content)),
    delete: refusesDeletion,
  },
})

function contentOf({ name, strategy, datasetId, settings, schedule }: ModelContent): ModelContent {
  return { name, strategy, datasetId, settings, schedule }
}

async function schedule(tx: Tx, { id: sourceId, projectId, name, schedule }: ModelRow, now: Date): Promise<void> {
  await setSchedule(tx, { projectId, sourceId, name, kind: runKind, schedule, now })
}

async function refusesEnvironment(tx: Tx, projectId: string, { settings }: ModelContent): Promise<Refusal | undefined> {
  const { envId } = settings
  if (envId === undefined || (await isEnvironmentOf(tx, projectId, envId))) return undefined
  return invalid({ path: ['settings', 'envId'], message: 'There is no such environment in this project.' })
}

async function refusesDataset(
  tx: Tx,
  projectId: string,
  { strategy, datasetId }: ModelContent,
): Promise<Refusal | undefined> {
  if (datasetId === null) return undefined
  const kind = isId(datasetId) ? await kindOfDataset(tx, projectId, datasetId) : undefined
  const wanted = learnsFrom[strategy]
  if (kind === wanted) return undefined
  const message = kind
    ? `A model of ${strategy} learns from a dataset of ${wanted}. This one is of ${kind}.`
    : 'There is no such dataset in this project.'
  return invalid({ path: ['datasetId'], message })
}

/** Without a schedule, nobody can make a job of the model any more: the scheduler waits, and requests keep the model. */
async function refusesDeletion(tx: Tx, { id, projectId, key }: ModelRow): Promise<Refusal | undefined> {
  const naming = await placementsNaming(tx, projectId, key)
  if (naming.length > 0)
    return refuse('invalid_state', 'Placements use this model. Take its key out of their variants first.', {
      references: naming.map(({ id }) => ({ type: 'placement', id })),
    })
  await removeSchedule(tx, id)
  const job = await openJob(tx, id, runKind)
  if (!job) return undefined
  return refuse(
    'invalid_state',
    'A run of this model is queued or running. Cancel its job first, or wait for its end.',
    {
      current: job.status,
      references: [{ type: 'job', id: job.id }],
    },
  )
}

/** The actions of models. What a strategy does not say has its default. */
export const modelActions = {
  ...noun,
  create: (db: Db, by: Author, project: { orgId: string; id: string }, wanted: NewModel): Promise<ModelRow | Refusal> =>
    asOne(db, async (tx) => {
      const settings = await wholeSettings(tx, project.id, wanted)
      return noun.create(db, by, project, { ...wanted, settings })
    }),
  update: ((db, by, ifMatch, which, edit) =>
    asOne(db, async (tx) => {
      if (edit.settings === undefined) return noun.update(db, by, ifMatch, which, edit)
      const model = await modelQueries.lock(tx, which.id)
      if (!model) return notFound('Recommendation model')
      const settings = await wholeSettings(tx, which.projectId, { ...model, settings: edit.settings })
      return noun.update(db, by, ifMatch, which, { ...edit, settings })
    })) as typeof noun.update,
}

const wholeSettings = async (
  tx: Tx,
  projectId: string,
  { strategy, settings }: Pick<ModelContent, 'strategy' | 'settings'>,
) => settingsOf(strategy, settings, (await findProduction(tx, projectId)) ?? null)

export interface Asking {
  db: Db
  jobs: Jobs
}

interface Which {
  orgId: string
  projectId: string
  id: string
}

const tries = 3

/** Asks for a run. A model has one open job at a time, so later callers get the one that is there. */
export const requestRun = (
  { db, jobs }: Asking,
  by: Author,
  { orgId, projectId, id }: Which,
): Promise<{ job: Job; isNew: boolean } | Refusal> =>
  inTransaction(db, async (tx) => {
    const model = await keepModel(tx, id)
    if (!model) return notFound('Recommendation model')
    for (let left = tries; left > 0; left -= 1) {
      const made = await queueRun(tx, jobs, by, { orgId, projectId, model })
      if (made) return { job: (await findJob(tx, { orgId, projectId }, made))!, isNew: true }
      // It can end between the two statements.
      const job = await openJob(tx, id, runKind)
      if (job) return { job, isNew: false }
    }
    return refuse('unavailable', 'Jobs of this model begin and end at the moment. Try again shortly.')
  })

/** Makes the job of a run. Undefined if the model has an open one. */
async function queueRun(
  tx: Tx,
  jobs: Jobs,
  by: Author,
  { orgId, projectId, model }: { orgId: string; projectId: string; model: Pick<ModelRow, 'id' | 'name'> },
): Promise<string | undefined> {
  const { id: modelId, name } = model
  const id = newId()
  const wanted = { id, projectId, kind: runKind, source: { id: modelId, name }, trigger: 'REQUEST' } as const
  if (!(await jobs.createUnlessOpen(tx, { ...wanted, input: {}, now: by.now }))) return undefined
  await recordJob(tx, by, { ...wanted, orgId, status: 'QUEUED' }, 'request', { after: { modelId } })
  return id
}

/** Lets an earlier or a later run serve. */
export const activate = (
  db: Db,
  by: Author,
  { orgId, projectId, id: modelId, runId }: Which & { runId: string },
): Promise<RunRow | Refusal> =>
  inTransaction(db, async (tx) => {
    const model = await modelQueries.lock(tx, modelId)
    if (!model) return notFound('Recommendation model')
    const run = await findRun(tx, modelId, runId)
    if (!run) return notFound('Run')
    if (run.status !== 'SUCCEEDED')
      return refuse('invalid_state', 'Only a run that has succeeded can serve.', {
        current: run.status,
        allowed: ['SUCCEEDED'],
      })
    if (run.activated) return run
    await activateRun(tx, { projectId, modelId, runId, now: by.now })
    await by.record(tx, {
      ...{ orgId, projectId, action: 'recommendation_model.activate' },
      object: { type: 'recommendation_model', id: modelId, name: model.name },
      before: { runNumber: model.activeRun?.number ?? null },
      after: { runNumber: run.number },
      events: [{ name: 'recommendation_model.updated', payload: namesIn('recommendation_model', model) }],
    })
    return (await findRun(tx, modelId, runId))!
  })

export const modelOfStrategyIn: ModelOfStrategyIn = async (tx, { jobs, retentionMs }, by, project, strategy) => {
  if (strategy === 'RECENTLY_VIEWED') return null
  const known = await newestOf(tx, project.id, strategy)
  if (known) return known
  if (learnsFrom[strategy] === 'NEIGHBOURS')
    return refuse(
      'invalid_state',
      'A strategy of IMPORTED needs a model with a dataset of NEIGHBOURS. Create it first.',
    )
  const dataset = learnsFrom[strategy] === 'INTERACTIONS' ? await behaviourIn(tx, by, project, retentionMs) : null
  if (isRefusal(dataset)) return dataset
  const made = await madeFor(tx, by, project, { strategy, datasetId: dataset?.id ?? null })
  if (isRefusal(made)) return made
  const { orgId, id: projectId } = project
  // Without a version, there is nothing to learn from. The first one lets the models of the dataset run.
  if (dataset && dataset.activeVersion === null)
    await queueRefresh(tx, jobs, by, { orgId, dataset, input: { runModels: true } })
  else await queueRun(tx, jobs, by, { orgId, projectId, model: made })
  return { id: made.id, key: made.key } satisfies ModelName
}

/** The models that placements name. Those that a strategy lacks are made, with what they need. */
export const namedModels = (context: { jobs: Jobs; retentionMs: number }): NamedModels => ({
  ofStrategy: (tx, by, project, strategy) => modelOfStrategyIn(tx, context, by, project, strategy),
  keys: keysOf,
})

/** The dataset of what visitors do, which is made if there is none. */
async function behaviourIn(
  tx: Tx,
  by: Author,
  project: { orgId: string; id: string },
  retentionMs = defaultRetentionMs,
): Promise<DatasetRow | Refusal> {
  const known = await datasetCalled(tx, project.id, behaviour.key)
  if (known?.kind === 'INTERACTIONS') return known
  // A person has given the key to something else.
  const { key, ...names } = behaviour
  const given = { ...names, ...(!known && { key }), kind: 'INTERACTIONS', guards: {} } as const
  return partOf(tx, () => datasetActions(retentionMs).create(tx, by, project, given))
}

const defaultRetentionMs = 90 * 86_400_000

/** Its key and name are those of the strategy, or with a number if another model has them. */
async function madeFor(
  tx: Tx,
  by: Author,
  project: { orgId: string; id: string },
  { strategy, datasetId }: Pick<ModelContent, 'datasetId'> & { strategy: ModelStrategy },
): Promise<ModelRow | Refusal> {
  const settings = await wholeSettings(tx, project.id, { strategy, settings: {} })
  const { key, name } = await freeNames(tx, project.id, strategy)
  return partOf(tx, () =>
    noun.create(tx, by, project, {
      key,
      name,
      strategy,
      datasetId,
      settings,
      schedule: scheduleOfStrategy(strategy),
    }),
  )
}

/** Actions that begin a transaction become a part of this one. */
async function partOf<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
  const whole = { tx, hasEnded: false }
  try {
    return await asPartOf(whole, work)
  } finally {
    whole.hasEnded = true
  }
}

async function freeNames(tx: Tx, projectId: string, strategy: ModelStrategy): Promise<{ key: string; name: string }> {
  const [key, name] = [keyOfStrategy(strategy), nameOfStrategy(strategy)]
  const taken = await modelQueries.list(tx, projectId, null, maxModelsPerProject)
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? { key, name } : { key: `${key}-${count}`, name: `${name} ${count}` }
    if (!taken.some((other) => other.key === free.key || other.name === free.name)) return free
  }
}

/** Lets the models that learn from a dataset run at once. Those with an open job have their turn already. */
export const runModelsOf =
  (jobs: Jobs): RunModels =>
  async (tx, by, { orgId, projectId, datasetId }) => {
    for (const model of await modelsOn(tx, datasetId)) await queueRun(tx, jobs, by, { orgId, projectId, model })
  }
