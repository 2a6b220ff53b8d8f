import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import type { Role } from '../roles/index.ts'

type RoleOfMember = Pick<Role, 'id' | 'name' | 'builtIn' | 'capabilities'>

export interface Member {
  userId: string
  name: string
  email: string
  role: RoleOfMember
  /** Null means all projects. */
  projectIds: string[] | null
  secondFactor: boolean
  lastSeenAt: Date | null
  createdAt: Date
}

const roleColumn = sql`jsonb_build_object('id', roles.id, 'name', roles.name, 'builtIn', roles.built_in,
  'capabilities', roles.capabilities) as role`

const members = sql`
  select users.id as "userId", users.name, users.email, ${roleColumn},
    case when not memberships.all_projects then array(
      select project_id from membership_projects chosen
        join projects on projects.id = chosen.project_id and projects.org_id = chosen.org_id
      where chosen.org_id = memberships.org_id and chosen.user_id = memberships.user_id order by project_id
    ) end as "projectIds",
    users.totp_confirmed_at is not null as "secondFactor",
    greatest(
      (select max(last_seen_at) from sessions where user_id = users.id and stage = 'SIGNED_IN'),
      (select max(last_used_at) from tokens where user_id = users.id)
    ) as "lastSeenAt",
    memberships.created_at as "createdAt"
  from memberships join users on users.id = memberships.user_id join roles on roles.id = memberships.role_id`

/** Newest accounts first. */
export async function listMembers(db: Db, orgId: string, after: string | null, limit: number): Promise<Member[]> {
  const { rows } = await sql<Member>`
    ${members}
    where memberships.org_id = ${orgId} and (${after}::uuid is null or users.id < ${after}::uuid)
    order by users.id desc limit ${limit}`.execute(db)
  return rows
}

export async function findMember(db: Db, orgId: string, userId: string): Promise<Member | undefined> {
  if (!isId(userId)) return undefined
  const { rows } = await sql<Member>`
    ${members} where memberships.org_id = ${orgId} and memberships.user_id = ${userId}`.execute(db)
  return rows[0]
}

export async function isMemberByEmail(db: Db, orgId: string, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from memberships join users on users.id = memberships.user_id
    where memberships.org_id = ${orgId} and users.email = ${email}`.execute(db)
  return rows.length > 0
}

export async function countOwners(tx: Tx, orgId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from memberships join roles on roles.id = memberships.role_id
    where memberships.org_id = ${orgId} and roles.built_in and roles.name = 'OWNER'`.execute(tx)
  return rows[0]!.count
}

export async function countOrganizations(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from memberships where user_id = ${userId}`.execute(db)
  return rows[0]!.count
}

export async function knownProjects(db: Db, orgId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from projects where org_id = ${orgId} and id = any(${ids.filter(isId)}::uuid[]) order by id`.execute(db)
  return rows.map(({ id }) => id)
}

export interface Invitation {
  id: string
  orgId: string
  email: string
  role: RoleOfMember
  /** Null means all projects. */
  projectIds: string[] | null
  invitedBy: string
  createdAt: Date
  expiresAt: Date
}

const invitations = sql`
  select links.id, links.org_id as "orgId", links.email, ${roleColumn},
    case when links.project_ids is not null then array(
      select id from projects where projects.org_id = links.org_id and id = any(links.project_ids) order by id
    ) end as "projectIds",
    links.created_by as "invitedBy", links.created_at as "createdAt", links.expires_at as "expiresAt"
  from links join roles on roles.id = links.role_id
  where links.kind = 'INVITATION' and links.used_at is null`

/** Invitations that nobody has accepted, newest first. */
export async function listInvitations(db: Db, orgId: string): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    ${invitations} and links.org_id = ${orgId} order by links.id desc`.execute(db)
  return rows
}

export async function findInvitation(db: Db, orgId: string, id: string): Promise<Invitation | undefined> {
  if (!isId(id)) return undefined
  const { rows } = await sql<Invitation>`
    ${invitations} and links.org_id = ${orgId} and links.id = ${id}`.execute(db)
  return rows[0]
}

/** Waits for a concurrent acceptance; the invitation is gone afterwards. */
export async function lockInvitation(tx: Tx, orgId: string, id: string): Promise<Invitation | undefined> {
  const { rows } = await sql<Invitation>`
    ${invitations} and links.org_id = ${orgId} and links.id = ${id} for update of links`.execute(tx)
  return rows[0]
}

export async function lockInvitationTo(tx: Tx, orgId: string, email: string): Promise<Invitation | undefined> {
  const { rows } = await sql<Invitation>`
    ${invitations} and links.org_id = ${orgId} and links.email = ${email} for update of links`.execute(tx)
  return rows[0]
}

export async function countInvitations(tx: Tx, orgId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from links
    where org_id = ${orgId} and kind = 'INVITATION' and used_at is null`.execute(tx)
  return rows[0]!.count
}
