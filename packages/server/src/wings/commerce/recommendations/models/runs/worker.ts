import { isUnavailable } from '../../../../../platform/db/index.ts'
import type { JobKind, Run } from '../../../../../platform/jobs/index.ts'
import { announceFailed, announceMissed } from '../../../../model/jobs/index.ts'
import { modelBuilder } from '../building/actions.ts'
import { runOfJob, saveFailedRun } from '../queries.ts'
import { hindranceOf, type Reading, readFor } from '../reading/actions.ts'
import { beginRun, endRun, type Recording, resultOf, storeModels, succeeded } from './actions.ts'

export const runKind = 'recommendation_run'

const timeLimitMs = 2 * 3_600_000

/** A run of a model: what it learns from is read, the model is built beside, stored in parts, compared and made live. */
export function recommendationRun(context: Recording & Reading): JobKind {
  const build = modelBuilder()

  async function runOnce(run: Run) {
    const begun = await beginRun(context, run)
    const read = await readFor(context, run, begun.model)
    await run.progress({ step: 'BUILD', done: 0, of: null })
    const built = await build({ ...read, signal: run.signal })
    await storeModels(run, begun.run.id, built)
    return succeeded(await endRun(context, run, begun.run, built))
  }

  return {
    name: runKind,
    queues: false,
    isConfidential: false,
    timeLimitMs,
    isTransient: isUnavailable,
    run: runOnce,
    async outcome(db, { id }) {
      const run = await runOfJob(db, id)
      return run?.status === 'SUCCEEDED' ? succeeded(resultOf(run)) : undefined
    },
    async ended(tx, job) {
      if (job.status !== 'FAILED' && job.status !== 'CANCELLED') return
      await saveFailedRun(tx, job.id, { status: job.status, reason: job.reason, now: context.now() })
      if (job.status === 'FAILED') await announceFailed(tx, context, job, job.reason ?? '')
    },
    found: (tx, job, incident) => announceFailed(tx, context, job, incident),
    scheduling: {
      input: async () => ({}),
      hindrance: hindranceOf,
      missed: (tx, of, incident) => announceMissed(tx, context, of, 'models', incident),
    },
  }
}
