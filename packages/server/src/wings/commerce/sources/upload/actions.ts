import { isRefusal, notFound, type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import type { Db, Tx } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids.ts'
import { type ClaimedJob, type Job, type Jobs, lockJob, openJob } from '../../../../platform/jobs/index.ts'
import type { Author } from '../../../../platform/outbox.ts'
import { inTransaction } from '../../../../platform/transaction.ts'
import { recordJob, refusesApply } from '../../../model/jobs/index.ts'
import { sendingKind } from '../job-kinds.ts'
import { keepSource } from '../queries.ts'

interface Sent {
  orgId: string
  projectId: string
  sourceId: string
  /** The held job that the file is sent again for. */
  apply: string | undefined
  /** By which the sender knows the job. */
  sending: string | undefined
}

/** Makes the job of a file that comes. This node has it from the beginning. */
export const takeFile = (
  { db, jobs }: { db: Db; jobs: Jobs },
  by: Author,
  { orgId, projectId, sourceId, apply, sending }: Sent,
): Promise<ClaimedJob | Refusal> =>
  inTransaction(db, async (tx) => {
    const source = await keepSource(tx, sourceId)
    if (!source) return notFound('Catalog source')
    const kind = sendingKind(source)
    const held = apply === undefined ? null : await heldUpload(tx, sourceId, apply)
    if (held && isRefusal(held)) return held
    const input = { ...(held ? (jobs.applied(held) as object) : {}), ...(sending !== undefined && { sending }) }
    const wanted = { projectId, kind, source: { id: sourceId, name: source.name }, trigger: 'UPLOAD' } as const
    const id = newId()
    const applies = held && { appliesJobId: held.id }
    const job = await jobs.createReceived(tx, { ...wanted, id, input, ...applies, now: by.now })
    if (!job) return refusesOpen(await openJob(tx, sourceId))
    await recordJob(tx, by, { ...wanted, id, orgId, status: 'QUEUED' }, 'request', { after: { sourceId, ...applies } })
    return job
  })

const refusesOpen = (open: Job | undefined): Refusal =>
  refuse('invalid_state', 'The source has a job that is queued or running. Send the file when it has ended.', {
    current: open?.status,
    references: open ? [{ type: 'job', id: open.id }] : [],
  })

async function heldUpload(tx: Tx, sourceId: string, id: string): Promise<Job | Refusal> {
  const job = await lockJob(tx, id)
  if (job?.source.id !== sourceId) return notFound('Job')
  const refused = await refusesApply(tx, job)
  if (refused) return refused
  if (job.trigger !== 'UPLOAD')
    return refuse('invalid_state', 'The file of this job was fetched. Apply the job itself.', { current: job.status })
  return job
}
