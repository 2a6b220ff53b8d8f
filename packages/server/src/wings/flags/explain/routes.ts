import { isRefusal } from '../../../catalogue/refusals.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { environmentParams, environmentQueries } from '../projects/index.ts'
import { explainEvaluation } from './actions.ts'
import { evaluateBody, evaluationSchema } from './schema.ts'

export function explainRoutes(route: Route, { db, now }: { db: Db; now: () => Date }): void {
  route({
    method: 'POST',
    url: '/api/v1/projects/:projectId/environments/:envId/evaluate',
    operationId: 'evaluate',
    idempotent: false,
    summary: 'Explain what a visitor gets',
    description:
      'Returns the value of flags for a visitor, and why each rule did or did not match. By default it evaluates what is live now; with `at` or `revision` a past revision, with `draft` what the next publish would serve. It changes nothing and counts no exposure.',
    tag: 'Environment',
    scope: 'flags:read',
    params: environmentParams,
    body: evaluateBody,
    data: evaluationSchema,
    find: ({ projectId, envId }, caller) => environmentQueries.find(db, caller.organization.id, projectId, envId),
    async handle({ found: { id: envId, revision: current }, body }) {
      const { context, flagKeys, at, revision, draft = false } = body
      const moment = at === undefined ? undefined : new Date(at)
      const question = { envId, current, context, flagKeys, at: moment, revision, draft }
      const data = await explainEvaluation(db, question, now())
      return isRefusal(data) ? data : { data }
    },
  })
}
