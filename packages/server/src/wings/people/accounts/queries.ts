import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'

export async function findOrganizationByName(db: Db, name: string): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from organizations where name = ${name} order by short_id limit 1`.execute(db)
  return rows[0]
}

export async function hasOrganizations(db: Db): Promise<boolean> {
  const { rows } = await sql`select from organizations limit 1`.execute(db)
  return rows.length > 0
}

export async function findRoleByName(db: Db, orgId: string, name: string): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from roles where org_id = ${orgId} and name = ${name}`.execute(db)
  return rows[0]
}

export async function findUserByEmail(db: Db, email: string): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`select id from users where email = lower(${email}::text)`.execute(db)
  return rows[0]
}

export async function insertUser(
  tx: Tx,
  row: { id: string; email: string; name: string; passwordHash: string | null; now: Date },
): Promise<void> {
  await sql`
    insert into users (id, email, name, password_hash, created_at)
    values (${row.id}, lower(${row.email}::text), ${row.name}, ${row.passwordHash}, ${row.now})`.execute(tx)
}

/** Returns whether the person was not a member yet. `projectIds`: the chosen projects; null or omitted for all. */
export async function insertMembership(
  tx: Tx,
  row: { orgId: string; userId: string; roleId: string; projectIds?: readonly string[] | null; now: Date },
): Promise<boolean> {
  const chosen = row.projectIds ?? null
  const { rows } = await sql`
    insert into memberships (org_id, user_id, role_id, all_projects, created_at)
    values (${row.orgId}, ${row.userId}, ${row.roleId}, ${chosen === null}, ${row.now})
    on conflict do nothing
    returning user_id`.execute(tx)
  if (rows.length === 0) return false
  if (chosen)
    await sql`
      insert into membership_projects (org_id, user_id, project_id)
      select ${row.orgId}, ${row.userId}, id from projects
      where org_id = ${row.orgId} and id = any(${[...chosen]}::uuid[])`.execute(tx)
  return true
}

/** Whether any organization has an owner. */
export async function hasOwner(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from memberships join roles on roles.id = memberships.role_id
    where roles.built_in and roles.name = 'OWNER' limit 1`.execute(db)
  return rows.length > 0
}

/** The organization of the first start, which nobody has joined yet. */
export async function lockOrganizationWithoutMembers(tx: Tx): Promise<{ id: string; name: string } | undefined> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from organizations org
    where not exists (select from memberships where org_id = org.id)
    order by short_id limit 1 for no key update`.execute(tx)
  return rows[0]
}

/** An account with the data that proves a sign-in. */
export interface Account {
  id: string
  name: string
  email: string
  passwordHash: string | null
  /** Whether a second factor is set up and confirmed. */
  secondFactor: boolean
}

const account = sql`id, name, email, password_hash as "passwordHash",
  totp_confirmed_at is not null as "secondFactor"`

export async function findAccountByEmail(db: Db, email: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`select ${account} from users where email = lower(${email}::text)`.execute(db)
  return rows[0]
}

/** Every change of an account locks it first. */
export async function lockAccount(tx: Tx, id: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`select ${account} from users where id = ${id} for update`.execute(tx)
  return rows[0]
}

export async function findAccount(db: Db, id: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`select ${account} from users where id = ${id}`.execute(db)
  return rows[0]
}

export async function updatePersonName(tx: Tx, id: string, name: string, now: Date): Promise<void> {
  await sql`update users set name = ${name}, updated_at = ${now} where id = ${id}`.execute(tx)
}

export async function updateEmail(tx: Tx, id: string, email: string, now: Date): Promise<void> {
  await sql`update users set email = lower(${email}::text), updated_at = ${now} where id = ${id}`.execute(tx)
}

export async function updatePasswordHash(tx: Tx, id: string, passwordHash: string, now: Date): Promise<void> {
  await sql`update users set password_hash = ${passwordHash}, updated_at = ${now} where id = ${id}`.execute(tx)
}

