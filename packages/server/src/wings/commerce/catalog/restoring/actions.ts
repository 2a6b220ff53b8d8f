import { notFound, type Refusal } from '../../../../catalogue/refusals.ts'
import { type Db, isUnavailable, type Tx } from '../../../../platform/db/index.ts'
import { LeaseLost } from '../../../../platform/due-rows.ts'
import { newId } from '../../../../platform/ids.ts'
import { findJob, type Job, JobFailure, type JobKind, type Jobs, type Run } from '../../../../platform/jobs/index.ts'
import type { Author, Authors } from '../../../../platform/outbox.ts'
import { inTransaction } from '../../../../platform/transaction.ts'
import type { Project } from '../../../flags/projects/index.ts'
import {
  closeVersions,
  copyVersions,
  countLiveProducts,
  isKept,
  listCome,
  listEnded,
  liveItems,
  type OldItem,
  type Place,
  type Restoring,
} from '../../../model/catalog/index.ts'
import { announceFailed, recordJob } from '../../../model/jobs/index.ts'
import { begin, holdWriting, type ItemSums, letGo, noChanges, showRevision, type Writing } from '../../sources/index.ts'
import { keptAtLeast, keptForMs } from '../worker.ts'
import { catalogRestoreKind, type RewriteResult, restoreInput } from './input.ts'

export interface RestoringOf {
  db: Db
  authorOf: Authors
  baseUrl: string
  now: () => Date
}

const timeLimitMs = 30 * 60_000
const rowsAtOnce = 500
const gone = () => new JobFailure('The revision is not kept any more.')

const retention = (now: Date) => ({ before: new Date(now.getTime() - keptForMs), atLeast: keptAtLeast })

/** Asks for a revision that shows the items of an old one again. Restores of a project wait for each other. */
export const requestRestore = (
  { db, jobs }: { db: Db; jobs: Jobs },
  by: Author,
  { id: projectId, orgId, name }: Project,
  revision: number,
): Promise<Job | Refusal> =>
  inTransaction(db, async (tx) => {
    if (!(await isKept(tx, { projectId, old: revision }, retention(by.now)))) return notFound('Revision')
    const id = newId()
    const source = { id: projectId, name }
    const wanted = { id, projectId, kind: catalogRestoreKind, source, trigger: 'REQUEST' } as const
    const refusal = await jobs.create(tx, { ...wanted, input: { revision }, now: by.now })
    if (refusal) return refusal
    await recordJob(tx, by, { ...wanted, orgId, status: 'QUEUED' }, 'request', { after: { revision } })
    return (await findJob(tx, { orgId, projectId }, id))!
  })

/** Makes a new revision with the items of an old one, as a sync does: beside the visible one, and visible at once. */
export const catalogRestore = (context: RestoringOf): JobKind => ({
  name: catalogRestoreKind,
  queues: true,
  isConfidential: false,
  timeLimitMs,
  isTransient: isUnavailable,
  run: (run) => restore(context, run),
  async outcome(_db, { input }) {
    const activated = restoreInput.safeParse(input).data?.activated
    return activated && { status: 'SUCCEEDED', result: activated }
  },
  async ended(tx, job) {
    if (job.status === 'FAILED') await announceFailed(tx, context, job, job.reason ?? '')
  },
  again: (input) => ({ revision: restoreInput.parse(input).revision }),
  found: (tx, job, incident) => announceFailed(tx, context, job, incident),
})

async function restore(context: RestoringOf, run: Run) {
  const input = restoreInput.parse(run.job.input)
  const writing = await begin(context, run)
  try {
    const of: Restoring = { projectId: writing.projectId, revision: writing.revision, old: input.revision }
    const sums = noChanges()
    await bringBack(context, run, of, writing, sums)
    await removeNew(context, run, of, writing, sums)
    sums.changes.unchanged = writing.items - sums.changes.changed - sums.changes.removed
    const result = await show(context, run, writing, sums, {
      ...{ action: 'catalog.restore', more: { restored: of.old } },
      async check(tx) {
        // What it shows can have been deleted meanwhile.
        if (!(await isKept(tx, of, retention(context.now())))) throw gone()
      },
    })
    return { status: 'SUCCEEDED', result } as const
  } catch (error) {
    // Whoever takes the job next undoes what is left.
    if (!(error instanceof LeaseLost)) await letGo(context, run, writing).catch(() => false)
    throw error
  }
}

