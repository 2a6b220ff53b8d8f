import { setImmediate } from 'node:timers/promises'
import type { Db, Tx } from '../../../../../platform/db/index.ts'
import { addJobErrors, type Run } from '../../../../../platform/jobs/index.ts'
import {
  closeValues,
  countValuesOf,
  findNamed,
  type ItemName,
  insertValues,
  itemNames,
  listValuesOf,
  listWithNames,
  liveValues,
  mostOfName,
  type NamedItem,
} from '../../../../model/catalog/index.ts'
import { readValues, readValuesInThread, type ValuesBatch } from '../../../feeds/index.ts'
import type { Source } from '../../queries.ts'
import type { FetchedFile } from '../file/store.ts'
import type { SyncCounts } from '../guard.ts'
import { atIntervals, holdWriting, isSmall, noSums, readingOf, type Sums, type Writing } from '../writing/actions.ts'
import { type FoundItems, planValues } from './plan.ts'

const rowsAtOnce = 5000

interface Clocked {
  db: Db
  now: () => Date
}

/** Reads what a supplement says about items, and writes it for the next revision. */
export async function readAllValues(
  { db, now }: Clocked,
  run: Run,
  { source, file }: { source: Source; file: FetchedFile },
  writing: Writing,
): Promise<Sums> {
  const sums = noSums()
  writing.live = await countValuesOf(db, writing)
  const progress = atIntervals((rows) => run.progress({ step: 'READ', done: rows, of: null }))
  const contentType = file.headers['content-type'] ?? null
  const of = { source: readingOf(source), fields: source.fields!, contentType }
  const bytes = file.content()
  const batches = (await isSmall(file)) ? readValues(of, bytes) : readValuesInThread(of, bytes, run.signal)
  for await (const batch of batches) {
    await run.write((tx) => writeValues(tx, batch, sums, writing, now()))
    await progress(sums.rows)
    // The rows of a batch are read in one go. Others come in between.
    await setImmediate()
  }
  return sums
}

async function writeValues(tx: Tx, batch: ValuesBatch, sums: Sums, writing: Writing, now: Date): Promise<void> {
  await holdWriting(tx, writing)
  const { rows, values, broken, problems } = batch
  const found = await itemsOf(tx, writing.projectId, [...values, ...broken], sums)
  sums.hasNames ||= [...values, ...broken].some(({ name }) => name !== 'itemId')
  for (const { name, key } of broken) for (const { itemId } of found[name].get(key) ?? []) sums.broken.add(itemId)
  const ids = itemNames.flatMap((name) =>
    [...found[name].values()].flatMap((items) => items.map((item) => item.itemId)),
  )
  const live = await liveValues(tx, writing, [...new Set(ids)])
  const plan = planValues(values, found, new Map(live.map(({ itemId, fields }) => [itemId, fields])), sums)
  const next = { ...writing, revision: writing.revision + 1 }
  await closeValues(tx, next, plan.closed)
  await insertValues(tx, next, plan.inserted)
  sums.changes.changed += plan.inserted.length + plan.emptied
  sums.changes.unchanged += plan.unchanged
  sums.taken += plan.taken
  sums.seen += plan.seen - plan.emptied
  sums.removedOwn += plan.emptied
  sums.rows += rows
  sums.rowsSkipped += rows - values.length + plan.problems.length
  await addJobErrors(tx, writing.jobId, sums.report.add([...problems, ...plan.problems]), now)
}

/** The items that rows name. Names that too many items have are noted as common. */
export async function itemsOf(
  db: Db,
  projectId: string,
  rows: readonly ValuesBatch['broken'][number][],
  { common }: Pick<Sums, 'common'>,
): Promise<FoundItems> {
  const found: Record<ItemName, Map<string, NamedItem[]>> = { itemId: new Map(), sku: new Map(), gtin: new Map() }
  for (const name of itemNames) {
    const keys = rows.filter((row) => row.name === name).map(({ key }) => key)
    const items = await findNamed(db, projectId, name, keys)
    for (const item of items) found[name].set(item.key, [...(found[name].get(item.key) ?? []), item])
    for (const [key, { length }] of found[name])
      if (length > mostOfName) {
        common[name].add(key)
        found[name].delete(key)
      }
  }
  return found
}

/** What the guards look at. What the file does not say any more is counted before any of it is closed. */
export async function countsOfValues(
  { db }: Clocked,
  run: Run,
  { mode }: Source,
  sums: Sums,
  writing: Writing,
): Promise<SyncCounts> {
  const { seen, taken, rows, rowsSkipped, removedOwn } = sums
  let removed = removedOwn
  if (mode === 'FULL' && seen + removedOwn < writing.live)
    for await (const page of unseen(db, sums, writing)) {
      await run.progress({ step: 'CHECK', done: removed, of: null })
      removed += page.length
    }
  return { mode, live: writing.live, removed, seen, shifted: 0, taken, rows, skipped: rowsSkipped }
}

/** The items of which the source has said something, and of which no row says anything, in portions. */
async function* unseen(db: Db, { ids, broken, common }: Sums, of: Writing) {
  const hasCommon = common.sku.size + common.gtin.size > 0
  for (let after = ''; ; ) {
    const page = await listValuesOf(db, of, after, rowsAtOnce)
    const absent = page.filter((id) => !ids.has(id) && !broken.has(id))
    const named = new Set(hasCommon ? await listWithNames(db, of.projectId, absent, common) : [])
    yield absent.filter((id) => !named.has(id))
    if (page.length < rowsAtOnce) return
    after = page.at(-1)!
  }
}

/** Closes what the file does not say any more. */
export async function removeUnseenValues({ db }: Clocked, run: Run, sums: Sums, writing: Writing): Promise<void> {
  for await (const page of unseen(db, sums, writing)) {
    await run.write(async (tx) => {
      await holdWriting(tx, writing)
      await closeValues(tx, { ...writing, revision: writing.revision + 1 }, page)
    })
    sums.changes.changed += page.length
    await run.progress({ step: 'REMOVE', done: sums.changes.changed, of: null })
  }
}
