import { createHash } from 'node:crypto'
import { type Db, isUnavailable } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids.ts'
import { JobFailure, type JobKind, type Run } from '../../../../platform/jobs/index.ts'
import { type Authors, systemActor } from '../../../../platform/outbox.ts'
import type { MeasuredEvents } from '../../../measuring/events/index.ts'
import { announceFailed, announceMissed } from '../../../model/jobs/index.ts'
import { type Activating, environmentFault, expectEnvironment, goLive, type RefreshInput } from '../actions.ts'
import { type RefreshResult, resultOf } from '../activating.ts'
import { checksOf, heldBecause } from '../checks.ts'
import { type Derivation, dayMs } from '../dataset.ts'
import {
  activeVersionOf,
  countProducts,
  datasetQueries,
  environmentOf,
  findArrived,
  findVersion,
  insertVersion,
  keepDataset,
  knownProducts,
  type NewVersion,
  numberVersion,
  refreshKind,
  versionOfJob,
} from '../queries.ts'
import { relatedOf } from '../uploads/actions.ts'
import { productsOf, type Related } from '../uploads/chunks.ts'
import { type Counting, counting, TooManyRows } from './counting.ts'

export interface Refreshing extends Activating {
  db: Db
  events: Pick<MeasuredEvents, 'position' | 'happened'>
  authorOf: Authors
  now: () => Date
}

const timeLimitMs = 30 * 60_000
const productsAtOnce = 2_000

const datasetDeleted = () => new JobFailure('The dataset was deleted.')

/** Derives a version of a dataset, checks it, and lets models read it unless a guard stops it. */
export const datasetRefresh = (context: Refreshing): JobKind => ({
  name: refreshKind,
  queues: false,
  isConfidential: false,
  timeLimitMs,
  isTransient: isUnavailable,
  run: (run) => refresh(context, run),
  async outcome(db, { id, source, input }) {
    const { accepts } = (input ?? {}) as RefreshInput
    if (accepts === undefined) {
      const made = await versionOfJob(db, id)
      return made && ended(resultOf(made))
    }
    const accepted = await findVersion(db, source.id, accepts)
    return accepted?.isActive ? succeeded(resultOf(accepted)) : undefined
  },
  async ended(tx, job) {
    if (job.status === 'FAILED' || job.status === 'HELD') await announceFailed(tx, context, job, job.reason ?? '')
  },
  // The version of a held job is there. Only who activates it is missing.
  applying: ({ result }): RefreshInput => ({ accepts: (result as RefreshResult).versionId! }),
  found: (tx, job, incident) => announceFailed(tx, context, job, incident),
  scheduling: {
    input: async () => ({}),
    async hindrance(tx, { projectId, sourceId }) {
      const envId = await environmentOf(tx, sourceId)
      return envId === undefined ? null : environmentFault(tx, projectId, envId)
    },
    missed: (tx, of, incident) => announceMissed(tx, context, of, 'datasets', incident),
  },
})

async function refresh(context: Refreshing, run: Run) {
  const { accepts, arrived } = (run.job.input ?? {}) as RefreshInput
  if (accepts !== undefined) return succeeded(await accept(context, run, accepts))
  if (arrived !== undefined) return ended(await takeIn(context, run, arrived))
  const dataset = await run.write((tx) => keepDataset(tx, run.job.source.id))
  if (!dataset) throw datasetDeleted()
  if (dataset.derivation === null) throw new JobFailure('The dataset is uploaded, so there is nothing to derive.')
  const derived = await derive(context, run, dataset.derivation)
  return ended(await save(context, run, derived))
}

const succeeded = (result: RefreshResult) => ({ status: 'SUCCEEDED', result }) as const

function ended(result: RefreshResult) {
  const reason = heldBecause(result.checks)
  return reason === null ? succeeded(result) : ({ status: 'HELD', result, reason } as const)
}

type Derived = Pick<
  NewVersion,
  'derivation' | 'rows' | 'units' | 'products' | 'from' | 'until' | 'batch' | 'sha256'
> & {
  unknown: number | null
}

/** Reads the events of a version once, to count and to hash them. A model that learns from it reads them again. */
async function derive({ db, events, now }: Refreshing, run: Run, derivation: Derivation): Promise<Derived> {
  await expectEnvironment(db, run.job.projectId, derivation.envId)
  const until = now()
  const from = new Date(until.getTime() - derivation.windowDays * dayMs)
  const batch = await events.position()
  const counted = counting()
  const hash = createHash('sha256')
  const asked = { envId: derivation.envId, eventKeys: Object.keys(derivation.actions), from, until, through: batch }
  try {
    for await (const portion of events.happened(asked)) {
      for (const { unit, eventKey, at, productId, orderId } of portion) {
        counted.add({ unit, productId })
        hash.update(JSON.stringify([unit, eventKey, at, productId, orderId]))
      }
      await run.progress({ step: 'READ', done: counted.rows(), of: null })
    }
  } catch (error) {
    if (error instanceof TooManyRows) throw new JobFailure(error.message)
    throw error
  }
  return {
    ...{ derivation, from, until, batch, rows: counted.rows(), units: counted.units() },
    products: counted.products().size,
    sha256: hash.digest('hex'),
    unknown: await unknownRows(db, run, counted),
  }
}

