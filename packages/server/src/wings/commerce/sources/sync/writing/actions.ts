import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Db, Tx } from '../../../../../platform/db/index.ts'
import {
  addJobErrors,
  clearJobErrors,
  JobFailure,
  MustWait,
  NodeStops,
  type Run,
} from '../../../../../platform/jobs/index.ts'
import {
  beginWriting,
  type Changes,
  closeVersions,
  countLiveOf,
  countLiveProducts,
  endBeforeDisk,
  endWriting,
  hasToWait,
  type ItemName,
  insertVersions,
  isWriting,
  listLiveOf,
  liveItems,
  livePrices,
  lockCatalog,
  maxItems,
  undoLeftOvers,
  type Version,
  type Writer,
  waitingStep,
} from '../../../../model/catalog/index.ts'
import { isPackedFile, readInThread, readVersions, type VersionBatch } from '../../../feeds/index.ts'
import type { Source } from '../../queries.ts'
import type { FetchedFile } from '../file/store.ts'
import { isShifted, type SyncCounts } from '../guard.ts'
import { planRows, type RowsPlan } from '../plan.ts'
import { RowReport } from '../report.ts'
import { SeenTexts } from '../seen.ts'

const rowsAtOnce = 5000
/** A smaller file that is not packed is read before a thread has started. */
const leastBytesOfThread = 512 * 1024
const busyMs = 1000
const progressMs = 1000

interface Clocked {
  db: Db
  now: () => Date
}

/** The catalog as the job found it. */
export interface Writing extends Writer {
  projectId: string
  sourceId: string
  /** The visible revision. The next one is written. */
  revision: number
  items: number
  /** Items of the source that were live. */
  live: number
}

export const lost = () => new JobFailure('Another job has begun to write the catalog.', { isTransient: true })

/** Ends the attempt if other jobs have the catalog first, before anything is fetched that would be fetched again. */
export async function expectTurn({ db, now }: Clocked, run: Run): Promise<void> {
  if (await hasToWait(db, run.job, now())) await wait(run)
}

/** A file that comes waits here. Any other job is put back, so that jobs of other projects can run meanwhile. */
async function wait(run: Run): Promise<void> {
  await run.progress({ step: waitingStep, done: 0, of: null })
  if (!run.file) throw new MustWait('Another job has the catalog first.')
  await setTimeout(busyMs, undefined, { signal: run.signal })
}

/** Becomes the writer of the catalog, after those who came before, and undoes what a dead attempt has left. */
export async function begin({ now }: Clocked, run: Run): Promise<Writing> {
  const { job } = run
  const { projectId } = job
  const writer = { jobId: job.id, claims: job.claims }
  for (;;) {
    const begun = await run.write(async (tx) => {
      const catalog = await lockCatalog(tx, { orgId: job.orgId, projectId }, now())
      if (!catalog) throw new JobFailure('The project was deleted.')
      const { revision, items, writingJobId } = catalog
      if (writingJobId !== job.id && (await hasToWait(tx, job, now()))) return 'BUSY'
      await beginWriting(tx, projectId, writer)
      if (!(await undoLeftOvers(tx, { projectId, revision }, rowsAtOnce))) return 'UNDOING'
      await clearJobErrors(tx, job.id)
      const of = { projectId, sourceId: job.source.id }
      return { ...writer, ...of, revision, items, live: await countLiveOf(tx, of) }
    })
    if (typeof begun === 'object') return begun
    if (begun === 'BUSY') await wait(run)
    else await run.progress({ step: 'UNDO', done: 0, of: null })
  }
}

/** Undoes what this attempt has written, and lets others write. Returns false if another job writes already. */
export async function letGo({ db, now }: Clocked, { job, signal }: Run, writing: Writing): Promise<boolean> {
  const { projectId, revision } = writing
  for (;;) {
    const isDone = await db.transaction().execute(async (tx) => {
      const catalog = await lockCatalog(tx, { orgId: job.orgId, projectId }, now())
      if (catalog?.revision !== revision || !(await isWriting(tx, projectId, writing))) return null
      const isUndone = await undoLeftOvers(tx, { projectId, revision }, rowsAtOnce)
      if (isUndone) await endWriting(tx, projectId)
      return isUndone
    })
    if (isDone !== false) return isDone === true
    // The next node does the rest.
    if (signal.reason instanceof NodeStops) return false
  }
}

