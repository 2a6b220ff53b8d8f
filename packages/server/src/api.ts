import { accountRoutes } from './features/accounts/index.ts'
import { audienceRoutes } from './features/audiences/index.ts'
import { auditRoutes } from './features/audit/index.ts'
import type { DataFileStore, Publishing } from './features/datafile/index.ts'
import { addBuiltInEnvironments, environmentRoutes } from './features/environments/index.ts'
import { explainRoutes } from './features/explain/index.ts'
import { feedRoutes } from './features/feed/index.ts'
import { flagRoutes } from './features/flags/index.ts'
import { type Confirmations, propagationRoutes } from './features/heartbeat/index.ts'
import { memberRoutes } from './features/members/index.ts'
import { organizationRoutes } from './features/organizations/index.ts'
import { projectRoutes } from './features/projects/index.ts'
import { resultRoutes } from './features/results/index.ts'
import { revisionRoutes } from './features/revisions/index.ts'
import { roleRoutes } from './features/roles/index.ts'
import { ruleRoutes } from './features/rules/index.ts'
import { scheduleRoutes } from './features/schedules/index.ts'
import { segmentRoutes } from './features/segments/index.ts'
import { switchRoutes } from './features/switches/index.ts'
import { serviceTokenRoutes } from './features/tokens/index.ts'
import { type WebhookContext, webhookRoutes } from './features/webhooks/index.ts'
import type { AttemptLimits } from './http/attempt-limit.ts'
import type { Cursors } from './http/page.ts'
import type { Route } from './http/route.ts'
import type { Db } from './platform/db/index.ts'
import type { Mailer } from './platform/mail.ts'

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
