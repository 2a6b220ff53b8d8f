import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/index.ts'

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

export async function insertMembership(
  tx: Tx,
  row: { orgId: string; userId: string; roleId: string; now: Date },
): Promise<void> {
  await sql`
    insert into memberships (org_id, user_id, role_id, created_at)
    values (${row.orgId}, ${row.userId}, ${row.roleId}, ${row.now})
    on conflict do nothing`.execute(tx)
}
