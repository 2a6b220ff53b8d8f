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

/** A new secret, not confirmed yet. */
export async function setFactor(tx: Tx, userId: string, sealed: Buffer, now: Date): Promise<void> {
  await sql`
    update users set totp_sealed = ${sealed}, totp_confirmed_at = null, totp_last_step = null, updated_at = ${now}
    where id = ${userId}`.execute(tx)
}

/** Answers whether the step is newer than every one before: of two equal codes at once, one counts. */
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

export async function removeFactor(tx: Tx, userId: string, now: Date): Promise<void> {
  await sql`
    update users set totp_sealed = null, totp_confirmed_at = null, totp_last_step = null, updated_at = ${now}
    where id = ${userId}`.execute(tx)
  await deleteRecoveryCodes(tx, userId)
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

/** Answers whether the code was good, and good for this once. */
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

/** How many secrets of second factors are sealed with the installation's key. */
export async function countSealedFactors(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from users where totp_sealed is not null`.execute(db)
  return rows[0]!.count
}
