import { sql } from 'kysely'
import type { EventName } from '../../../catalogue/events.ts'
import { nounQueries } from '../../../nouns/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import type { TriggeredBy } from '../../../platform/outbox.ts'
import { isShown } from '../../model/flag-environments/index.ts'
import type { KindName, Template } from '../destinations/index.ts'
import type { Wanted } from '../notifications/index.ts'

/** A destination of any kind besides webhooks. */
export interface Integration {
  id: string
  projectId: string
  orgId: string
  key: string
  name: string
  kind: KindName
  /** Secrets are replaced by what shows which one it is. */
  config: Record<string, unknown>
  events: EventName[]
  environmentIds: string[] | null
  allProjects: boolean
  template: Template | null
  digest: Wanted['digest']
  quietHours: boolean
  enabled: boolean
  disabledAt: Date | null
  disableReason: string | null
  consecutiveFailures: number
  heldUntil: Date | null
  version: number
  secretId: string
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, project_id as "projectId", org_id as "orgId", key, name, kind, config, events,
  environment_ids as "environmentIds", all_projects as "allProjects", template, digest, quiet_hours as "quietHours",
  enabled, disabled_at as "disabledAt", disable_reason as "disableReason",
  consecutive_failures as "consecutiveFailures", held_until as "heldUntil", version, secret_id as "secretId",
  created_at as "createdAt", updated_at as "updatedAt"`

export const integrationQueries = {
  ...nounQueries<Integration>('integrations', columns),

  /** Newest first. */
  async list(
    db: Db,
    projectId: string,
    after: string | null,
    limit: number,
    { kind = null }: { kind?: KindName | null },
  ): Promise<Integration[]> {
    const { rows } = await sql<Integration>`
      select ${columns} from integrations
      where project_id = ${projectId} and (${after}::uuid is null or id < ${after}::uuid)
        and (${kind}::text is null or kind = ${kind}::text)
      order by id desc limit ${limit}`.execute(db)
    return rows
  },
}

/** Locks the organization, so that concurrent creations cannot exceed its limit. */
export async function lockIntegrationCount(tx: Tx, orgId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`integrations ${orgId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from integrations where org_id = ${orgId} and exists (
      select from projects where projects.id = integrations.project_id and projects.org_id = ${orgId})`.execute(tx)
  return rows[0]!.count
}

export async function insertIntegration(tx: Tx, row: Integration): Promise<void> {
  await sql`
    insert into integrations (id, org_id, project_id, key, kind, name, config, events, environment_ids, all_projects, template,
      digest, quiet_hours, enabled, consecutive_failures, version, secret_id, created_at, updated_at)
    values (${row.id}, ${row.orgId}, ${row.projectId}, ${row.key}, ${row.kind}, ${row.name}, ${JSON.stringify(row.config)}::jsonb,
      ${row.events}::text[], ${row.environmentIds}::uuid[], ${row.allProjects}, ${jsonOf(row.template)}::jsonb,
      ${row.digest}, ${row.quietHours}, ${row.enabled}, ${row.consecutiveFailures}, ${row.version}, ${row.secretId},
      ${row.createdAt}, ${row.updatedAt})`.execute(tx)
}

export async function saveIntegration(tx: Tx, row: Integration): Promise<void> {
  await sql`
    update integrations set name = ${row.name}, config = ${JSON.stringify(row.config)}::jsonb,
      events = ${row.events}::text[], environment_ids = ${row.environmentIds}::uuid[], all_projects = ${row.allProjects},
      template = ${jsonOf(row.template)}::jsonb, digest = ${row.digest}, quiet_hours = ${row.quietHours},
      enabled = ${row.enabled}, disabled_at = ${row.disabledAt}, disable_reason = ${row.disableReason},
      consecutive_failures = ${row.consecutiveFailures}, version = ${row.version}, secret_id = ${row.secretId},
      updated_at = ${row.updatedAt}
    where id = ${row.id}`.execute(tx)
}

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

export async function sealedSecretOf(db: Db, secretId: string): Promise<Buffer> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select sealed from destination_secrets where id = ${secretId}`.execute(db)
  return rows[0]!.sealed
}

/** The ids that are not environments of the project. `projectId`: null for any project of the organization. */
export async function unknownEnvironments(
  db: Db,
  orgId: string,
  projectId: string | null,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select environments.id from environments join projects on projects.id = environments.project_id
    where projects.org_id = ${orgId} and (${projectId}::uuid is null or projects.id = ${projectId}::uuid)
      and environments.id = any(${ids.filter(isId)}::uuid[])`.execute(db)
  const known = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}

/** Those of the addresses that belong to members of the organization or have agreed to its mail, as they were given. */
export async function reachableAmong(db: Db, orgId: string, addresses: readonly string[]): Promise<string[]> {
  const wanted = addresses.map((each) => each.toLowerCase())
  const { rows } = await sql<{ email: string }>`
    select lower(users.email) as email from memberships join users on users.id = memberships.user_id
    where memberships.org_id = ${orgId}
      and lower(users.email) = any(${wanted}::text[])
    union
    select email from mail_addresses where org_id = ${orgId} and confirmed_at is not null
      and email = any(${wanted}::text[])`.execute(db)
  const known = new Set(rows.map(({ email }) => email))
  return addresses.filter((each) => known.has(each.toLowerCase()))
}

/** Whether one of the addresses was asked since a moment and has not answered. */
export async function isAnyAsked(db: Db, orgId: string, addresses: readonly string[], since: Date): Promise<boolean> {
  const { rows } = await sql<{ isAsked: boolean }>`
    select exists (
      select from mail_addresses where org_id = ${orgId} and confirmed_at is null and asked_at > ${since}
        and email = any(${addresses.map((each) => each.toLowerCase())}::text[])) as "isAsked"`.execute(db)
  return rows[0]!.isAsked
}

/** How many addresses of an organization were asked and have not answered. */
export async function countAsked(tx: Tx, orgId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from mail_addresses where org_id = ${orgId} and confirmed_at is null`.execute(tx)
  return rows[0]!.count
}

/** Notes that addresses are asked. Returns those that were not asked since a moment: the others get no second mail. */
export async function noteAsked(
  tx: Tx,
  orgId: string,
  addresses: readonly string[],
  { since, now }: { since: Date; now: Date },
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    insert into mail_addresses (org_id, email, asked_at)
    select ${orgId}, email, ${now} from unnest(${[...addresses].toSorted()}::text[]) as asked (email)
    on conflict (org_id, email) do update set asked_at = excluded.asked_at
      where mail_addresses.confirmed_at is null and mail_addresses.asked_at < ${since}
    returning email`.execute(tx)
  return rows.map(({ email }) => email)
}

/** Notes that an address agrees. Returns whether it had not before; undefined if it was never asked. */
export async function confirmAddress(tx: Tx, orgId: string, email: string, now: Date): Promise<boolean | undefined> {
  const { rows } = await sql<{ isNew: boolean }>`
    with before as (
      select confirmed_at from mail_addresses where org_id = ${orgId} and email = ${email} for no key update
    )
    update mail_addresses set confirmed_at = coalesce(mail_addresses.confirmed_at, ${now}) from before
    where org_id = ${orgId} and email = ${email}
    returning before.confirmed_at is null as "isNew"`.execute(tx)
  return rows[0]?.isNew
}

/** Forgets that an address agreed, if no destination of the organization names it any more. */
export async function forgetAddress(tx: Tx, orgId: string, email: string): Promise<void> {
  await sql`
    delete from mail_addresses where org_id = ${orgId} and email = ${email} and not exists (
      select from integrations where org_id = ${orgId} and kind = 'EMAIL' and enabled and config -> 'to' ? ${email})`.execute(
    tx,
  )
}

/** A ticket or an alarm that is open. */
export interface OpenTicket {
  kind: KindName
  /** What it is about: the name of an event, then ids. */
  key: string
  externalId: string
  url: string | null
  /** When it was last updated. */
  toldAt: Date
}

/** The open tickets about a flag or an experiment of a project, the latest first. */
export async function openTickets(
  db: Db,
  { orgId, projectId }: { orgId: string; projectId: string },
  about: string,
  limit: number,
): Promise<OpenTicket[]> {
  const { rows } = await sql<OpenTicket>`
    select integrations.kind, refs.key, refs.external_id as "externalId", refs.url, refs.at as "toldAt"
    from destination_refs refs join integrations on integrations.id = refs.destination_id
    where refs.about @> array[${about}::uuid] and refs.state = 'OPEN' and integrations.org_id = ${orgId}
      and (exists (select from flags where id = ${about} and project_id = ${projectId} and ${isShown})
        or exists (select from experiments where id = ${about} and project_id = ${projectId}))
    order by refs.at desc, refs.key limit ${limit}`.execute(db)
  return rows
}

/** An event that has happened. */
export interface StoredEvent {
  id: string
  name: EventName
  payload: Record<string, unknown>
  triggeredBy: TriggeredBy | null
  occurredAt: Date
}

/** The event with this id, or the latest with this name. */
export async function findEvent(
  db: Db,
  projectId: string,
  { id = null, name = null }: { id?: string | null; name?: EventName | null },
): Promise<StoredEvent | undefined> {
  if (id !== null && !isId(id)) return undefined
  const { rows } = await sql<StoredEvent>`
    select id, name, payload, triggered_by as "triggeredBy", occurred_at as "occurredAt" from events
    where project_id = ${projectId} and (${id}::uuid is null or id = ${id}::uuid)
      and (${name}::text is null or name = ${name}::text)
    order by seq desc limit 1`.execute(db)
  return rows[0]
}
