import { isRefusal } from '../../../catalogue/refusals.ts'
import type { Route } from '../../../http/route.ts'
import { findJob } from '../../../platform/jobs/index.ts'
import { findProject, projectParams } from '../../flags/projects/index.ts'
import { jobSchema, presentJob } from '../../model/jobs/index.ts'
import { type Erasing, requestErasure } from './actions.ts'
import { erasureBody } from './schema.ts'

export function erasureRoutes(route: Route, context: Pick<Erasing, 'db' | 'jobs' | 'signer'>): void {
  const { db } = context
  route({
    method: 'POST',
    url: '/api/v1/projects/:projectId/erasures',
    operationId: 'eraseVisitors',
    summary: 'Erase visitors',
    description:
      'Deletes the raw events of these visitors in all environments of the project, and gives the visitors random names in everything that was counted, so that results stay the same. The answer is the job that does this; call `getJob` to see when it ends. Visitors who return afterwards count as new visitors, so stop sending their events first.',
    tag: 'Job',
    scope: 'admin:*',
    orAdministrator: true,
    params: projectParams,
    body: erasureBody,
    data: jobSchema,
    status: 202,
    find: ({ projectId }, caller) => findProject(db, caller.organization.id, projectId),
    async handle({ found: project, by, body }) {
      const id = await requestErasure(context, by, project, body.units)
      if (isRefusal(id)) return id
      const job = await findJob(db, { orgId: project.orgId, projectId: project.id }, id)
      return { data: presentJob(job!) }
    },
  })
}
