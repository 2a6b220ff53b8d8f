import { createHash } from 'node:crypto'
import { newId } from '../../../../../platform/ids.ts'
import { JobFailure, type Run } from '../../../../../platform/jobs/index.ts'
import { type Authors, systemActor } from '../../../../../platform/outbox.ts'
import { jobBody } from '../../../../model/jobs/index.ts'
import type { Built } from '../building/built.ts'
import {
  activateRun,
  activeRunOf,
  deleteParts,
  insertPart,
  insertRun,
  type ModelRow,
  modelQueries,
  type RunRow,
  runOfJob,
  saveBuiltRun,
} from '../queries.ts'
import { type RunResult, refusedByGate } from './gate.ts'
import { partsOf } from './parts.ts'

export interface Recording {
  authorOf: Authors
  baseUrl: string
  now: () => Date
}

export const modelDeleted = (): JobFailure => new JobFailure('The model was deleted.')

/** Begins a run, or goes on with that of an attempt that did not end. */
export const beginRun = ({ now }: Recording, { job, write }: Run): Promise<{ model: ModelRow; run: RunRow }> =>
  write(async (tx) => {
    const model = await modelQueries.lock(tx, job.source.id)
    if (!model) throw modelDeleted()
    const known = await runOfJob(tx, job.id)
    if (known) {
      await deleteParts(tx, known.id)
      return { model, run: known }
    }
    await insertRun(tx, { id: newId(), modelId: model.id, jobId: job.id, now: now() })
    return { model, run: (await runOfJob(tx, job.id))! }
  })

/** Stores what was built, part by part, so that nothing waits for a large model. Nobody sees it yet. */
export async function storeModels({ write, progress }: Run, runId: string, { models }: Built): Promise<void> {
  const of = models.reduce((bytes, { length }) => bytes + length, 0)
  let done = 0
  for (const [model, bytes] of models.entries()) {
    let part = 0
    for (const each of partsOf(bytes)) {
      const sha256 = createHash('sha256').update(each).digest()
      await write((tx) => insertPart(tx, runId, { model, part, sha256, bytes: each }))
      part += 1
      done += each.length
    }
    await progress({ step: 'STORE', done, of })
  }
}

/** Ends a run, and lets its model serve if that is nearly as good as the active one. */
export const endRun = (context: Recording, { job, write }: Run, run: RunRow, built: Built): Promise<RunResult> =>
  write(async (tx) => {
    const now = context.now()
    const model = await modelQueries.lock(tx, job.source.id)
    if (!model) throw modelDeleted()
    const { metrics, products } = built
    const active = await activeRunOf(tx, model.id)
    const reason = refusedByGate(
      { metrics, products },
      active && { metrics: active.metrics, products: active.products! },
    )
    const bytes = built.models.reduce((sum, { length }) => sum + length, 0)
    await saveBuiltRun(tx, run.id, { metrics, products, bytes, reason }, now)
    const { projectId } = model
    const activated = reason === null
    const result = { runId: run.id, runNumber: run.number, activated, products, bytes, metrics, reason }
    const event = {
      name: 'recommendation.run.completed',
      payload: { ...jobBody(context.baseUrl, job), run: { id: run.id, activated, metrics } },
    } as const
    const by = context.authorOf(systemActor('jobs'))
    const orgId = job.orgId
    if (!activated) {
      await by.announce(tx, { orgId, projectId }, event)
      return result
    }
    await activateRun(tx, { projectId, modelId: model.id, runId: run.id, now })
    await by.record(tx, {
      ...{ orgId, projectId, action: 'recommendation_model.run' },
      object: { type: 'recommendation_model', id: model.id, name: model.name },
      before: { runNumber: active?.number ?? null },
      after: { jobId: job.id, runNumber: run.number, products, metrics },
      events: [event],
    })
    return result
  })

/** What a run has come to that had ended before. */
export const resultOf = ({ id, number, activatedAt, products, bytes, metrics, reason }: RunRow): RunResult => ({
  ...{ runId: id, runNumber: number, activated: activatedAt !== null, products: products!, bytes: bytes! },
  ...{ metrics, reason },
})

export const succeeded = (result: RunResult) => ({ status: 'SUCCEEDED', result }) as const
