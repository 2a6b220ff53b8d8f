import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'

export interface StoredIdentity {
  id: string
  issuer: string
  email: string
  createdAt: Date
}

export async function findIdentityHolder(db: Db, issuer: string, subject: string): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from identities where issuer = ${issuer} and subject = ${subject}`.execute(db)
  return rows[0]?.userId
}

/** Returns whether the identity is new. Of two concurrent attempts, one links it. */
export async function insertIdentity(
  tx: Tx,
  row: { id: string; userId: string; issuer: string; subject: string; email: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into identities (id, user_id, issuer, subject, email, created_at)
    values (${row.id}, ${row.userId}, ${row.issuer}, ${row.subject}, ${row.email}, ${row.now})
    on conflict on constraint identities_subject_key do nothing
    returning id`.execute(tx)
  return rows.length > 0
}

export async function listIdentities(db: Db, userId: string): Promise<StoredIdentity[]> {
  const { rows } = await sql<StoredIdentity>`
    select id, issuer, email, created_at as "createdAt" from identities where user_id = ${userId} order by id`.execute(
    db,
  )
  return rows
}

export async function deleteIdentity(tx: Tx, userId: string, id: string): Promise<void> {
  await sql`delete from identities where user_id = ${userId} and id = ${id}`.execute(tx)
}
