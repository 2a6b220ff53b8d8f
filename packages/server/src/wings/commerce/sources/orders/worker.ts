import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isRefusal } from '../../../../catalogue/refusals.ts'
import { type Db, isUnavailable, type Tx } from '../../../../platform/db/index.ts'
import {
  addJobErrors,
  addToInput,
  clearJobErrors,
  type Job,
  JobFailure,
  type JobKind,
  lastWholeResult,
  type Run,
  sendAgain,
} from '../../../../platform/jobs/index.ts'
import type { Outbound } from '../../../../platform/outbound/index.ts'
import { type Authors, systemActor } from '../../../../platform/outbox.ts'
import type { Seal } from '../../../../platform/seal.ts'
import { confirmFrom, importOrders, type StoredOrders } from '../../../measuring/orders/index.ts'
import { announceFailed, announceMissed, jobBody } from '../../../model/jobs/index.ts'
import { FeedFault } from '../../feeds/index.ts'
import { credentialsFor } from '../actions.ts'
import { orderImportKind } from '../job-kinds.ts'
import { findSource, type Source } from '../queries.ts'
import { type FetchedFile, fetchFile, type Spool, spool, storedFile } from '../sync/file/store.ts'
import { findingsOf, guardText } from '../sync/guard.ts'
import { acceptedOf, readAs } from '../sync/input.ts'
import { RowReport } from '../sync/report.ts'
import { SeenTexts } from '../sync/seen.ts'
import { atIntervals, isSmall, readingOf } from '../sync/writing/actions.ts'
import { type ImportedFile, type ImportInput, type ImportResult, importInput } from './input.ts'
import { packOrders, unpackedOrders } from './packed.ts'
import { earlier } from './read-orders.ts'
import { packInThread } from './thread/actions.ts'

type Numbering = Parameters<typeof importOrders>[1]

export interface Importing {
  db: Db
  seal: Seal
  outbound: Outbound
  events: Numbering
  authorOf: Authors
  baseUrl: string
  now: () => Date
}

const timeLimitMs = 30 * 60_000

/**
 * The import of a file of orders. The whole file is checked before anything of it is stored. Then its orders are stored in
 * portions, and each counts at once: an import that ends early has stored orders as they are in the file, and is repeated.
 */
export const orderImport = (context: Importing): JobKind => ({
  name: orderImportKind,
  queues: false,
  isConfidential: false,
  timeLimitMs,
  isTransient: isUnavailable,
  run: (run) => takeIn(context, run),
  async outcome(_db, { input }) {
    const ended = importInput.safeParse(input).data?.ended
    return ended && succeeded(ended)
  },
  standing({ input }) {
    const stored = importInput.safeParse(input).data?.stored
    if (!stored) return null
    const [orders, of] = [stored.orders, stored.of].map((count) => count.toLocaleString('en'))
    return `${orders} of ${of} orders are as the file has them, and stay so.`
  },
  async ended(tx, job) {
    if (job.status === 'FAILED' || job.status === 'HELD') await announceFailed(tx, context, job, job.reason ?? '')
    // One with a change was recorded with its last step.
    if (job.status === 'SUCCEEDED' && !(job.result as ImportResult).changed)
      await context
        .authorOf(systemActor('jobs'))
        .announce(
          tx,
          { orgId: job.orgId, projectId: job.projectId },
          eventOf(context.baseUrl, job, job.result as ImportResult),
        )
  },
  applying: ({ input, result }) => ({ accepted: acceptedOf(importInput.parse(input ?? {}), result as ImportResult) }),
  again: (input) => ({ accepted: importInput.parse(input).accepted }),
  found: (tx, job, incident) => announceFailed(tx, context, job, incident),
  scheduling: {
    input: async () => ({}),
    missed: (tx, of, incident) => announceMissed(tx, context, of, 'sources', incident),
  },
})

