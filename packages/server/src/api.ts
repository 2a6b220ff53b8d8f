import type { AttemptLimits } from './http/attempt-limit.ts'
import type { Cursors } from './http/page.ts'
import type { Route } from './http/route.ts'
import type { Db } from './platform/db/index.ts'
import type { Mailer } from './platform/mail.ts'
import { audienceRoutes } from './wings/flags/audiences/index.ts'
import { addBuiltInEnvironments, environmentRoutes } from './wings/flags/environments/index.ts'
import { explainRoutes } from './wings/flags/explain/index.ts'
import { flagRoutes } from './wings/flags/flags/index.ts'
import { projectRoutes } from './wings/flags/projects/index.ts'
import { revisionRoutes } from './wings/flags/revisions/index.ts'
import { ruleRoutes } from './wings/flags/rules/index.ts'
import { scheduleRoutes } from './wings/flags/schedules/index.ts'
import { segmentRoutes } from './wings/flags/segments/index.ts'
import { switchRoutes } from './wings/flags/switches/index.ts'
import { resultRoutes } from './wings/measuring/results/index.ts'
import { accountRoutes } from './wings/people/accounts/index.ts'
import { memberRoutes } from './wings/people/members/index.ts'
import { organizationRoutes } from './wings/people/organizations/index.ts'
import { roleRoutes } from './wings/people/roles/index.ts'
import { serviceTokenRoutes } from './wings/people/tokens/index.ts'
import { auditRoutes } from './wings/record/audit/index.ts'
import { feedRoutes } from './wings/record/feed/index.ts'
import type { DataFileStore, Publishing } from './wings/serving/datafile/index.ts'
import { type Confirmations, propagationRoutes } from './wings/serving/heartbeat/index.ts'
import { type WebhookContext, webhookRoutes } from './wings/telling/webhooks/index.ts'

export interface ApiContext {
  db: Db
  now: () => Date
  cursors: Cursors
  change: Publishing
  store: DataFileStore
  confirmations: Confirmations
  baseUrl: string
  /** Null where the service sends no mail. */
  mailer: Mailer | null
  attempts: AttemptLimits
  /** How long the old secret of a rotated service token still works. */
  rotationGraceMs: number
  deliveries: Omit<WebhookContext, 'cursors'>
}

/** Every route under /api/v1: what the service answers, and what the OpenAPI document is printed from. */
export function apiRoutes(route: Route, context: ApiContext): void {
  accountRoutes(route)
  organizationRoutes(route, context)
  memberRoutes(route, context)
  roleRoutes(route, context)
  projectRoutes(route, { ...context, addEnvironments: addBuiltInEnvironments })
  environmentRoutes(route, context)
  revisionRoutes(route, context)
  explainRoutes(route, context)
  propagationRoutes(route, context)
  flagRoutes(route, context)
  switchRoutes(route, context)
  scheduleRoutes(route, context)
  ruleRoutes(route, context)
  audienceRoutes(route, context)
  segmentRoutes(route, context)
  resultRoutes(route, context)
  feedRoutes(route, context)
  auditRoutes(route, context)
  serviceTokenRoutes(route, context)
  webhookRoutes(route, { ...context.deliveries, cursors: context.cursors })
}