/** In the order in which their audit chains are locked. */
export async function organizationsOfPerson(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select org_id as id from memberships where user_id = ${userId} order by org_id`.execute(db)
  return rows.map(({ id }) => id)
}

/** A membership in its current state. What it allows is derived from it and never stored. */
export interface StoredMembership {
  organization: { id: string; shortId: number; name: string; features: string[] }
  role: { id: string; name: string; builtIn: boolean; capabilities: string[] } | null
  /** Null means all projects. */
  projects: string[] | null
}

/** An SQL expression: the memberships of a user, or of a service token in its organization, as a JSON array. */
export const storedMemberships = (userId: RawBuilder<unknown>, orgId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'organization', jsonb_build_object('id', org.id, 'shortId', org.short_id, 'name', org.name, 'features', org.features),
    'role', case when roles.id is not null then jsonb_build_object('id', roles.id, 'name', roles.name,
      'builtIn', roles.built_in, 'capabilities', roles.capabilities) end,
    'projects', case when not held.all_projects then (
      select coalesce(jsonb_agg(chosen.project_id), '[]') from membership_projects chosen
        join projects on projects.id = chosen.project_id and projects.org_id = chosen.org_id
      where chosen.org_id = held.org_id and chosen.user_id = ${userId}) end
  ) order by org.short_id), '[]')
  from (
    select ${orgId} as org_id, null::uuid as role_id, true as all_projects where ${orgId} is not null
    union all
    select memberships.org_id, memberships.role_id, memberships.all_projects from memberships
    where memberships.user_id = ${userId}
  ) as held
  join organizations org on org.id = held.org_id
  left join roles on roles.id = held.role_id
)`

/** Whether a role is that of an owner or administrator. */
export const isAdministratorRole = sql`(roles.built_in and roles.name in ('OWNER', 'ADMIN'))`

/** Whether the person of a membership sees a project of its organization. */
export const memberSees = (projectId: RawBuilder<unknown>): RawBuilder<boolean> => sql`(
  memberships.all_projects or exists (
    select from membership_projects chosen where chosen.org_id = memberships.org_id
      and chosen.user_id = memberships.user_id and chosen.project_id = ${projectId}))`

/** The owners and administrators of an organization by built-in role, with the name of the organization. */
export async function administratorsOf(db: Db, orgId: string): Promise<{ email: string; organization: string }[]> {
  const { rows } = await sql<{ email: string; organization: string }>`
    select users.email, org.name as organization
    from memberships join roles on roles.id = memberships.role_id join users on users.id = memberships.user_id
      join organizations org on org.id = memberships.org_id
    where memberships.org_id = ${orgId} and ${isAdministratorRole}
    order by users.email`.execute(db)
  return rows
}

interface MembershipKey {
  orgId: string
  userId: string
}

export async function saveMembership(
  tx: Tx,
  { orgId, userId }: MembershipKey,
  { roleId, allProjects }: { roleId: string; allProjects: boolean },
): Promise<void> {
  await sql`
    update memberships set role_id = ${roleId}, all_projects = ${allProjects}
    where org_id = ${orgId} and user_id = ${userId}`.execute(tx)
}

export async function deleteOtherProjects(
  tx: Tx,
  { orgId, userId }: MembershipKey,
  kept: readonly string[],
): Promise<void> {
  await sql`
    delete from membership_projects
    where org_id = ${orgId} and user_id = ${userId} and project_id <> all(${[...kept]}::uuid[])`.execute(tx)
}

export async function addProjects(tx: Tx, { orgId, userId }: MembershipKey, ids: readonly string[]): Promise<void> {
  await sql`
    insert into membership_projects (org_id, user_id, project_id)
    select ${orgId}::uuid, ${userId}::uuid, id from projects where org_id = ${orgId} and id = any(${[...ids]}::uuid[])
    on conflict do nothing`.execute(tx)
}

/** Also deletes the projects chosen for the membership. */
export async function deleteMembership(tx: Tx, { orgId, userId }: MembershipKey): Promise<void> {
  await sql`delete from memberships where org_id = ${orgId} and user_id = ${userId}`.execute(tx)
}

/** A member with chosen projects also sees projects that they create. */
export async function showToCreator(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
  userId: string,
): Promise<void> {
  await sql`
    insert into membership_projects (org_id, user_id, project_id)
    select org_id, user_id, ${id}::uuid from memberships
    where org_id = ${orgId} and user_id = ${userId} and not all_projects`.execute(tx)
}

/** A new secret, not confirmed yet. */
export async function setFactor(tx: Tx, userId: string, sealed: Buffer, now: Date): Promise<void> {
  await sql`
    update users set totp_sealed = ${sealed}, totp_confirmed_at = null, totp_last_step = null, updated_at = ${now}
    where id = ${userId}`.execute(tx)
}

/** Returns whether the step is newer than all before. Of two equal codes at once, only one counts. */
export async function useStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  const { rows } = await sql`
    update users set totp_last_step = ${step}
    where id = ${userId} and (totp_last_step is null or totp_last_step < ${step})
    returning id`.execute(tx)
  return rows.length > 0
}

export async function confirmFactor(tx: Tx, userId: string, now: Date): Promise<void> {
  await sql`
    update users set totp_confirmed_at = ${now}, updated_at = ${now} where id = ${userId}`.execute(tx)
}

export async function clearFactor(tx: Tx, userId: string, now: Date): Promise<void> {
  await sql`
    update users set totp_sealed = null, totp_confirmed_at = null, totp_last_step = null, updated_at = ${now}
    where id = ${userId}`.execute(tx)
}