async function takeIn(context: Importing, run: Run) {
  const input = importInput.parse(run.job.input)
  const source = await findSource(context.db, run.job.source.id)
  if (!source) throw deleted()
  const last = (await lastWholeResult(context.db, source.id, orderImportKind)) as ImportResult | undefined
  // What an earlier claim has stored can be of another file. That of a node that stopped counts as no attempt.
  const isFirst = run.job.claims === 1
  const known = isFirst && last && isWhole(last.file, source, context.now()) ? last.file : null
  const file = await fileOf(context, run, source, known)
  if (file === null) return succeeded(nothingNew(known!))
  try {
    const now: ImportedFile = {
      ...{ etag: file.headers.etag ?? null, lastModified: file.headers['last-modified'] ?? null },
      ...{ sha256: file.sha256, readAs: readFor(source) },
    }
    if (file.sha256 === known?.sha256) return succeeded(nothingNew({ ...now, laterFrom: known.laterFrom ?? null }))
    return await checkedAndStored(context, run, { source, file, known: now, input })
  } catch (error) {
    if (error instanceof FeedFault)
      throw new JobFailure(error.line === null ? error.message : `Line ${error.line}: ${error.message}`)
    throw error
  } finally {
    await file.close()
  }
}

const deleted = () => new JobFailure('The source was deleted.')

const succeeded = (result: ImportResult) => ({ status: 'SUCCEEDED', result, itemsSkipped: result.rowsSkipped }) as const

/** Whether reading the same file once more would change nothing. */
const isWhole = ({ readAs, laterFrom }: ImportedFile, source: Source, now: Date): boolean =>
  readAs === readFor(source) && (!laterFrom || now < new Date(laterFrom))

const nothingNew = (file: ImportedFile): ImportResult => ({
  ...{ changed: false, rows: 0, rowsSkipped: 0, skipped: {}, warnings: {}, file },
  orders: { added: 0, changed: 0, unchanged: 0 },
})

/** The same file means something else in another environment. */
const readFor = (source: Source): string =>
  createHash('sha256')
    .update(`${readAs(source)} ${source.envId}`)
    .digest('base64url')

async function fileOf({ db, seal, outbound }: Importing, run: Run, source: Source, known: ImportedFile | null) {
  const progress = atIntervals((bytes) => run.progress({ step: 'FETCH', done: bytes, of: null }))
  if (run.job.trigger === 'UPLOAD') {
    if (!run.file) throw new JobFailure(`The service was stopped. ${sendAgain}`)
    return storedFile(run.file, progress)
  }
  if (source.url === null) throw new JobFailure('The source has no url.')
  const credentials = await credentialsFor(db, seal, source)
  if (isRefusal(credentials)) throw new JobFailure(credentials.message)
  const { download } = outbound
  return fetchFile({ download, url: source.url, credentials, known, signal: run.signal, progress })
}

interface Wanted {
  source: Source
  file: FetchedFile
  known: ImportedFile
  input: ImportInput
}

async function checkedAndStored(context: Importing, run: Run, { source, file, known, input }: Wanted) {
  const kept = await spool()
  try {
    const { rows, rowsSkipped, taken, laterFrom, report, withdrawn } = await checkAll(
      context,
      run,
      { source, file },
      kept,
    )
    const again = { ...known, laterFrom: laterFrom?.toISOString() ?? null }
    const told = { rows, rowsSkipped, skipped: report.skipped, warnings: report.warnings, file: again }
    // A file of a few orders says nothing about shares.
    const none = { removed: 0, seen: 0, shifted: 0 }
    const counts = { mode: 'DELTA', live: rows, ...none, rows, skipped: rowsSkipped, taken } as const
    const guards = findingsOf(counts, source.guards, input.accepted)
    if (guards.length > 0) {
      const orders = { added: 0, changed: 0, unchanged: 0 }
      const result: ImportResult = { changed: false, ...told, orders, guard: guards[0]!, guards }
      return { status: 'HELD', reason: guards.map(guardText).join(' '), result, itemsSkipped: rowsSkipped } as const
    }
    const { counts: orders, firstAt } = await storeAll(context, run, source, { kept, taken, withdrawn })
    return succeeded(await record(context, run, source, { ...told, orders, firstAt }))
  } finally {
    await kept.close()
  }
}

type Read = Pick<Wanted, 'source' | 'file'>

