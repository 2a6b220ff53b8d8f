import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { QuietHours } from './schema.ts'

export interface OrganizationRow {
  id: string
  shortId: number
  name: string
  features: string[]
  notifications: { mode: 'INCLUDE' | 'EXCLUDE'; keywords: string[] } | null
  quietHours: QuietHours | null
  digestAt: string
  digestTimezone: string | null
  version: number
  createdAt: Date
}

/** What administrators can change. */
export type OrganizationContent = Pick<
  OrganizationRow,
  'name' | 'notifications' | 'quietHours' | 'digestAt' | 'digestTimezone'
>

const columns = sql`id, short_id as "shortId", name, features, notification_filter as notifications,
  quiet_hours as "quietHours", digest_at as "digestAt", digest_timezone as "digestTimezone", version, created_at as "createdAt"`

export async function findOrganization(db: Db, orgId: string): Promise<OrganizationRow | undefined> {
  const { rows } = await sql<OrganizationRow>`
    select ${columns} from organizations where id = ${orgId}`.execute(db)
  return rows[0]
}

export async function listOrganizations(db: Db): Promise<OrganizationRow[]> {
  const { rows } = await sql<OrganizationRow>`select ${columns} from organizations order by short_id`.execute(db)
  return rows
}

/**
 * The first lock of every change of members and their roles. Such changes run one after another, so that the last owner
 * stays. Rows that only refer to the organization can be written in the meantime.
 */
export async function lockOrganization(tx: Tx, orgId: string): Promise<OrganizationRow | undefined> {
  const { rows } = await sql<OrganizationRow>`
    select ${columns} from organizations where id = ${orgId} for no key update`.execute(tx)
  return rows[0]
}

export async function saveOrganization(
  tx: Tx,
  orgId: string,
  { name, notifications, quietHours, digestAt, digestTimezone }: OrganizationContent,
  now: Date,
): Promise<void> {
  await sql`
    update organizations set name = ${name},
      notification_filter = ${notifications && JSON.stringify(notifications)}::jsonb,
      quiet_hours = ${quietHours && JSON.stringify(quietHours)}::jsonb, digest_at = ${digestAt},
      digest_timezone = ${digestTimezone},
      version = version + 1, updated_at = ${now}
    where id = ${orgId}`.execute(tx)
}

export async function saveFeatures(tx: Tx, orgId: string, features: readonly string[], now: Date): Promise<void> {
  await sql`
    update organizations set features = ${features}, version = version + 1, updated_at = ${now}
    where id = ${orgId}`.execute(tx)
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

export async function updateOrganizationName(tx: Tx, id: string, name: string, now: Date): Promise<void> {
  await sql`
    update organizations set name = ${name}, version = version + 1, updated_at = ${now} where id = ${id}`.execute(tx)
}

/** The next number for a project of the organization. Concurrent creates wait here. */
export async function numberProject(tx: Tx, orgId: string): Promise<number> {
  const { rows } = await sql<{ shortId: number }>`
    update organizations set next_project_short_id = next_project_short_id + 1
    where id = ${orgId} returning next_project_short_id - 1 as "shortId"`.execute(tx)
  return rows[0]!.shortId
}
