import { isUnavailable } from '../../../../platform/db/index.ts'
import { LeaseLost } from '../../../../platform/due-rows.ts'
import type { JobKind, Run } from '../../../../platform/jobs/index.ts'
import { closeValues, listLiveOf, listValuesOf } from '../../../model/catalog/index.ts'
import { announceFailed } from '../../../model/jobs/index.ts'
import {
  begin,
  catalogRemovalKind,
  holdWriting,
  type ItemSums,
  letGo,
  noChanges,
  removalInput,
  type Writing,
} from '../../sources/index.ts'
import { type RestoringOf, removeItems, show } from '../restoring/actions.ts'

const timeLimitMs = 30 * 60_000
const rowsAtOnce = 500

/** Removes the items or values of a deleted source as one revision, without items that others have taken over. */
export const catalogRemoval = (context: RestoringOf): JobKind => ({
  name: catalogRemovalKind,
  queues: true,
  isConfidential: false,
  timeLimitMs,
  isTransient: isUnavailable,
  run: (run) => remove(context, run),
  async outcome(_db, { input }) {
    const activated = removalInput.safeParse(input).data?.activated
    return activated && { status: 'SUCCEEDED', result: activated }
  },
  async ended(tx, job) {
    if (job.status === 'FAILED') await announceFailed(tx, context, job, job.reason ?? '')
  },
  found: (tx, job, incident) => announceFailed(tx, context, job, incident),
})

async function remove(context: RestoringOf, run: Run) {
  const { sourceId } = removalInput.parse(run.job.input)
  const writing = await begin(context, run)
  try {
    const sums = noChanges()
    const of = { projectId: writing.projectId, sourceId }
    for (let after = ''; ; ) {
      const items = await listLiveOf(context.db, of, after, rowsAtOnce)
      if (items.length > 0) await removeItems(run, writing, items, sums)
      if (items.length < rowsAtOnce) break
      after = items.at(-1)!.itemId
    }
    await removeValues(context, run, of, writing, sums)
    // A supplement can say something about items that have gone.
    sums.changes.unchanged = Math.max(writing.items - sums.changes.removed - sums.changes.changed, 0)
    const result = await show(context, run, writing, sums, {
      action: 'catalog.remove_items',
      more: { sourceId },
    })
    return { status: 'SUCCEEDED', result } as const
  } catch (error) {
    // Whoever takes the job next undoes what is left.
    if (!(error instanceof LeaseLost)) await letGo(context, run, writing).catch(() => false)
    throw error
  }
}

/** What a supplement says. */
async function removeValues(
  { db }: RestoringOf,
  run: Run,
  of: { projectId: string; sourceId: string },
  writing: Writing,
  sums: ItemSums,
): Promise<void> {
  for (let after = ''; ; ) {
    const ids = await listValuesOf(db, of, after, rowsAtOnce)
    if (ids.length > 0)
      await run.write(async (tx) => {
        await holdWriting(tx, writing)
        await closeValues(tx, { ...of, revision: writing.revision + 1 }, ids)
      })
    sums.changes.changed += ids.length
    await run.progress({ step: 'REMOVE', done: sums.changes.removed + sums.changes.changed, of: null })
    if (ids.length < rowsAtOnce) return
    after = ids.at(-1)!
  }
}