/** The items that the old revision shows, and that are different now or gone. */
async function bringBack(
  { db }: RestoringOf,
  run: Run,
  of: Restoring,
  writing: Writing,
  sums: ItemSums,
): Promise<void> {
  const page = (after: Place) => listEnded(db, of, after, rowsAtOnce)
  for await (const items of portions(page)) {
    await run.write(async (tx) => {
      await holdWriting(tx, writing)
      const ids = items.map(({ itemId }) => itemId)
      const live = new Map((await liveItems(tx, of.projectId, ids)).map((item) => [item.itemId, item]))
      const old = items.filter((item) => !isSame(item, live.get(item.itemId)))
      const replaced = old.flatMap(({ itemId }) => live.get(itemId) ?? [])
      const products = [...old, ...replaced].map(({ productId }) => productId)
      const before = await countLiveProducts(tx, of.projectId, products)
      const next = { projectId: of.projectId, revision: of.revision + 1 }
      await closeVersions(
        tx,
        next,
        replaced.map(({ itemId }) => itemId),
      )
      await copyVersions(
        tx,
        of,
        old.map(({ itemId }) => itemId),
      )
      sums.moreProducts += (await countLiveProducts(tx, of.projectId, products)) - before
      sums.changes.changed += replaced.length
      sums.changes.added += old.length - replaced.length
    })
    await run.progress({ step: 'RESTORE', done: sums.changes.added + sums.changes.changed, of: null })
  }
}

const isSame = (old: OldItem, live: Pick<OldItem, 'hash' | 'sourceId'> | undefined): boolean =>
  live !== undefined && old.hash === live.hash && old.sourceId === live.sourceId

/** The items that the old revision does not have. */
async function removeNew(
  { db }: RestoringOf,
  run: Run,
  of: Restoring,
  writing: Writing,
  sums: ItemSums,
): Promise<void> {
  const page = (after: Place) => listCome(db, of, after, rowsAtOnce)
  for await (const items of portions(page)) {
    await removeItems(run, writing, items, sums)
  }
}

/** Closes items of the catalog. */
export async function removeItems(
  run: Run,
  writing: Writing,
  items: readonly { itemId: string; productId: string }[],
  sums: ItemSums,
): Promise<void> {
  await run.write(async (tx) => {
    await holdWriting(tx, writing)
    const { projectId } = writing
    const products = items.map(({ productId }) => productId)
    const before = await countLiveProducts(tx, projectId, products)
    const ids = items.map(({ itemId }) => itemId)
    await closeVersions(tx, { projectId, revision: writing.revision + 1 }, ids)
    sums.moreProducts += (await countLiveProducts(tx, projectId, products)) - before
  })
  sums.changes.removed += items.length
  await run.progress({ step: 'REMOVE', done: sums.changes.removed, of: null })
}

async function* portions<Row extends Place>(page: (after: Place) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let after: Place = { revision: 0, itemId: '' }; ; ) {
    const rows = await page(after)
    if (rows.length > 0) yield rows
    if (rows.length < rowsAtOnce) return
    after = rows.at(-1)!
  }
}

/** Shows what was written, with the event that any change of a catalog has. */
export const show = <More extends object>(
  context: RestoringOf,
  run: Run,
  writing: Writing,
  sums: ItemSums,
  { action, more, check }: { action: 'catalog.restore' | 'catalog.remove_items'; more: More; check?: Check },
): Promise<RewriteResult & More> => {
  const { unchanged: _unchanged, ...changes } = sums.changes
  return showRevision(context, run, writing, sums, {
    sourceId: null,
    ...(check && { check }),
    result: (changed, revision) => ({ changed, ...more, catalog: { revision, ...sums.changes } }),
    record: (tx, by, { about, catalog }) =>
      by.record(tx, {
        ...about,
        action,
        after: { jobId: run.job.id, revision: catalog.revision, ...more, ...changes },
        events: [{ name: 'catalog.updated', payload: { catalog, changes } }],
      }),
  })
}

type Check = (tx: Tx) => Promise<void>
