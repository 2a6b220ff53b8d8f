import { sql } from 'kysely'
import type { EventName } from '../../../catalogue/events.ts'
import { nounQueries } from '../../../nouns/index.ts'
import type { Tx } from '../../../platform/db/index.ts'

export interface Webhook {
  id: string
  projectId: string
  orgId: string
  key: string
  name: string
  url: string
  events: EventName[]
  enabled: boolean
  disabledAt: Date | null
  disableReason: string | null
  consecutiveFailures: number
  version: number
  secretId: string
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, project_id as "projectId", org_id as "orgId", key, name, url, events, enabled,
  disabled_at as "disabledAt", disable_reason as "disableReason", consecutive_failures as "consecutiveFailures",
  version, secret_id as "secretId", created_at as "createdAt", updated_at as "updatedAt"`

export const webhookQueries = nounQueries<Webhook>('webhooks', columns)

/** Webhooks stop working when their project is deleted. */
const isOfOrganization = sql`exists (
  select from projects where projects.id = webhooks.project_id and projects.org_id = webhooks.org_id)`

/** Locks the organization, so that concurrent creations cannot exceed its limit. */
export async function lockWebhookCount(tx: Tx, orgId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${orgId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from webhooks where org_id = ${orgId} and ${isOfOrganization}`.execute(tx)
  return rows[0]!.count
}

export async function insertWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  await sql`
    insert into webhooks (id, org_id, project_id, key, name, url, events, secret_id, created_at, updated_at)
    values (${webhook.id}, ${webhook.orgId}, ${webhook.projectId}, ${webhook.key}, ${webhook.name},
      ${webhook.url}, ${webhook.events}::text[], ${webhook.secretId}, ${webhook.createdAt}, ${webhook.updatedAt})`.execute(
    tx,
  )
}

export async function saveWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  await sql`
    update webhooks set name = ${webhook.name}, url = ${webhook.url}, events = ${webhook.events}::text[],
      enabled = ${webhook.enabled}, disabled_at = ${webhook.disabledAt}, disable_reason = ${webhook.disableReason},
      consecutive_failures = ${webhook.consecutiveFailures}, version = ${webhook.version},
      secret_id = ${webhook.secretId}, updated_at = ${webhook.updatedAt}
    where id = ${webhook.id}`.execute(tx)
}
