import { sql } from 'kysely'
import { builtInRoles, type Capability } from '../../../catalogue/scopes.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import type { RoleUses } from './role.ts'

export interface Role {
  id: string
  orgId: string
  name: string
  description: string | null
  builtIn: boolean
  capabilities: Capability[]
  version: number
  memberCount: number
  createdAt: Date
  updatedAt: Date
}

const columns = sql`id, org_id as "orgId", name, description, built_in as "builtIn", capabilities, version,
  (select count(*)::integer from memberships where role_id = roles.id) as "memberCount",
  created_at as "createdAt", coalesce(updated_at, created_at) as "updatedAt"`

/** Built-in roles first, from owner to viewer, then custom roles by name. */
export async function listRoles(db: Db, orgId: string): Promise<Role[]> {
  const { rows } = await sql<Role>`
    select ${columns} from roles where org_id = ${orgId}
    order by built_in desc, array_position(${Object.keys(builtInRoles)}::text[], name), lower(name), id`.execute(db)
  return rows
}

export async function findRole(db: Db, orgId: string, roleId: string): Promise<Role | undefined> {
  if (!isId(roleId)) return undefined
  const { rows } = await sql<Role>`
    select ${columns} from roles where id = ${roleId} and org_id = ${orgId}`.execute(db)
  return rows[0]
}

/** The current role of a member. */
export async function findRoleOf(
  db: Db,
  orgId: string,
  userId: string,
): Promise<Pick<Role, 'id' | 'name' | 'builtIn' | 'capabilities'> | undefined> {
  const { rows } = await sql<Role>`
    select roles.id, roles.name, roles.built_in as "builtIn", roles.capabilities
    from memberships join roles on roles.id = memberships.role_id
    where memberships.org_id = ${orgId} and memberships.user_id = ${userId}`.execute(db)
  return rows[0]
}

/** Ignores case, because two roles that look alike would be confused. */
export async function findRoleNamed(db: Db, orgId: string, name: string): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from roles where org_id = ${orgId} and lower(name) = lower(${name}::text)`.execute(db)
  return rows[0]
}

export async function countRoles(tx: Tx, orgId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from roles where org_id = ${orgId}`.execute(tx)
  return rows[0]!.count
}

export async function insertRole(tx: Tx, role: Role): Promise<void> {
  await sql`
    insert into roles (id, org_id, name, description, built_in, capabilities, created_at, updated_at)
    values (${role.id}, ${role.orgId}, ${role.name}, ${role.description}, false, ${role.capabilities}::text[],
      ${role.createdAt}, ${role.updatedAt})`.execute(tx)
}

export async function saveRole(
  tx: Tx,
  {
    id,
    name,
    description,
    capabilities,
    updatedAt,
  }: Pick<Role, 'id' | 'name' | 'description' | 'capabilities' | 'updatedAt'>,
): Promise<void> {
  await sql`
    update roles set name = ${name}, description = ${description}, capabilities = ${capabilities}::text[],
      version = version + 1, updated_at = ${updatedAt}
    where id = ${id}`.execute(tx)
}

export async function roleUses(tx: Tx, roleId: string): Promise<RoleUses> {
  const { rows } = await sql<RoleUses>`
    select (select count(*)::integer from memberships where role_id = ${roleId}) as members,
      (select count(*)::integer from links where role_id = ${roleId} and used_at is null) as invitations`.execute(tx)
  return rows[0]!
}

/** Also deletes accepted invitations that name the role. */
export async function deleteRoleRow(tx: Tx, roleId: string): Promise<void> {
  await sql`
    with accepted as (delete from links where role_id = ${roleId} and used_at is not null)
    delete from roles where id = ${roleId}`.execute(tx)
}

/** For built-in roles and those of the provisioning file. Does nothing if the organization has a role of this name. */
export async function insertRoleUnlessNamed(
  tx: Tx,
  row: { id: string; orgId: string; name: string; builtIn: boolean; capabilities: readonly string[]; now: Date },
): Promise<void> {
  await sql`
    insert into roles (id, org_id, name, built_in, capabilities, created_at)
    values (${row.id}, ${row.orgId}, ${row.name}, ${row.builtIn}, ${[...row.capabilities]}::text[], ${row.now})
    on conflict on constraint roles_name_key do nothing`.execute(tx)
}
