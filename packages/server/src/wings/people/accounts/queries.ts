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

export async function insertOrganization(
  tx: Tx,
  row: { id: string; name: string; features: readonly string[]; notifications: object | null; now: Date },
): Promise<void> {
  await sql`
    insert into organizations (id, name, features, notification_filter, created_at)
    values (${row.id}, ${row.name}, ${[...row.features]}::text[], ${row.notifications && JSON.stringify(row.notifications)}::jsonb,
      ${row.now})`.execute(tx)
}

export async function insertRole(
  tx: Tx,
  row: { id: string; orgId: string; name: string; builtIn: boolean; capabilities: readonly string[]; now: Date },
): Promise<void> {
  await sql`
    insert into roles (id, org_id, name, built_in, capabilities, created_at)
    values (${row.id}, ${row.orgId}, ${row.name}, ${row.builtIn}, ${[...row.capabilities]}::text[], ${row.now})
    on conflict on constraint roles_name_key do nothing`.execute(tx)
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

/** Answers whether the person was not a member yet. `projectIds`: the chosen projects; null or left out: all. */
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

/** Whether there is anybody who owns an organization. */
export async function hasOwner(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from memberships join roles on roles.id = memberships.role_id
    where roles.built_in and roles.name = 'OWNER' limit 1`.execute(db)
  return rows.length > 0
}

/** The organization of the first start: nobody has joined it yet. */
export async function lockOrganizationWithoutMembers(tx: Tx): Promise<{ id: string; name: string } | undefined> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from organizations org
    where not exists (select from memberships where org_id = org.id)
    order by short_id limit 1 for no key update`.execute(tx)
  return rows[0]
}

export async function updateOrganizationName(tx: Tx, id: string, name: string, now: Date): Promise<void> {
  await sql`
    update organizations set name = ${name}, version = version + 1, updated_at = ${now} where id = ${id}`.execute(tx)
}

/** Somebody who signs in, with what proves it. */
export interface Account {
  id: string
  name: string
  email: string
  passwordHash: string | null
  /** A second factor was set up and confirmed. */
  secondFactor: boolean
}

const account = sql`id, name, email, password_hash as "passwordHash",
  totp_confirmed_at is not null as "secondFactor"`

export async function findAccountByEmail(db: Db, email: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`select ${account} from users where email = lower(${email}::text)`.execute(db)
  return rows[0]
}

/** Every change of a person begins with this lock. */
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

export async function updatePasswordHash(tx: Tx, id: string, passwordHash: string, now: Date): Promise<void> {
  await sql`update users set password_hash = ${passwordHash}, updated_at = ${now} where id = ${id}`.execute(tx)
}

/** In the order in which their audit chains are locked. */
export async function organizationsOfPerson(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select org_id as id from memberships where user_id = ${userId} order by org_id`.execute(db)
  return rows.map(({ id }) => id)
}

/** A membership as it is at this moment; what it allows is derived from it, never stored. */
export interface StoredMembership {
  organization: { id: string; shortId: number; name: string; features: string[] }
  role: { id: string; name: string; builtIn: boolean; capabilities: string[] } | null
  /** Null: all projects. */
  projects: string[] | null
}

/** An SQL expression: the memberships of a user, or of a service token in its organization, as an array in JSON. */
export const storedMemberships = (userId: RawBuilder<unknown>, orgId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'organization', jsonb_build_object('id', org.id, 'shortId', org.short_id, 'name', org.name, 'features', org.features),
    'role', case when roles.id is not null then jsonb_build_object('id', roles.id, 'name', roles.name,
      'builtIn', roles.built_in, 'capabilities', roles.capabilities) end,
    'projects', case when not held.all_projects then (
      select coalesce(jsonb_agg(chosen.project_id), '[]') from membership_projects chosen
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

/** The owners and administrators of an organization by their built-in role, with its name. */
export async function administratorsOf(db: Db, orgId: string): Promise<{ email: string; organization: string }[]> {
  const { rows } = await sql<{ email: string; organization: string }>`
    select users.email, org.name as organization
    from memberships join roles on roles.id = memberships.role_id join users on users.id = memberships.user_id
      join organizations org on org.id = memberships.org_id
    where memberships.org_id = ${orgId} and roles.built_in and roles.name in ('OWNER', 'ADMIN')
    order by users.email`.execute(db)
  return rows
}
