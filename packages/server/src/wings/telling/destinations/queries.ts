import { sql } from 'kysely'
import { type EventName, isSafetyEvent } from '../../../catalogue/events.ts'
import type { scopesOfRole } from '../../../catalogue/scopes.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isAdministratorRole, memberSees } from '../../people/accounts/index.ts'
import type { Times, Wanted } from '../notifications/index.ts'
import type { DestinationHealth } from './health.ts'
import { type Ears, everySafetyEvent } from './hears.ts'
import type { PayloadProject } from './payload.ts'
import type { Rest, Turn } from './turn.ts'

/** What deliveries change of a destination, with what an event about it says. */
export interface Destination extends DestinationHealth {
  id: string
  kind: string
  name: string
  orgId: string
  projectId: string
  /** Whose own mail it is; null for a destination of the project. */
  user: { id: string; name: string } | null
}

/** Destinations stop working when their project is deleted. */
export const isOfOrganization = sql`exists (
  select from projects where projects.id = destinations.project_id and projects.org_id = destinations.org_id)`

export async function lockDestinations(tx: Tx, ids: readonly string[]): Promise<Destination[]> {
  const { rows } = await sql<Destination>`
    select id, kind, name, org_id as "orgId", project_id as "projectId", enabled,
      consecutive_failures as "consecutiveFailures",
      (select jsonb_build_object('id', users.id, 'name', users.name) from users where users.id = user_id) as "user"
    from destinations where id = any(${[...ids]}::uuid[]) and ${isOfOrganization}
    order by id for no key update`.execute(tx)
  return rows
}

export async function saveFailures(tx: Tx, id: string, consecutiveFailures: number): Promise<void> {
  await sql`update destinations set consecutive_failures = ${consecutiveFailures} where id = ${id}`.execute(tx)
}

/** Disabling changes the content that people edit, and so its version. */
export async function saveDisabled(
  tx: Tx,
  { id, consecutiveFailures }: Pick<Destination, 'id' | 'consecutiveFailures'>,
  reason: string,
  now: Date,
): Promise<void> {
  await sql`
    update destinations set enabled = false, disabled_at = ${now}, disable_reason = ${reason},
      consecutive_failures = ${consecutiveFailures}, version = version + 1, updated_at = ${now}
    where id = ${id}`.execute(tx)
}

export async function insertSecret(
  tx: Tx,
  row: { id: string; destinationId: string; sealed: Buffer },
  now: Date,
): Promise<void> {
  await sql`
    insert into destination_secrets (id, destination_id, sealed, created_at)
    values (${row.id}, ${row.destinationId}, ${row.sealed}, ${now})`.execute(tx)
}

