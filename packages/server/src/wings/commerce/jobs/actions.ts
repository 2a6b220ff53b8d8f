import { isRefusal, notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Db } from '../../../platform/db/index.ts'
import { canRetry, findJob, isOpen, type Job, type Jobs, lockJob, sendAgain } from '../../../platform/jobs/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import { recordJob, refusesApply, refusesApplyAgain } from '../../model/jobs/index.ts'

const hasOpenJob = refuse('invalid_state', 'The source has a job that is queued or running.')

interface Which {
  orgId: string
  projectId: string
  id: string
}

/** Ends a job that waits. A job that runs is asked to stop, and ends as soon as its step allows, unless its change is made. */
export const cancel = (db: Db, jobs: Jobs, by: Author, { orgId, id }: Which): Promise<Job | Refusal> =>
  inTransaction(db, async (tx) => {
    const job = await lockJob(tx, id)
    if (!job) return notFound('Job')
    if (!isOpen(job))
      return refuse('invalid_state', 'The job has ended, so it cannot be cancelled.', {
        current: job.status,
        allowed: ['QUEUED', 'RUNNING'],
      })
    if (job.cancelAsked) return job
    const cancelled = await jobs.cancel(tx, job, by.now)
    await recordJob(tx, by, { ...cancelled, orgId }, 'cancel', {
      before: { status: job.status },
      after: { status: cancelled.status, cancelAsked: true },
    })
    return cancelled
  })

/** Makes a job that does the same as one that failed or was cancelled. */
export const retry = (db: Db, jobs: Jobs, by: Author, { orgId, projectId, id }: Which): Promise<Job | Refusal> =>
  inTransaction(db, async (tx) => {
    const job = await lockJob(tx, id)
    if (!job) return notFound('Job')
    if (job.trigger === 'UPLOAD') return refuse('invalid_state', `The file of this job was sent. ${sendAgain}`)
    if (!canRetry(job))
      return refuse('invalid_state', 'Only a job that failed or was cancelled can be retried.', {
        current: job.status,
        allowed: ['FAILED', 'CANCELLED'],
      })
    if (job.input === null)
      return refuse(
        'invalid_state',
        'The job was already retried, or it ended more than 90 days ago. Retry the newer job, or request a new one.',
        { current: job.status },
      )
    const refused = await refusesApplyAgain(tx, job)
    if (refused) return refused
    const newId = await jobs.retry(tx, job, by.now)
    if (newId === undefined) return hasOpenJob
    if (isRefusal(newId)) return newId
    const made = await findJob(tx, { orgId, projectId }, newId)
    await recordJob(tx, by, { ...made!, orgId }, 'retry', { after: { retriesJobId: id } })
    return made!
  })

/** Makes a job that does what a held one could not, and no more than a person has seen of it. */
export const apply = (db: Db, jobs: Jobs, by: Author, { orgId, projectId, id }: Which): Promise<Job | Refusal> =>
  inTransaction(db, async (tx) => {
    const job = await lockJob(tx, id)
    if (!job) return notFound('Job')
    const refused = await refusesApply(tx, job)
    if (refused) return refused
    if (job.trigger === 'UPLOAD')
      return refuse('invalid_state', `The file of this job was sent. Send it again with ?apply=${job.id}.`, {
        current: job.status,
      })
    const newId = await jobs.apply(tx, job, by.now)
    if (newId === undefined) return hasOpenJob
    const made = await findJob(tx, { orgId, projectId }, newId)
    await recordJob(tx, by, { ...made!, orgId }, 'apply', { after: { appliesJobId: id } })
    return made!
  })
