import { type Db, isUnavailable } from '../../../../../platform/db/index.ts'
import { JobFailure, type JobKind, type Run } from '../../../../../platform/jobs/index.ts'
import type { MeasuredEvents } from '../../../../measuring/events/index.ts'
import { announceFailed, announceMissed } from '../../../../model/jobs/index.ts'
import { modelBuilder } from '../building/actions.ts'
import type { Built, Product } from '../building/build.ts'
import { type Gathered, gathering, maxInteractions, TooManyInteractions } from '../building/gathered.ts'
import { type ActionWeights, defaultActions } from '../model.ts'
import { type ModelRow, productTexts, saveFailedRun } from '../queries.ts'
import { beginRun, endRun, type Recording, resultOf, storeModels, succeeded } from './actions.ts'

export const runKind = 'recommendation_run'

export interface Building extends Recording {
  db: Db
  events: Pick<MeasuredEvents, 'position' | 'happened'>
}

const timeLimitMs = 2 * 3_600_000
const dayMs = 86_400_000
/** What is older counts less than a thousandth in `POPULAR`, and not at all in `TRENDING`. */
const windowMs = { POPULAR: 90 * dayMs, TRENDING: 15 * dayMs }
const productsAtOnce = 500

/** A run of a model: what it learns from is read, the model is built beside, stored in parts, compared and made live. */
export function recommendationRun(context: Building): JobKind {
  const building = modelBuilder()

  async function run(run: Run) {
    const begun = await beginRun(context, run)
    // A node that died after it had ended the run.
    if (begun.run.status === 'SUCCEEDED') return succeeded(resultOf(begun.run))
    const built = await buildFor(begun.model, run)
    await storeModels(run, begun.run.id, built)
    return succeeded(await endRun(context, run, begun.run, built))
  }

  async function buildFor(model: ModelRow, run: Run): Promise<Built> {
    const { strategy, settings } = model
    const { signal } = run
    switch (strategy) {
      case 'POPULAR':
      case 'TRENDING': {
        const until = context.now()
        const from = new Date(until.getTime() - windowMs[strategy])
        const { envId, actions = defaultActions } = settings
        const gathered = await readEvents(run, { envId: envId!, actions, from, until })
        return building({ task: { strategy, gathered, now: until.getTime() }, signal })
      }
      case 'SIMILAR':
        return building({ task: { strategy }, products: productsOf(run), signal })
      default:
        throw new JobFailure(`Models of ${strategy} cannot be built yet.`)
    }
  }

  async function readEvents(run: Run, of: Wanted): Promise<Gathered> {
    const { envId, actions, from, until } = of
    const { events } = context
    const interactions = gathering(actions)
    const through = await events.position()
    const asked = { envId, eventKeys: Object.keys(actions), from, until, through }
    try {
      for await (const portion of events.happened(asked)) {
        interactions.add(portion)
        await run.progress({ step: 'READ', done: interactions.size(), of: null })
      }
    } catch (error) {
      if (!(error instanceof TooManyInteractions)) throw error
      throw new JobFailure(`There are more than ${maxInteractions.toLocaleString('en')} interactions.`)
    }
    return interactions.end()
  }

  async function* productsOf(run: Run): AsyncGenerator<readonly Product[]> {
    let read = 0
    for (let after = ''; ; ) {
      const portion = await productTexts(context.db, run.job.projectId, after, productsAtOnce)
      if (portion.length === 0) return
      yield portion
      read += portion.length
      after = portion.at(-1)!.id
      await run.progress({ step: 'READ', done: read, of: null })
    }
  }

  return {
    name: runKind,
    queues: false,
    isConfidential: false,
    timeLimitMs,
    isTransient: isUnavailable,
    run,
    async ended(tx, job) {
      if (job.status !== 'FAILED' && job.status !== 'CANCELLED') return
      await saveFailedRun(tx, job.id, { status: job.status, reason: job.reason, now: context.now() })
      if (job.status === 'FAILED') await announceFailed(tx, context, job, job.reason ?? '')
    },
    found: (tx, job, incident) => announceFailed(tx, context, job, incident),
    scheduling: {
      input: async () => ({}),
      missed: (tx, of, incident) => announceMissed(tx, context, of, 'models', incident),
    },
  }
}

interface Wanted {
  envId: string
  actions: ActionWeights
  from: Date
  until: Date
}
