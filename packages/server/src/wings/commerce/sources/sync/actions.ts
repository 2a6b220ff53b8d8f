import { notFound, type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids.ts'
import { findJob, type Job, type Jobs, openJob } from '../../../../platform/jobs/index.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { inTransaction } from '../../../../platform/transaction.ts'
import { recordJob } from '../../../model/jobs/index.ts'
import { fetchingKind } from '../job-kinds.ts'
import { keepSource } from '../queries.ts'

/** The job that syncs a source. It was there before if the source had an open one. */
interface RequestedSync {
  job: Job
  isNew: boolean
}

const tries = 3

/** Asks for a sync. A source has one open job at a time, so later callers get the one that is there. */
export const requestSync = (
  { db, jobs }: { db: Db; jobs: Jobs },
  by: Author,
  { orgId, projectId, id: sourceId }: { orgId: string; projectId: string; id: string },
): Promise<RequestedSync | Refusal> =>
  inTransaction(db, async (tx) => {
    const source = await keepSource(tx, sourceId)
    if (!source) return notFound('Catalog source')
    const { url, name } = source
    const kind = fetchingKind(source)
    if (url === null) return refuse('invalid_state', 'The source has no url. Give it one first.')
    const wanted = { projectId, kind, source: { id: sourceId, name }, trigger: 'REQUEST' } as const
    for (let left = tries; left > 0; left -= 1) {
      const id = newId()
      if (await jobs.createUnlessOpen(tx, { ...wanted, id, input: {}, now: by.now })) {
        await recordJob(tx, by, { ...wanted, id, orgId, status: 'QUEUED' }, 'request', { after: { sourceId } })
        return { job: (await findJob(tx, { orgId, projectId }, id))!, isNew: true }
      }
      // It can end between the two statements.
      const job = await openJob(tx, sourceId)
      if (job) return { job, isNew: false }
    }
    return refuse('unavailable', 'Jobs of this source begin and end at the moment. Try again shortly.')
  })
