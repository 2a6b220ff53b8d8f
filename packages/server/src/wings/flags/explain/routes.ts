import { isRefusal } from '../../../catalogue/refusals.ts'
import { idField } from '../../../fields.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { audienceQueries } from '../audiences/index.ts'
import { environmentParams, environmentQueries } from '../projects/index.ts'
import { explainAudience, explainEvaluation } from './actions.ts'
import { audienceEvaluationSchema, evaluateAudienceBody, evaluateBody, evaluationSchema } from './schema.ts'

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

  route({
    method: 'POST',
    url: '/api/v1/projects/:projectId/audiences/:audienceId/evaluate',
    operationId: 'evaluateAudience',
    idempotent: false,
    summary: 'Explain whether a visitor is in an audience',
    description:
      'Evaluates the conditions of the audience, as edited, for a visitor, and names those that fail. It changes nothing.',
    tag: 'Audience',
    scope: 'audiences:read',
    params: { projectId: idField, audienceId: idField },
    body: evaluateAudienceBody,
    data: audienceEvaluationSchema,
    find: ({ projectId, audienceId }, caller) =>
      audienceQueries.find(db, caller.organization.id, projectId, audienceId),
    handle: async ({ found, body }) => ({ data: await explainAudience(db, found, body.context, now()) }),
  })
}
