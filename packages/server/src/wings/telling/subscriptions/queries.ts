import { sql } from 'kysely'
import type { EventName } from '../../../catalogue/events.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isAdministratorRole, memberSees } from '../../people/accounts/index.ts'
import type { everySafetyEvent } from '../destinations/index.ts'
import type { Wanted } from '../notifications/index.ts'

export type OwnEvents = readonly (EventName | typeof everySafetyEvent)[]

/** What a person hears of a project by mail. */
export interface OwnMail {
  id: string
  projectId: string
  events: OwnEvents
  digest: Wanted['digest']
  /** Whether the person chose it. Otherwise it is the default of their role. */
  isChosen: boolean
  enabled: boolean
  disableReason: string | null
}

interface Person {
  orgId: string
  userId: string
}

const columns = sql`id, project_id as "projectId", events, digest, is_chosen as "isChosen", enabled,
  disable_reason as "disableReason"`

/** Locks the rows, in the order in which others lock destinations. */
export async function lockOwnMail(tx: Tx, { orgId, userId }: Person): Promise<OwnMail[]> {
  const { rows } = await sql<OwnMail>`
    select ${columns} from own_mail where org_id = ${orgId} and user_id = ${userId}
    order by id for no key update`.execute(tx)
  return rows
}

export interface ProjectWithMail {
  project: { id: string; shortId: number; name: string }
  mail: OwnMail | null
}

/** The projects that the person sees, by name, with what they hear of each. */
export async function projectsWithMail(
  db: Db,
  { orgId, userId }: Person,
  seen: readonly string[] | null,
): Promise<ProjectWithMail[]> {
  const { rows } = await sql<ProjectWithMail>`
    select json_build_object('id', projects.id, 'shortId', projects.short_id, 'name', projects.name) as project,
      case when mail.id is not null then to_json(mail) end as mail
    from projects left join (
      select ${columns} from own_mail where user_id = ${userId}
    ) mail on mail."projectId" = projects.id
    where projects.org_id = ${orgId} and (${seen}::uuid[] is null or projects.id = any(${seen}::uuid[]))
    order by lower(projects.name), projects.id`.execute(db)
  return rows
}

export interface NewOwnMail extends Person {
  id: string
  projectId: string
  events: OwnEvents
  digest: Wanted['digest']
  secretId: string
}

const internalName = 'Own mail'

const inserting = (row: NewOwnMail, isChosen: boolean, now: Date) => sql`
  insert into own_mail (id, org_id, project_id, user_id, is_chosen, kind, name, events, digest, secret_id, created_at,
    updated_at)
  values (${row.id}, ${row.orgId}, ${row.projectId}, ${row.userId}, ${isChosen}, 'EMAIL', ${internalName},
    ${[...row.events]}::text[], ${row.digest}, ${row.secretId}, ${now}, ${now})
  on conflict (user_id, project_id) where user_id is not null`

/**
 * Writes what a person chose. The row of the project that exists works again, and keeps its id.
 *
 * @returns the id of the row
 */
export async function saveOwnMail(tx: Tx, row: NewOwnMail, now: Date): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    ${inserting(row, true, now)} do update set events = excluded.events, digest = excluded.digest, is_chosen = true,
      enabled = true, disabled_at = null, disable_reason = null, consecutive_failures = 0,
      version = own_mail.version + 1, updated_at = excluded.updated_at
    returning id`.execute(tx)
  return rows[0]!.id
}

/** Writes the default of a role, if the person has chosen nothing meanwhile. Returns whether it did. */
export async function insertDefault(tx: Tx, row: NewOwnMail, now: Date): Promise<boolean> {
  const { rows } = await sql`${inserting(row, false, now)} do nothing returning id`.execute(tx)
  return rows.length > 0
}

export async function deleteOwnMail(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`delete from own_mail where id = any(${[...ids]}::uuid[])`.execute(tx)
}

/** Owners and administrators who see a project and have no row for it. */
export async function administratorsWithoutMail(tx: Tx, orgId: string, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select memberships.user_id as "userId" from memberships
      join roles on roles.id = memberships.role_id
    where memberships.org_id = ${orgId} and ${isAdministratorRole}
      and ${memberSees(sql`${projectId}::uuid`)}
      and not exists (
        select from own_mail where own_mail.user_id = memberships.user_id and own_mail.project_id = ${projectId})
    order by memberships.user_id`.execute(tx)
  return rows.map(({ userId }) => userId)
}

/** A destination by mail, as a link that ends it sees it. */
export interface Mailing {
  id: string
  orgId: string
  organization: string
  projectId: string
  project: string
  name: string
  enabled: boolean
  /** The person whose own mail it is, and what it contains. */
  user: { id: string; name: string; email: string } | null
  events: OwnEvents
  /** Of a destination of the project. */
  to: string[]
}

export async function findMailing(db: Db, id: string): Promise<Mailing | undefined> {
  const { rows } = await sql<Mailing>`
    select destinations.id, destinations.org_id as "orgId", organizations.name as organization,
      destinations.project_id as "projectId", projects.name as project, destinations.name, destinations.enabled,
      case when users.id is not null then
        jsonb_build_object('id', users.id, 'name', users.name, 'email', users.email) end as "user",
      destinations.events, coalesce(destinations.config -> 'to', '[]') as "to"
    from destinations join projects on projects.id = destinations.project_id and projects.org_id = destinations.org_id
      join organizations on organizations.id = destinations.org_id
      left join users on users.id = destinations.user_id
    where destinations.id = ${id} and destinations.kind = 'EMAIL'`.execute(db)
  return rows[0]
}
