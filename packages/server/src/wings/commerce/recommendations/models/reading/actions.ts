import type { Db } from '../../../../../platform/db/index.ts'
import { JobFailure, type Run } from '../../../../../platform/jobs/index.ts'
import type { MeasuredEvents } from '../../../../measuring/events/index.ts'
import {
  activeVersionOf,
  defaultActions,
  environmentFault,
  expectEnvironment,
  type Related,
  relatedOf,
} from '../../../datasets/index.ts'
import type { Product, Task } from '../building/build.ts'
import { type Gathered, gathering, maxInteractions, scoring, TooManyInteractions } from '../building/gathered.ts'
import { findModel, type ModelRow, productTexts } from '../queries.ts'

export interface Reading {
  db: Db
  events: Pick<MeasuredEvents, 'position' | 'happened'>
  now: () => Date
}

/** What the thread needs to build a model. */
export interface Read {
  task: Task
  products?: AsyncIterable<readonly Product[]>
}

const dayMs = 86_400_000
/** What is older counts less than a thousandth in `POPULAR`, and not at all in `TRENDING`. */
const windowMs = { POPULAR: 90 * dayMs, TRENDING: 15 * dayMs }
const productsAtOnce = 500

/** Reads what a model learns from. */
export async function readFor(context: Reading, run: Run, model: ModelRow): Promise<Read> {
  const { strategy } = model
  switch (strategy) {
    case 'POPULAR':
    case 'TRENDING': {
      const until = context.now()
      const from = new Date(until.getTime() - windowMs[strategy])
      const { envId, actions = defaultActions } = model.settings
      const through = await context.events.position()
      const scored = scoring(strategy, actions, until.getTime())
      await readInto(scored, context, run, { envId: envId!, actions, from, until, through })
      return { task: { strategy, scored: scored.end() } }
    }
    case 'VIEWED_TOGETHER':
    case 'BOUGHT_TOGETHER':
    case 'FOR_YOU':
      return { task: { strategy, gathered: await interactionsOf(context, run, model) } }
    case 'SIMILAR':
      return { task: { strategy }, products: productsOf(context, run) }
    case 'IMPORTED':
      return { task: { strategy, related: await pairsOf(context, run, model) } }
  }
}

/** Why no run of a model can succeed before a person changes something; null if nothing is known. */
export async function hindranceOf(db: Db, of: { projectId: string; sourceId: string }): Promise<string | null> {
  const model = await findModel(db, of.sourceId)
  if (!model) return null
  const { datasetId, settings } = model
  if (datasetId === null) return settings.envId ? environmentFault(db, of.projectId, settings.envId) : null
  const version = await activeVersionOf(db, datasetId)
  if (!version) return noVersion
  return version.derivation && environmentFault(db, of.projectId, version.derivation.envId)
}

const noVersion = 'The dataset of the model has no active version yet.'

/** The interactions of the active version of the dataset: its events are read again. */
async function interactionsOf(context: Reading, run: Run, { datasetId }: ModelRow): Promise<Gathered> {
  const version = await activeVersionOf(context.db, datasetId!)
  if (!version?.derivation) throw new JobFailure(noVersion)
  const { derivation, from, until, batch } = version
  const { envId, actions } = derivation
  return gatheredOf(context, run, { envId, actions, from: from!, until: until!, through: batch! })
}

/** The pairs of the active version of the dataset. */
async function pairsOf({ db }: Reading, run: Run, { datasetId }: ModelRow): Promise<Related> {
  const version = await activeVersionOf(db, datasetId!)
  if (!version) throw new JobFailure(noVersion)
  return relatedOf(db, version, (done) => run.progress({ step: 'READ', done, of: version.rows }))
}

interface Wanted {
  envId: string
  actions: Readonly<Record<string, number>>
  from: Date
  until: Date
  through: number
}

async function gatheredOf(context: Reading, run: Run, wanted: Wanted): Promise<Gathered> {
  const interactions = gathering(wanted.actions)
  try {
    await readInto(interactions, context, run, wanted)
  } catch (error) {
    if (!(error instanceof TooManyInteractions)) throw error
    throw new JobFailure(`There are more than ${maxInteractions.toLocaleString('en')} interactions.`)
  }
  return interactions.end()
}

type Reader = Pick<ReturnType<typeof gathering>, 'add' | 'size'>

async function readInto(reader: Reader, { db, events }: Reading, run: Run, { actions, ...of }: Wanted): Promise<void> {
  await expectEnvironment(db, run.job.projectId, of.envId)
  for await (const portion of events.happened({ ...of, eventKeys: Object.keys(actions) })) {
    reader.add(portion)
    await run.progress({ step: 'READ', done: reader.size(), of: null })
  }
}

async function* productsOf({ db }: Reading, run: Run): AsyncGenerator<readonly Product[]> {
  let read = 0
  for (let after = ''; ; ) {
    const portion = await productTexts(db, run.job.projectId, after, productsAtOnce)
    if (portion.length === 0) return
    yield portion
    read += portion.length
    after = portion.at(-1)!.id
    await run.progress({ step: 'READ', done: read, of: null })
  }
}