/** How many rows have a product that the catalog does not show; null if it is empty. */
async function unknownRows(db: Db, run: Run, counted: Counting): Promise<number | null> {
  const rowsOf = counted.products()
  const known = await knownOf(db, run, [...rowsOf.keys()])
  if (known === null) return null
  return counted.rows() - [...known].reduce((sum, id) => sum + rowsOf.get(id)!, 0)
}

/** Those of the products that the catalog shows; null if it is empty. */
async function knownOf(db: Db, run: Run, ids: readonly string[]): Promise<ReadonlySet<string> | null> {
  const { projectId } = run.job
  if ((await countProducts(db, projectId)) === 0) return null
  const known = new Set<string>()
  for (let from = 0; from < ids.length; from += productsAtOnce) {
    for (const id of await knownProducts(db, projectId, ids.slice(from, from + productsAtOnce))) known.add(id)
    await run.progress({ step: 'CHECK', done: from, of: ids.length })
  }
  return known
}

/** Makes a version of rows that were uploaded. */
async function takeIn(context: Refreshing, run: Run, versionId: string): Promise<RefreshResult> {
  const { db } = context
  const { job, write } = run
  const arrived = await findArrived(db, job.source.id, versionId)
  if (!arrived) throw new JobFailure('The rows of the file are gone. Send the file again.')
  const related = await relatedOf(db, arrived, (done) => run.progress({ step: 'READ', done, of: arrived.rows }))
  const known = await knownOf(db, run, related.productIds)
  const unknown = known && rowsWithout(related, known)
  return write(async (tx) => {
    const dataset = await datasetQueries.lock(tx, job.source.id)
    if (!dataset) throw datasetDeleted()
    const active = await activeVersionOf(tx, dataset.id)
    // What has arrived is swept. If this node dies now, the next one finds the same.
    if (active?.sha256 === arrived.sha256) return resultOf(active, false)
    const checks = checksOf({ rows: arrived.rows, unknown }, active, dataset.guards)
    const status = heldBecause(checks) === null ? 'READY' : 'HELD'
    const of = { id: versionId, datasetId: dataset.id, jobId: job.id, products: productsOf(related) }
    await numberVersion(tx, { ...of, status, checks })
    const version = (await findVersion(tx, dataset.id, versionId))!
    const by = context.authorOf(systemActor('jobs'))
    if (status === 'READY') await goLive(tx, by, context, { dataset, version, job, orgId: job.orgId, run: false })
    return resultOf(version)
  })
}

/** How many pairs have a product that is not known. */
function rowsWithout({ productIds, of, other }: Related, known: ReadonlySet<string>): number {
  const isKnown = Uint8Array.from(productIds, (id) => (known.has(id) ? 1 : 0))
  let count = 0
  for (let pair = 0; pair < of.length; pair += 1) if (!isKnown[of[pair]!] || !isKnown[other[pair]!]) count += 1
  return count
}

/** Writes the version and, if no guard stops it, lets models read it. The same rows as the active one’s are no version. */
const save = (context: Refreshing, { job, write }: Run, { unknown, ...derived }: Derived): Promise<RefreshResult> =>
  write(async (tx) => {
    const dataset = await datasetQueries.lock(tx, job.source.id)
    if (!dataset) throw datasetDeleted()
    const active = await activeVersionOf(tx, dataset.id)
    if (active?.sha256 === derived.sha256) return resultOf(active, false)
    const checks = checksOf({ rows: derived.rows, unknown }, active, dataset.guards)
    const isHeld = heldBecause(checks) !== null
    const id = newId()
    const status = isHeld ? 'HELD' : 'READY'
    await insertVersion(tx, {
      ...derived,
      id,
      datasetId: dataset.id,
      jobId: job.id,
      status,
      checks,
      now: context.now(),
    })
    const version = (await findVersion(tx, dataset.id, id))!
    if (!isHeld) {
      const by = context.authorOf(systemActor('jobs'))
      const { runModels = false } = (job.input ?? {}) as RefreshInput
      await goLive(tx, by, context, { dataset, version, job, orgId: job.orgId, run: runModels })
    }
    return resultOf(version)
  })

/** Lets a held version go live that a person has accepted. */
const accept = (context: Refreshing, { job, write }: Run, versionId: string): Promise<RefreshResult> =>
  write(async (tx) => {
    const dataset = await datasetQueries.lock(tx, job.source.id)
    if (!dataset) throw datasetDeleted()
    const version = await findVersion(tx, dataset.id, versionId)
    if (!version) throw new JobFailure('The version was deleted.')
    const by = context.authorOf(systemActor('jobs'))
    if (!version.isActive) await goLive(tx, by, context, { dataset, version, job, orgId: job.orgId, run: false })
    return resultOf(version)
  })
