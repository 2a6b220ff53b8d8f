import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { modelOf, NotAModel } from '@svc/recommend'
import type { Database, Db } from '../../../../platform/db/index.ts'
import type { Sweep } from '../../../../platform/retention/index.ts'
import { deletedProjectChannel } from '../../../flags/projects/index.ts'
import { type ActiveRun, activeRuns, changedChannel, nextPart, sweepRuns } from './queries.ts'
import { type HeldModel, type ModelStore, modelStore } from './store.ts'

const hourMs = 3_600_000
const keptOfModel = 5

/** Old runs, with the models that they have built. */
export const modelSweeps: readonly Sweep[] = [
  {
    name: 'model_runs',
    everyMs: hourMs,
    keepForMs: 24 * hourMs,
    sweep: (db, before, limit) => sweepRuns(db, before, keptOfModel, limit),
  },
]

/** The models that this node serves, read from the database. */
export const modelsIn = (db: Db, onError: (error: unknown) => void): ModelStore =>
  modelStore(async (projectId, held) => {
    const loaded: HeldModel[] = []
    for (const run of await activeRuns(db, projectId)) {
      const known = held.get(run.runId)
      const found = known ?? (await loadRun(db, run, onError))
      if (found) loaded.push(found)
    }
    return loaded
  })

/** Hears of changes of all nodes. */
export async function keepModels(database: Pick<Database, 'listen'>, store: ModelStore): Promise<void> {
  // Of a deleted project, no model serves any more, so what is read again is nothing.
  for (const channel of [changedChannel, deletedProjectChannel])
    await database.listen(channel, store.refresh, store.refreshAll)
}

/** Undefined if the bytes are no model of this version: the other strategies of a placement then answer. */
async function loadRun(db: Db, run: ActiveRun, onError: (error: unknown) => void): Promise<HeldModel | undefined> {
  const { id, key, strategy, runId, runNumber } = run
  try {
    const models: HeldModel['models'][number][] = []
    for (const bytes of await bytesOfRun(db, runId)) {
      models.push({ id, key, strategy, runNumber, model: modelOf(bytes) })
      // Checking a large model takes a moment, and requests wait meanwhile.
      await nextTurn()
    }
    return { runId, models }
  } catch (error) {
    if (!(error instanceof NotAModel)) throw error
    onError(new Error(`Run ${runNumber} of the model ${key} (${id}) cannot be read: ${error.message}`))
    return undefined
  }
}

/** The models of a run. Each part is compared with its hash. */
async function bytesOfRun(db: Db, runId: string): Promise<Uint8Array[]> {
  const models: Uint8Array[][] = []
  for (let after: [number, number] = [-1, -1]; ; ) {
    const found = await nextPart(db, runId, after)
    if (!found) break
    const { model, part, sha256, bytes } = found
    if (!createHash('sha256').update(bytes).digest().equals(sha256))
      throw new NotAModel(`Part ${part} of model ${model} is damaged.`)
    models[model] ??= []
    models[model].push(bytes)
    after = [model, part]
  }
  if (models.length === 0) throw new NotAModel('It has no parts.')
  return models.map((parts) => new Uint8Array(Buffer.concat(parts)))
}