/** Keeps others from writing until the transaction ends, which does not wait for the disk. */
export async function holdWriting(tx: Tx, writing: Writing): Promise<void> {
  if (!(await isWriting(tx, writing.projectId, writing))) throw lost()
  await endBeforeDisk(tx)
}

/** What a job does to the items of a catalog. */
export interface ItemSums {
  changes: Changes
  moreProducts: number
}

export const noChanges = (): ItemSums => ({
  changes: { added: 0, changed: 0, removed: 0, unchanged: 0 },
  moreProducts: 0,
})

/** What the rows come to. */
export interface Sums extends ItemSums, Pick<SyncCounts, 'rows' | 'seen' | 'shifted' | 'taken'> {
  rowsSkipped: number
  removedOwn: number
  ids: SeenTexts
  /** Items whose row is broken are not absent. They stay as they are. */
  broken: SeenTexts
  /** Of a supplement: names that too many items have. Their items are not absent, either. */
  common: Record<ItemName, Set<string>>
  /** Of a supplement: whether rows name items by what other items can have later. */
  hasNames: boolean
  /** Of a catalog that was empty: the products that have an item by now. */
  products: SeenTexts
  report: RowReport
}

export const noSums = (): Sums => ({
  ...noChanges(),
  ...{ rows: 0, seen: 0, shifted: 0, taken: 0, rowsSkipped: 0, removedOwn: 0 },
  ...{ ids: new SeenTexts(), broken: new SeenTexts(), report: new RowReport() },
  ...{ common: { itemId: new Set(), sku: new Set(), gtin: new Set() }, products: new SeenTexts(), hasNames: false },
})

export async function readAll(
  { now }: Clocked,
  run: Run,
  { source, file }: { source: Source; file: FetchedFile },
  writing: Writing,
): Promise<Sums> {
  const sums = noSums()
  const progress = atIntervals((rows) => run.progress({ step: 'READ', done: rows, of: null }))
  const of = {
    projectId: writing.projectId,
    source: readingOf(source),
    contentType: file.headers['content-type'] ?? null,
  }
  const read = (await isSmall(file)) ? readVersions : readInThread
  for await (const batch of read(of, file.content(), run.signal)) {
    await run.write((tx) => writeRows(tx, batch, sums, writing, now()))
    if (writing.items + sums.changes.added > maxItems)
      throw new JobFailure(`A catalog can have up to ${maxItems.toLocaleString('en')} items.`)
    await progress(sums.rows)
    // The rows of a batch are read in one go. Others come in between.
    await setImmediate()
  }
  return sums
}

/** A file that still comes or is packed can have any size. */
export const isSmall = async ({ bytes, content }: FetchedFile): Promise<boolean> =>
  bytes !== null && bytes < leastBytesOfThread && !(await isPackedFile(content()))

/** What decides how a file is read. */
export const readingOf = ({ format, encoding, mapping, defaultCurrency, url }: Source) => ({
  ...{ format, encoding, mapping, defaultCurrency, url },
})

async function writeRows(tx: Tx, batch: VersionBatch, sums: Sums, writing: Writing, now: Date): Promise<void> {
  const { projectId, sourceId, jobId } = writing
  await holdWriting(tx, writing)
  const { rows, items, deleted, problems } = batch
  const ids = [...items.map(({ version }) => version.itemId), ...deleted.map(({ itemId }) => itemId)]
  // Of an empty catalog, only rows of this file can be there, and those are known by their ids.
  const live = writing.items === 0 ? [] : await liveItems(tx, projectId, ids)
  const plan = planRows(batch, live, sums.ids, sourceId)
  sums.shifted += await countShifted(tx, projectId, plan.changedOwn)
  await write(tx, writing, plan, sums)
  for (const { itemId, code, isWarning } of problems)
    if (itemId !== null && !isWarning && code !== 'not_eligible') sums.broken.add(itemId)
  for (const name of ['added', 'changed', 'removed', 'unchanged'] as const) sums.changes[name] += plan.changes[name]
  for (const name of ['taken', 'seen', 'removedOwn'] as const) sums[name] += plan[name]
  sums.rows += rows
  sums.rowsSkipped += rows - items.length - deleted.length + plan.problems.length
  await addJobErrors(tx, jobId, sums.report.add([...problems, ...plan.problems]), now)
}

