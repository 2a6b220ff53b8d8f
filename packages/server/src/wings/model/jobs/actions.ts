import type { PayloadOf } from '../../../catalogue/payloads.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { Job, ScheduledSource } from '../../../platform/jobs/index.ts'
import { type Author, type Authors, systemActor } from '../../../platform/outbox.ts'
import { jobName } from './name.ts'

export interface AboutJob extends Pick<Job, 'id' | 'projectId' | 'kind' | 'source' | 'status' | 'trigger'> {
  orgId: string
}

/** Records what a person has done with a job. */
export const recordJob = (
  tx: Tx,
  by: Author,
  { id, orgId, projectId, kind, source, status, trigger }: AboutJob,
  verb: 'request' | 'cancel' | 'retry',
  states: { before?: unknown; after?: unknown },
): Promise<void> =>
  by.record(tx, {
    ...states,
    ...{ orgId, projectId },
    action: `job.${verb}`,
    object: { type: 'job', id, name: jobName(kind, source.name) },
    events: [
      { name: 'job.updated', payload: { job: { id, name: jobName(kind, source.name), kind, trigger, status } } },
    ],
  })

interface Announcing {
  authorOf: Authors
  baseUrl: string
}

/** Records that a job has failed or makes no progress. */
export const announceFailed = (tx: Tx, context: Announcing, job: Job, reason: string): Promise<void> =>
  announce(tx, context, { ...job, orgId: job.orgId! }, reason, {
    page: `jobs/${job.id}`,
    job: { id: job.id, name: jobName(job.kind, job.source.name), kind: job.kind, trigger: job.trigger },
  })

/** Where the page of a source is. */
type SourcePages = 'sources' | 'datasets' | 'models'

/** Records that the schedule of a source is not kept. */
export const announceMissed = (
  tx: Tx,
  context: Announcing,
  of: ScheduledSource,
  pages: SourcePages,
  reason: string,
): Promise<void> => announce(tx, context, of, reason, { page: `${pages}/${of.source.id}`, job: null })

async function announce(
  tx: Tx,
  { authorOf, baseUrl }: Announcing,
  { orgId, projectId, projectName, kind, source }: ScheduledSource,
  reason: string,
  { page, job }: { page: string; job: PayloadOf<'commerce.job_failed'>['job'] },
): Promise<void> {
  await authorOf(systemActor('jobs')).announce(
    tx,
    { orgId, projectId },
    {
      name: 'commerce.job_failed',
      payload: {
        source: { type: 'commerce', ...source },
        ...{ kind, projectId, projectName, reason, job },
        link: `${baseUrl}/projects/${projectId}/commerce/${page}`,
      },
    },
  )
}