/** How many secrets are encrypted with the secret key. */
export async function countSealedSecrets(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from destination_secrets`.execute(db)
  return rows[0]!.count
}

/** Disables every destination: nothing is sent for them, neither new deliveries nor pending ones. Returns how many. */
export async function disableAllDestinations(tx: Tx, reason: string, now: Date): Promise<number> {
  const { rows } = await sql`
    update destinations set enabled = false, disabled_at = ${now}, disable_reason = ${reason} where enabled
    returning id`.execute(tx)
  return rows.length
}

/** The newest secrets, encrypted. */
export async function sealedSecrets(db: Db, limit: number): Promise<{ id: string; sealed: Buffer }[]> {
  const { rows } = await sql<{ id: string; sealed: Buffer }>`
    select id, sealed from destination_secrets order by id desc limit ${limit}`.execute(db)
  return rows
}

export interface Subscription extends Ears, Wanted {
  destinationId: string
  /** The project of the events. */
  eventProject: PayloadProject
  times: Times
  secretId: string
}

/** The person of an own mail is a member who sees its project, and who wants the mail or has it by their role. */
const hasHearer = sql`(destinations.user_id is null or exists (
  select from memberships join roles on roles.id = memberships.role_id
  where memberships.org_id = destinations.org_id and memberships.user_id = destinations.user_id
    and (destinations.is_chosen or ${isAdministratorRole}) and ${memberSees(sql`destinations.project_id`)}))`

/** A member of the organization who gets mail, with the role that decides what the mail can contain. */
export interface MailedMember {
  email: string
  role: Parameters<typeof scopesOfRole>[0]
}

const roleColumn = sql`jsonb_build_object('name', roles.name, 'builtIn', roles.built_in, 'capabilities',
  roles.capabilities) as role`

/** Who gets an own mail; undefined if its person must not get it any more. */
export async function ownHearer(db: Db, id: string): Promise<MailedMember | undefined> {
  const { rows } = await sql<MailedMember>`
    select users.email, ${roleColumn} from destinations join users on users.id = destinations.user_id
      join memberships on memberships.user_id = users.id and memberships.org_id = destinations.org_id
      join roles on roles.id = memberships.role_id
    where destinations.id = ${id} and ${hasHearer}`.execute(db)
  return rows[0]
}

/** The members of an organization among these addresses. */
export async function membersAmong(db: Db, orgId: string, addresses: readonly string[]): Promise<MailedMember[]> {
  const { rows } = await sql<MailedMember>`
    select lower(users.email) as email, ${roleColumn} from memberships join users on users.id = memberships.user_id
      join roles on roles.id = memberships.role_id
    where memberships.org_id = ${orgId}
      and lower(users.email) = any(${addresses.map((each) => each.toLowerCase())}::text[])`.execute(db)
  return rows
}

/**
 * The enabled destinations of an organization that subscribe to one of these events, in any of its projects, or keep
 * tickets about one that ends.
 */
export async function subscriptions(
  tx: Tx,
  { orgId, projectId }: { orgId: string; projectId: string },
  { names, ends }: { names: readonly EventName[]; ends: readonly EventName[] },
): Promise<Subscription[]> {
  const wanted = [...names, ...ends, ...(names.some(isSafetyEvent) ? [everySafetyEvent] : [])]
  const { rows } = await sql<Subscription>`
    select destinations.id as "destinationId", destinations.project_id as "projectId", destinations.events,
      destinations.secret_id as "secretId", organizations.notification_filter as filter, destinations.kind,
      destinations.all_projects as "allProjects", destinations.environment_ids as "environmentIds",
      destinations.digest, destinations.quiet_hours as "quietHours", destinations.user_id is not null as "isOwn",
      jsonb_build_object('quietHours', organizations.quiet_hours, 'digestAt', organizations.digest_at,
        'digestTimezone', organizations.digest_timezone) as times,
      jsonb_build_object('id', projects.id, 'shortId', projects.short_id, 'name', projects.name) as "eventProject"
    from destinations join organizations on organizations.id = destinations.org_id, projects
    where destinations.org_id = ${orgId} and destinations.enabled
      and destinations.events && ${wanted}::text[]
      and ${hasHearer} and ${isOfOrganization} and projects.id = ${projectId}`.execute(tx)
  return rows
}

export async function projectOf(db: Db, projectId: string): Promise<PayloadProject> {
  const { rows } = await sql<PayloadProject>`
    select id, short_id as "shortId", name from projects where id = ${projectId}`.execute(db)
  return rows[0]!
}

/** What a turn is read with: needs `destinations` and its `secret`. */
export const turnColumns = sql`destinations.id as "destinationId", destinations.org_id as "orgId",
  destinations.user_id as "userId", destinations.kind, destinations.config, destinations.template,
  destinations.holds, destinations.holding_since as "holdingSince", secret.id as "secretId", secret.sealed as "sealedSecret"`

const mayBegin = (now: Date) => sql`destinations.kind <> 'WEBHOOK' and destinations.enabled and ${isOfOrganization}
  and coalesce(destinations.busy_until <= ${now}, true) and coalesce(destinations.held_until <= ${now}, true)
  and exists (
    select from deliveries where destination_id = destinations.id and status = 'PENDING' and due_at <= ${now})`

/** Destinations that can begin a turn: at most `limit`, beginning behind `after`. */
export async function findReady(
  db: Db,
  { now, except, after, limit }: { now: Date; except: readonly string[]; after: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from destinations where ${mayBegin(now)} and id <> all(${[...except]}::uuid[])
    order by id <= ${after}::uuid, id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Begins the turns of these destinations, except those that another worker has begun meanwhile. A destination stays busy
 * for the whole lease, unless `endTurns` or `saveRests` ends that.
 */
export async function beginTurns(
  tx: Tx,
  ids: readonly string[],
  { now, leaseUntil, mailUntil }: { now: Date; leaseUntil: Date; mailUntil: Date },
): Promise<Turn[]> {
  const { rows } = await sql<Turn>`
    with claimed as (
      select id from destinations where id = any(${[...ids]}::uuid[]) and ${mayBegin(now)}
      order by id for no key update skip locked
    )
    update destinations
    set busy_until = case kind when 'EMAIL' then ${mailUntil}::timestamptz else ${leaseUntil}::timestamptz end
    from claimed, destination_secrets secret
    where destinations.id = claimed.id and secret.id = destinations.secret_id
    returning ${turnColumns}, destinations.busy_until as "leaseUntil"`.execute(tx)
  return rows
}

/** Ends turns in which nothing was sent. */
export async function endTurns(tx: Tx, turns: readonly Pick<Turn, 'destinationId' | 'leaseUntil'>[]): Promise<void> {
  for (const { destinationId, leaseUntil } of turns)
    await sql`
      update destinations set busy_until = null where id = ${destinationId} and busy_until = ${leaseUntil}`.execute(tx)
}

/** Ends the turns of a process that has crashed. */
export async function endAllTurns(db: Db): Promise<void> {
  await sql`update destinations set busy_until = null where busy_until is not null`.execute(db)
}

export async function saveRests(tx: Tx, rests: ReadonlyMap<string, Rest>): Promise<void> {
  if (rests.size === 0) return
  const rows = [...rests].map(([id, { busyUntil, hold }]) => ({ id, busyUntil, ...hold }))
  await sql`
    update destinations set busy_until = row."busyUntil", held_until = row.until, holding_since = row.since,
      holds = coalesce(row.holds, 0)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (id uuid, "busyUntil" timestamptz, until timestamptz, since timestamptz, holds integer)
    where destinations.id = row.id`.execute(tx)
}

/**
 * Deletes secrets that no delivery refers to and that were rotated out before the oldest kept delivery. Returns how
 * many.
 */
export async function deleteOldSecrets(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from destination_secrets where id in (
      select old.id
      from destination_secrets as old join destinations on destinations.id = old.destination_id
      where old.id <> destinations.secret_id
        and exists (
          select from destination_secrets as newer
          where newer.destination_id = old.destination_id and newer.id > old.id and newer.created_at < ${before}
        )
        and not exists (select from deliveries where destination_id = old.destination_id and secret_id = old.id)
      limit ${limit}
    ) returning id`.execute(db)
  return rows.length
}