async function countShifted(tx: Tx, projectId: string, items: readonly Version[]): Promise<number> {
  const prices = await livePrices(
    tx,
    projectId,
    items.map(({ itemId }) => itemId),
  )
  const before = new Map(prices.map((price) => [price.itemId, price]))
  return items.filter((item) => isShifted(before.get(item.itemId)!, item)).length
}

type Versions = Pick<RowsPlan, 'closed' | 'inserted' | 'productIds' | 'canLose'>

async function write(tx: Tx, of: Writing, versions: Versions, sums: Sums): Promise<void> {
  const { closed, inserted, productIds, canLose } = versions
  if (closed.length + inserted.length === 0) return
  const next = { ...of, revision: of.revision + 1 }
  const before = of.items === 0 ? 0 : await countLiveProducts(tx, of.projectId, productIds)
  await closeVersions(tx, next, closed)
  await insertVersions(tx, next, inserted)
  if (of.items === 0) sums.moreProducts += productIds.filter((id) => sums.products.add(id)).length
  else
    sums.moreProducts += (canLose ? await countLiveProducts(tx, of.projectId, productIds) : productIds.length) - before
}

/** What the guards look at. Items that the file does not have are counted before any of them is closed. */
export async function countsOf(
  { db }: Clocked,
  run: Run,
  { mode }: Source,
  sums: Sums,
  writing: Writing,
): Promise<SyncCounts> {
  const notEligible = sums.report.skipped.not_eligible ?? 0
  const { seen, shifted, taken, removedOwn } = sums
  let removed = removedOwn
  if (mode === 'FULL' && seen + removedOwn < writing.live)
    for await (const page of unseen(db, sums, writing)) {
      await run.progress({ step: 'CHECK', done: removed, of: null })
      removed += page.length
    }
  return {
    ...{ mode, live: writing.live, removed, seen, shifted, taken },
    ...{ rows: sums.rows - notEligible, skipped: sums.rowsSkipped - notEligible },
  }
}

/** The live items of the source that no row has, in portions. */
async function* unseen(db: Db, { ids, broken }: Sums, of: Writing) {
  for (let after = ''; ; ) {
    const page = await listLiveOf(db, of, after, rowsAtOnce)
    yield page.filter(({ itemId }) => !ids.has(itemId) && !broken.has(itemId))
    if (page.length < rowsAtOnce) return
    after = page.at(-1)!.itemId
  }
}

/** Closes the items that the file does not have. */
export async function removeUnseen({ db }: Clocked, run: Run, sums: Sums, writing: Writing): Promise<void> {
  for await (const page of unseen(db, sums, writing)) {
    const closed = page.map(({ itemId }) => itemId)
    const productIds = [...new Set(page.map(({ productId }) => productId))]
    await run.write(async (tx) => {
      await holdWriting(tx, writing)
      await write(tx, writing, { closed, inserted: [], productIds, canLose: true }, sums)
    })
    sums.changes.removed += closed.length
    await run.progress({ step: 'REMOVE', done: sums.changes.removed, of: null })
  }
}

/** Calls `tell` at most once a second. */
export function atIntervals(tell: (done: number) => Promise<void>): (done: number) => Promise<void> {
  let next = performance.now() + progressMs
  return async (done) => {
    if (performance.now() < next) return
    // Nobody tells anything while this is under way.
    next = Number.POSITIVE_INFINITY
    await tell(done)
    next = performance.now() + progressMs
  }
}