/** Reads the whole file, notes what is wrong with it, and puts its orders aside. */
async function checkAll(context: Importing, run: Run, { source, file }: Read, kept: Spool) {
  const report = new RowReport()
  const sums = { rows: 0, rowsSkipped: 0, taken: 0, laterFrom: null as Date | null, report, withdrawn: new SeenTexts() }
  const progress = atIntervals((rows) => run.progress({ step: 'CHECK', done: rows, of: null }))
  await run.write((tx) => clearJobErrors(tx, run.job.id))
  const of = { source: readingOf(source), contentType: file.headers['content-type'] ?? null, now: context.now() }
  const read = (await isSmall(file)) ? packOrders : packInThread
  for await (const batch of read(of, file.content(), run.signal)) {
    const { rows, taken, withdrawn, laterFrom, problems, orders } = batch
    sums.rows += rows
    sums.rowsSkipped += rows - taken + withdrawn.length
    sums.taken += taken - withdrawn.length
    for (const id of withdrawn) sums.withdrawn.add(id)
    if (laterFrom) sums.laterFrom = earlier(sums.laterFrom, laterFrom)
    if (taken > 0) kept.add(orders)
    const told = report.add(problems)
    if (told.length > 0) await run.write((tx) => addJobErrors(tx, run.job.id, told, context.now()))
    await progress(sums.rows)
    await setImmediate()
  }
  return sums
}

interface Kept {
  kept: Spool
  taken: number
  /** Orders that are kept and do not count. */
  withdrawn: SeenTexts
}

async function storeAll({ events, now }: Importing, run: Run, { id, envId }: Source, { kept, taken, withdrawn }: Kept) {
  const sums: StoredOrders = { counts: { added: 0, changed: 0, unchanged: 0 }, firstAt: null }
  const place = { projectId: run.job.projectId, envId: envId! }
  let done = 0
  const progress = atIntervals((orders) => run.progress({ step: 'WRITE', done: orders, of: taken }))
  for await (const portion of kept.portions()) {
    const orders = unpackedOrders(portion).filter(({ orderId }) => !withdrawn.has(orderId))
    const { counts, firstAt } = await run.write(async (tx) => {
      // It goes with its environment.
      if (!(await findSource(tx, id))) throw deleted()
      const stored = await importOrders(tx, events, orders, { ...place, now: now() })
      await addToInput(tx, run.job, { stored: { orders: done + orders.length, of: taken } })
      return stored
    })
    for (const name of ['added', 'changed', 'unchanged'] as const) sums.counts[name] += counts[name]
    if (firstAt) sums.firstAt = earlier(sums.firstAt, firstAt)
    done += orders.length
    await progress(done)
    await setImmediate()
  }
  return sums
}

type Told = Omit<ImportResult, 'changed'> & Pick<StoredOrders, 'firstAt'>

/** The last step: from now on, with the trust AUTO, other orders of the environment need an import. */
const record = (
  { events, authorOf, baseUrl, now }: Importing,
  { job, write }: Run,
  { id, name, envId }: Source,
  { firstAt, ...told }: Told,
): Promise<ImportResult> =>
  write(async (tx: Tx) => {
    const { projectId } = job
    const result: ImportResult = { changed: told.orders.added + told.orders.changed > 0, ...told }
    if (firstAt) await confirmFrom(tx, events, { projectId, envId: envId!, now: now() }, firstAt)
    if (!result.changed) return result
    await authorOf(systemActor('jobs')).record(tx, {
      ...{ orgId: job.orgId, projectId, action: 'catalog_source.import' },
      object: { type: 'catalog_source', id, name },
      after: { jobId: job.id, envId, ...result.orders },
      events: [eventOf(baseUrl, job, result)],
    })
    // If this node dies now, the next one only writes how the job ended.
    await addToInput(tx, job, { ended: result })
    return result
  })

const eventOf = (baseUrl: string, job: Job, { changed, rowsSkipped, orders }: ImportResult) => ({
  name: 'commerce.import.completed' as const,
  payload: { ...jobBody(baseUrl, job), itemsSkipped: rowsSkipped, changed, orders },
})
