import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'

export interface StoredFactor {
  sealed: Buffer | null
  confirmedAt: Date | null
  lastStep: number | null
}

export async function findFactor(db: Db, userId: string): Promise<StoredFactor | undefined> {
  const { rows } = await sql<StoredFactor>`
    select totp_sealed as sealed, totp_confirmed_at as "confirmedAt", totp_last_step as "lastStep"
    from users where id = ${userId}`.execute(db)
  return rows[0]
}

export async function deleteRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx)
}

export async function insertRecoveryCodes(tx: Tx, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await sql`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}, decode(hash, 'hex') from unnest(${hashes.map((hash) => hash.toString('hex'))}::text[]) as hash`.execute(
    tx,
  )
}

/** Returns whether the code was valid, and uses it up. */
export async function useRecoveryCode(tx: Tx, userId: string, hash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update recovery_codes set used_at = ${now}
    where user_id = ${userId} and code_hash = ${hash} and used_at is null
    returning user_id`.execute(tx)
  return rows.length > 0
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from recovery_codes where user_id = ${userId} and used_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** The sealed secrets of second factors, of at most `limit` people. */
export async function sealedFactors(db: Db, limit: number): Promise<{ userId: string; sealed: Buffer }[]> {
  const { rows } = await sql<{ userId: string; sealed: Buffer }>`
    select id as "userId", totp_sealed as sealed from users where totp_sealed is not null
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/** The number of second factor secrets that are sealed with the installation's key. */
export async function countSealedFactors(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from users where totp_sealed is not null`.execute(db)
  return rows[0]!.count
}
