import { isRefusal } from '../../../../catalogue/refusals.ts'
import type { Route } from '../../../../http/route.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { Jobs } from '../../../../platform/jobs/index.ts'
import type { projectNounRoutes } from '../../../flags/projects/index.ts'
import { jobSchema, presentJob } from '../../../model/jobs/index.ts'
import type { Source } from '../queries.ts'
import { requestSync } from './actions.ts'

type OfSource = ReturnType<typeof projectNounRoutes<Source, never, never, never>>

export function syncRoute(route: Route, { one, url }: OfSource, context: { db: Db; jobs: Jobs }): void {
  route({
    ...one,
    method: 'POST',
    url: `${url}/sync`,
    operationId: 'syncCatalogSource',
    summary: 'Sync a catalog source',
    description:
      'Fetches the file at the `url` of the source, and makes its items, or what it says about items, live as one revision of the catalog, or stores its orders. The answer is the job that does this (202); call `getJob` to see when it ends. If the source has a job that is queued or running, the answer is that job (200).',
    scope: 'catalog:write',
    data: jobSchema,
    canGoOn: true,
    async handle({ found: { id, projectId }, caller, by }) {
      const asked = await requestSync(context, by, { orgId: caller.organization.id, projectId, id })
      return isRefusal(asked) ? asked : { data: presentJob(asked.job), goesOn: asked.isNew }
    },
  })
}
