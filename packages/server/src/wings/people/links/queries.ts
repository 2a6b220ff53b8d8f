import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { LinkKind } from './link.ts'

interface LinkRow {
  id: string
  secretHash: Buffer
  createdBy: string
  now: Date
  expiresAt: Date | null
}

export type NewLinkRow = LinkRow &
  (
    | { kind: 'OWNER' }
    | { kind: 'INVITATION'; orgId: string; email: string; roleId: string; projectIds: readonly string[] | null }
    | { kind: 'PASSWORD_RESET'; userId: string }
    | { kind: 'EMAIL_CHANGE'; userId: string; email: string }
  )

export async function insertLink(tx: Tx, row: NewLinkRow): Promise<void> {
  const invitation = row.kind === 'INVITATION' ? row : undefined
  const userId = 'userId' in row ? row.userId : null
  const email = 'email' in row ? row.email : null
  await sql`
    insert into links (id, kind, secret_hash, org_id, user_id, email, role_id, project_ids, created_by, created_at,
      expires_at)
    values (${row.id}, ${row.kind}, ${row.secretHash}, ${invitation?.orgId ?? null}, ${userId},
      lower(${email}::text), ${invitation?.roleId ?? null},
      ${invitation?.projectIds ? [...invitation.projectIds] : null}::uuid[], ${row.createdBy}, ${row.now},
      ${row.expiresAt})`.execute(tx)
}

export async function replaceLink(tx: Tx, row: LinkRow): Promise<void> {
  await sql`
    update links set secret_hash = ${row.secretHash}, created_by = ${row.createdBy}, created_at = ${row.now},
      expires_at = ${row.expiresAt}
    where id = ${row.id}`.execute(tx)
}

/** The data of a link that its holder can see. */
export interface OpenLink {
  id: string
  kind: LinkKind
  /** The address that it is for; null for the link that creates the owner. */
  email: string | null
  organization: { id: string; name: string } | null
  invitedBy: string
  /** The account with the link's address; null if there is none yet. */
  userId: string | null
  expiresAt: Date | null
}

/** A link that is neither used nor expired. */
export async function findOpenLink(db: Db, secretHash: Buffer, now: Date): Promise<OpenLink | undefined> {
  const { rows } = await sql<OpenLink>`
    select links.id, links.kind, coalesce(links.email, users.email) as email, links.created_by as "invitedBy",
      links.expires_at as "expiresAt", users.id as "userId",
      case when org.id is not null then jsonb_build_object('id', org.id, 'name', org.name) end as organization
    from links
    left join organizations org on org.id = links.org_id
    left join users on users.id = links.user_id or links.user_id is null and users.email = links.email
    where links.secret_hash = ${secretHash} and links.used_at is null
      and (links.expires_at is null or links.expires_at > ${now})`.execute(db)
  return rows[0]
}

export interface TakenLink {
  id: string
  orgId: string | null
  userId: string | null
  email: string | null
  roleId: string | null
  projectIds: string[] | null
}

/** Marks an open link as used. Only one of several concurrent attempts succeeds. */
export async function takeOpenLink(
  tx: Tx,
  { secretHash, kind, now }: { secretHash: Buffer; kind: LinkKind; now: Date },
): Promise<TakenLink | undefined> {
  const { rows } = await sql<TakenLink>`
    update links set used_at = ${now}
    where secret_hash = ${secretHash} and kind = ${kind} and used_at is null
      and (expires_at is null or expires_at > ${now})
    returning id, org_id as "orgId", user_id as "userId", email, role_id as "roleId", project_ids as "projectIds"`.execute(
    tx,
  )
  return rows[0]
}

export async function hasOpenOwnerLink(db: Db): Promise<boolean> {
  const { rows } = await sql`select from links where kind = 'OWNER' and used_at is null limit 1`.execute(db)
  return rows.length > 0
}

/** @param before only the links from before this moment; null for all */
export async function deleteOwnerLinks(tx: Db, before: Date | null = null): Promise<void> {
  await sql`
    delete from links where kind = 'OWNER' and (${before}::timestamptz is null or created_at < ${before})`.execute(tx)
}

/** Deletes the links that could still set a new password or a new address. */
export async function deleteAccountLinks(tx: Tx, userId: string): Promise<void> {
  await sql`delete from links where user_id = ${userId} and used_at is null`.execute(tx)
}

/** Deletes the links that could still set a new address. */
export async function deleteEmailLinks(tx: Tx, userId: string): Promise<void> {
  await sql`delete from links where kind = 'EMAIL_CHANGE' and user_id = ${userId} and used_at is null`.execute(tx)
}

/** Keeps open invitations, even expired ones: the members page shows them until they are revoked. */
export async function deleteOldLinks(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from links where id in (
      select id from links
      where used_at < ${before} or (user_id is not null and expires_at < ${before})
      limit ${limit} for update skip locked
    ) returning id`.execute(db)
  return rows.length
}

export async function deleteInvitation(tx: Tx, id: string): Promise<void> {
  await sql`delete from links where id = ${id} and kind = 'INVITATION'`.execute(tx)
}
