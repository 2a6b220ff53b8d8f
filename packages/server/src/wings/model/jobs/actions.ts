import type { PayloadOf } from '../../../catalogue/payloads.ts'
import { type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Tx } from '../../../platform/db/index.ts'
import {
  isApplied,
  isOutdated,
  type Job,
  lockJob,
  type OwnedJob,
  type ScheduledSource,
} from '../../../platform/jobs/index.ts'
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
  verb: 'request' | 'cancel' | 'retry' | 'apply',
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

/** Why a job cannot be applied, whoever has its file. */
export async function refusesApply(tx: Tx, job: Job): Promise<Refusal | undefined> {
  const current = job.status
  if (current !== 'HELD')
    return refuse('invalid_state', 'Only a job that is held can be applied.', { current, allowed: ['HELD'] })
  if (await isApplied(tx, job)) return refuse('invalid_state', 'The held job was already applied.', { current })
  if (await isOutdated(tx, job))
    return refuse('invalid_state', 'The held job is out of date: a newer job of its source has succeeded.', { current })
  return undefined
}

/** Why a job that applies a held one cannot be tried again: what a person has accepted counts once. */
export async function refusesApplyAgain(tx: Tx, { appliesJobId }: Job): Promise<Refusal | undefined> {
  if (appliesJobId === null) return undefined
  const held = await lockJob(tx, appliesJobId)
  return held ? refusesApply(tx, held) : refuse('invalid_state', 'The held job that it applies was deleted.')
}

interface Announcing {
  authorOf: Authors
  baseUrl: string
}

/** What the body of an event says about a job. */
export const jobBody = (baseUrl: string, { id, kind, trigger, source, projectId, projectName }: Job) => ({
  source: { type: 'commerce' as const, ...source },
  ...{ kind, projectId, projectName },
  link: `${baseUrl}/projects/${projectId}/commerce/jobs/${id}`,
  job: { id, name: jobName(kind, source.name), kind, trigger },
})

/** Records that a job has failed or makes no progress. */
export const announceFailed = (tx: Tx, context: Announcing, job: OwnedJob, reason: string): Promise<void> =>
  announce(tx, context, { orgId: job.orgId, projectId: job.projectId }, { ...jobBody(context.baseUrl, job), reason })

/** Where the page of a source is. */
type SourcePages = 'sources' | 'datasets' | 'models'

/** Records that the schedule of a source is not kept. */
export const announceMissed = (
  tx: Tx,
  context: Announcing,
  of: ScheduledSource,
  pages: SourcePages,
  reason: string,
): Promise<void> => {
  const { projectId, projectName, kind, source } = of
  return announce(tx, context, of, {
    source: { type: 'commerce', ...source },
    ...{ kind, projectId, projectName, reason, job: null },
    link: `${context.baseUrl}/projects/${projectId}/commerce/${pages}/${source.id}`,
  })
}

const announce = (
  tx: Tx,
  { authorOf }: Announcing,
  { orgId, projectId }: { orgId: string; projectId: string },
  payload: PayloadOf<'commerce.job_failed'>,
): Promise<void> =>
  authorOf(systemActor('jobs')).announce(tx, { orgId, projectId }, { name: 'commerce.job_failed', payload })
