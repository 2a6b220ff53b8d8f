import { idField } from '../../../fields.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { environmentQueries } from '../../flags/projects/index.ts'
import { metricQueries } from '../metrics/index.ts'
import { metricActivity } from './actions.ts'
import { activitySchema } from './schema.ts'

export function arrivalRoutes(route: Route, { db, now }: { db: Db; now: () => Date }): void {
  route({
    method: 'GET',
    url: '/api/v1/projects/:projectId/metrics/:metricId/envs/:envId/activity',
    operationId: 'getMetricActivity',
    summary: 'See whether a metric gets events',
    description:
      'The events of the metric that arrived in the environment in each of the last 30 days, and when the last one did. They are counted as they arrive, every few seconds, so a node that is killed can leave out the last ones. Figures of tests are computed from the stored events and not from these.',
    tag: 'Metric',
    scope: 'results:read',
    params: { projectId: idField, metricId: idField, envId: idField },
    data: activitySchema,
    async find({ projectId, metricId, envId }, caller) {
      const metric = await metricQueries.find(db, caller.organization.id, projectId, metricId)
      const environment = metric && (await environmentQueries.find(db, caller.organization.id, projectId, envId))
      return environment && { metric, envId: environment.id }
    },
    handle: async ({ found: { metric, envId } }) => ({ data: await metricActivity(db, metric, envId, now()) }),
  })
}
