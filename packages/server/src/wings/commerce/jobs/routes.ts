import { isRefusal, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { holdsScope, type Scope } from '../../../catalogue/scopes.ts'
import { type Caller, isAdministrator } from '../../../http/credentials.ts'
import { type Cursors, pageQuery } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import { findJob, type Job, type Jobs, listJobErrors, listJobs } from '../../../platform/jobs/index.ts'
import { findProject, projectParams } from '../../flags/projects/index.ts'
import { jobSchema, presentJob } from '../../model/jobs/index.ts'
import { apply, cancel, retry } from './actions.ts'
import { jobErrorSchema, jobFilters, jobParams } from './schema.ts'

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a flat list of routes
export function jobRoutes(route: Route, { db, cursors, jobs }: { db: Db; cursors: Cursors; jobs: Jobs }): void {
  const tag = 'Job'
  const url = '/api/v1/projects/:projectId/commerce/jobs'
  const hiddenFrom = (caller: Caller) => (seesConfidential(caller) ? [] : jobs.confidential())
  const confidential = 'Erasures are shown only to people who can request them.'
  const needs = 'For a job of a dataset, this also requires `datasets:write`; of a model, `recommendations:write`.'

  route({
    method: 'GET',
    url,
    operationId: 'listJobs',
    summary: 'List background jobs',
    description: `Newest first. ${confidential}`,
    tag,
    scope: 'catalog:read',
    params: projectParams,
    query: { ...pageQuery, ...jobFilters },
    data: jobSchema.array(),
    paged: true,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ found: { id: projectId, orgId }, caller, query }) {
      const { kind, status, sourceId } = query
      const hidden = hiddenFrom(caller)
      // No job has a source that is not an id.
      const isNone = sourceId !== undefined && !isId(sourceId)
      return cursors.list(
        query,
        ['jobs', orgId, projectId, hidden, kind, status, sourceId],
        async (after, limit): Promise<Job[]> =>
          isNone ? [] : listJobs(db, { orgId, projectId }, { hidden, kind, status, sourceId }, after, limit),
        (rows) => rows.map(presentJob),
      )
    },
  })

  const one = {
    tag,
    params: jobParams,
    refusesFound: refusesScope,
    async find({ projectId, jobId }: { projectId: string; jobId: string }, caller: Caller): Promise<Job | undefined> {
      if (!isId(projectId) || !isId(jobId)) return undefined
      const job = await findJob(db, { orgId: caller.organization.id, projectId }, jobId)
      return job && !hiddenFrom(caller).includes(job.kind) ? job : undefined
    },
  }

  route({
    ...one,
    method: 'GET',
    url: `${url}/:jobId`,
    operationId: 'getJob',
    summary: 'Get a background job',
    description: `Ended jobs are kept for 90 days. ${confidential}`,
    scope: 'catalog:read',
    data: jobSchema,
    handle: async ({ found }) => ({ data: presentJob(found) }),
  })

  route({
    ...one,
    method: 'GET',
    url: `${url}/:jobId/errors`,
    operationId: 'listJobErrors',
    summary: 'List the errors of a job',
    description: 'In the order in which they were found. Errors are kept for 30 days.',
    scope: 'catalog:read',
    query: pageQuery,
    data: jobErrorSchema.array(),
    paged: true,
    handle: ({ found: { id }, query }) =>
      cursors.list(
        query,
        ['job errors', id],
        (after, limit) => listJobErrors(db, id, after, limit),
        (rows) => rows.map(({ id: _id, ...error }) => error),
      ),
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/:jobId/cancel`,
    operationId: 'cancelJob',
    summary: 'Cancel a background job',
    description: `A waiting job ends at once. A running job ends after its current step: read it until it has ended. What it has done by then is kept, and its \`reason\` says what that is. A job whose change is already visible ends as \`SUCCEEDED\`, because it is too late. ${needs}`,
    scope: 'catalog:write',
    data: jobSchema,
    async handle({ found: { id, projectId }, caller, by }) {
      const job = await cancel(db, jobs, by, { orgId: caller.organization.id, projectId, id })
      return isRefusal(job) ? job : { data: presentJob(job) }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/:jobId/apply`,
    operationId: 'applyJob',
    summary: 'Apply a held background job',
    description: `For a job that is \`HELD\`. The answer is a new job, which does the same once more. The counts in \`result.guards\` of the held job are its limits, so that it does not do more than you have seen. A file that was sent is gone: send it again with \`?apply=\`. A job is applied once, and only until a newer job of its source has succeeded. Of a dataset, it lets the held version go live. ${needs}`,
    scope: 'catalog:write',
    status: 202,
    data: jobSchema,
    async handle({ found: { id, projectId }, caller, by }) {
      const job = await apply(db, jobs, by, { orgId: caller.organization.id, projectId, id })
      return isRefusal(job) ? job : { data: presentJob(job) }
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/:jobId/retry`,
    operationId: 'retryJob',
    summary: 'Retry a background job',
    description: `For a job that failed or was cancelled. The answer is the new job. A file that was sent is gone, so its job is not retried: send the file again. A job that applies a held one is retried while the held one can still be applied. ${needs}`,
    scope: 'catalog:write',
    status: 202,
    data: jobSchema,
    async handle({ found: { id, projectId }, caller, by }) {
      const job = await retry(db, jobs, by, { orgId: caller.organization.id, projectId, id })
      return isRefusal(job) ? job : { data: presentJob(job) }
    },
  })
}

/** Who changes a job changes what it is about. */
const alsoNeeded: Readonly<Record<string, Scope>> = {
  dataset_refresh: 'datasets:write',
  recommendation_run: 'recommendations:write',
}

function refusesScope({ kind }: Job, caller: Pick<Caller, 'scopes'>): Refusal | undefined {
  const scope = alsoNeeded[kind]
  if (scope === undefined || holdsScope(caller.scopes, scope)) return undefined
  return refuse('scope_missing', `Jobs of this kind also require the scope ${scope}.`, { scope })
}

/** Who can ask for an erasure: an administrator who is signed in, or a token with all scopes. */
const seesConfidential = (caller: Caller): boolean =>
  caller.type === 'SESSION' ? isAdministrator(caller) : holdsScope(caller.scopes, 'admin:*')
