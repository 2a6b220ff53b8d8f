import type { Tx } from '../../../platform/db/index.ts'
import type { Job } from '../../../platform/jobs/index.ts'
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

/** Records that a job has failed or makes no progress. */
export async function announceFailed(
  tx: Tx,
  { authorOf, baseUrl }: { authorOf: Authors; baseUrl: string },
  { id, projectId, orgId, projectName, kind, source, trigger }: Job,
  reason: string,
): Promise<void> {
  await authorOf(systemActor('jobs')).announce(
    tx,
    { orgId: orgId!, projectId },
    {
      name: 'commerce.job_failed',
      payload: {
        source: { type: 'commerce', ...source },
        ...{ kind, projectId, projectName, reason },
        link: `${baseUrl}/projects/${projectId}/commerce/jobs/${id}`,
        job: { id, name: jobName(kind, source.name), kind, trigger },
      },
    },
  )
}
