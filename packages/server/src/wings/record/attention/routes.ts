import { isAdministrator } from '../../../http/credentials.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { EventQuota } from '../../measuring/events/index.ts'
import { maxProblems, momentsOf } from './problem.ts'
import { listProblems } from './queries.ts'
import { attentionSchema } from './schema.ts'

export function attentionRoute(
  route: Route,
  { db, now, quota }: { db: Db; now: () => Date; quota: Pick<EventQuota, 'stopped'> },
): void {
  route({
    method: 'GET',
    url: '/api/dashboard/attention',
    operationId: 'getAttention',
    summary: 'Get the open problems of the organization',
    description:
      'Lists webhooks that fail or were disabled after failures, schedules that failed or were suspended, tests with a guardrail metric that got worse or a health check that failed, results that cannot be computed, jobs that failed, clients that are behind or silent, environments of which this node takes no events, and tokens that expire within seven days. Owners and administrators also see service tokens, the token of the first start, and owners and administrators without a second factor.',
    tag: 'Attention',
    access: 'session',
    scope: null,
    data: attentionSchema,
    async handle({ caller }) {
      const reader = {
        orgId: caller.organization.id,
        userId: caller.user!.id,
        projects: caller.projects && [...caller.projects],
        isAdministrator: isAdministrator(caller),
      }
      const problems = await listProblems(db, reader, momentsOf(now()), quota.stopped(), maxProblems + 1)
      const shown = problems.slice(0, maxProblems).map((each) => ({ ...each, since: each.since.toISOString() }))
      return { data: { problems: shown as never, hasMore: problems.length > maxProblems } }
    },
  })
}
