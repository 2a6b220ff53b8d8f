import { sql } from 'kysely'
import type { Scope } from '../../../catalogue/scopes.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { isId } from '../../../platform/ids.ts'
import { type StoredMembership, storedMemberships } from '../accounts/index.ts'
import { warning } from './token.ts'

export interface StoredToken {
  id: string
  kind: 'SERVICE' | 'PERSONAL'
  name: string
  scopes: Scope[] | null
  expiresAt: Date | null
  revokedAt: Date | null
  user: { id: string; name: string; email: string } | null
  memberships: StoredMembership[]
}

/**
 * The current state of a token, with everything that a request needs to know about its holder. A previous secret is the
 * same token as the current one, so limits and repeated requests are counted together.
 */
export async function findTokenByHash(db: Db, secretHash: Buffer): Promise<StoredToken | undefined> {
  const { rows } = await sql<StoredToken>`
    select coalesce(tokens.replaced_by, tokens.id) as id, tokens.kind, tokens.name, tokens.scopes,
      tokens.expires_at as "expiresAt", tokens.revoked_at as "revokedAt",
      case when users.id is not null
        then jsonb_build_object('id', users.id, 'name', users.name, 'email', users.email) end as "user",
      ${storedMemberships(sql`tokens.user_id`, sql`tokens.org_id`)} as memberships
    from tokens left join users on users.id = tokens.user_id
    where tokens.secret_hash = ${secretHash}`.execute(db)
  return rows[0]
}

export interface NewToken {
  id: string
  kind: 'SERVICE' | 'PERSONAL'
  orgId: string | null
  userId: string | null
  name: string
  description?: string | null
  secretHash: Buffer
  scopes: readonly Scope[] | null
  expiresAt: Date | null
  /** The name of the creator; null if it came from the provisioning file. */
  createdBy?: string | null
  /** Whether the service writes the secret to a file at its first start. Default: false. */
  initial?: boolean
}

/** Inserts the token unless its secret exists, and returns whether it did. */
export async function insertToken(tx: Tx, token: NewToken, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into tokens (id, kind, org_id, user_id, name, description, secret_hash, scopes, expires_at, created_at,
      created_by, initial)
    values (${token.id}, ${token.kind}, ${token.orgId}, ${token.userId}, ${token.name}, ${token.description ?? null},
      ${token.secretHash}, ${token.scopes && [...token.scopes]}::text[], ${token.expiresAt}, ${now},
      ${token.createdBy ?? null}, ${token.initial ?? false})
    on conflict (secret_hash) do nothing
    returning id`.execute(tx)
  return rows.length > 0
}

interface LastUse {
  lastUsedAt: Date | null
  lastUsedIp: string | null
  lastUsedUserAgent: string | null
}

const lastUse = sql`last_used_at as "lastUsedAt", last_used_ip as "lastUsedIp", last_used_user_agent as "lastUsedUserAgent"`

export interface ServiceToken extends LastUse {
  id: string
  orgId: string
  name: string
  description: string | null
  scopes: Scope[]
  createdAt: Date
  createdBy: string | null
  initial: boolean
  expiresAt: Date | null
  replacedBy: string | null
  revokedAt: Date | null
}

const serviceColumns = sql`id, org_id as "orgId", name, description, scopes, created_at as "createdAt",
  created_by as "createdBy", initial, expires_at as "expiresAt", replaced_by as "replacedBy", revoked_at as "revokedAt",
  ${lastUse}`

export async function findServiceToken(db: Db, orgId: string, tokenId: string): Promise<ServiceToken | undefined> {
  if (!isId(tokenId)) return undefined
  const { rows } = await sql<ServiceToken>`
    select ${serviceColumns} from tokens where id = ${tokenId} and org_id = ${orgId}`.execute(db)
  return rows[0]
}

export interface InitialToken {
  name: string
  lastUsedAt: Date | null
}

/** The token of the first start that still works, if nobody has joined its organization. */
export async function findInitialToken(db: Db, now: Date): Promise<InitialToken | undefined> {
  const { rows } = await sql<InitialToken>`
    select name, last_used_at as "lastUsedAt" from tokens
    where initial and revoked_at is null and (expires_at is null or expires_at > ${now})
      and not exists (select from memberships where memberships.org_id = tokens.org_id)
    order by id limit 1`.execute(db)
  return rows[0]
}

/** Revokes what the file of the first start holds, also the secret before a rotation. Returns what it revoked. */
export async function revokeInitialTokens(tx: Tx, orgId: string, now: Date): Promise<ServiceToken[]> {
  const { rows } = await sql<ServiceToken>`
    update tokens set revoked_at = ${now}
    where org_id = ${orgId} and initial and revoked_at is null and (expires_at is null or expires_at > ${now})
    returning ${serviceColumns}`.execute(tx)
  return rows
}

/** Newest first, each followed by its previous secrets. `after` is the end of the previous page. */
export async function listServiceTokens(
  db: Db,
  orgId: string,
  after: { pair: string; id: string } | null,
  limit: number,
): Promise<ServiceToken[]> {
  const { pair = null, id = null } = after ?? {}
  const { rows } = await sql<ServiceToken>`
    select ${serviceColumns} from tokens
    where org_id = ${orgId} and (${pair}::uuid is null or coalesce(replaced_by, id) < ${pair}::uuid
      or (coalesce(replaced_by, id) = ${pair}::uuid and id > ${id}::uuid))
    order by coalesce(replaced_by, id) desc, id limit ${limit}`.execute(db)
  return rows
}

/** A rotation or revocation holds the row of the token until the commit. */
export async function lockServiceToken(
  tx: Tx,
  orgId: string,
  tokenId: string,
): Promise<(ServiceToken & { secretHash: Buffer }) | undefined> {
  const { rows } = await sql<ServiceToken & { secretHash: Buffer }>`
    select ${serviceColumns}, secret_hash as "secretHash" from tokens
    where id = ${tokenId} and org_id = ${orgId} for update`.execute(tx)
  return rows[0]
}

/** Gives the token's row a new secret that has not been used yet and is in no file. */
export async function replaceSecret(tx: Tx, tokenId: string, secretHash: Buffer): Promise<void> {
  await sql`
    update tokens set secret_hash = ${secretHash}, last_used_at = null, last_used_ip = null,
      last_used_user_agent = null, initial = false
    where id = ${tokenId}`.execute(tx)
}

/** Adds a row for the replaced secret, with its last use. */
export async function insertPreviousSecret(
  tx: Tx,
  previous: ServiceToken & { secretHash: Buffer; replacedBy: string },
): Promise<void> {
  await sql`
    insert into tokens (id, kind, org_id, name, description, secret_hash, scopes, expires_at, replaced_by,
      last_used_at, last_used_ip, last_used_user_agent, created_at, created_by, initial)
    values (${previous.id}, 'SERVICE', ${previous.orgId}, ${previous.name}, ${previous.description},
      ${previous.secretHash}, ${previous.scopes}::text[], ${previous.expiresAt}, ${previous.replacedBy},
      ${previous.lastUsedAt}, ${previous.lastUsedIp}, ${previous.lastUsedUserAgent}, ${previous.createdAt},
      ${previous.createdBy}, ${previous.initial})`.execute(tx)
}

export async function setRevoked(tx: Tx, tokenId: string, now: Date): Promise<void> {
  await sql`update tokens set revoked_at = ${now} where id = ${tokenId}`.execute(tx)
}

/** Service tokens whose warning is due, the first to expire first. `statusOf` returns EXPIRING for the same times. */
export async function listUnwarned(db: Db, now: Date, limit: number): Promise<string[]> {
  const seconds = (ms: number) => sql`make_interval(secs => ${ms / 1000})`
  const { rows } = await sql<{ id: string }>`
    select id from tokens
    where kind = 'SERVICE' and revoked_at is null and replaced_by is null and warned_at is null
      and expires_at > ${now} and expires_at - case when expires_at - created_at > ${seconds(warning.longLifeMs)}
        then ${seconds(warning.longLifeLeadMs)} else ${seconds(warning.shortLifeLeadMs)} end <= ${now}
    order by expires_at, id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface ExpiringToken {
  id: string
  orgId: string
  name: string
  expiresAt: Date
}

/** Claims the warning of a token. Only one of several nodes succeeds. */
export async function claimWarning(tx: Tx, tokenId: string, now: Date): Promise<ExpiringToken | undefined> {
  const { rows } = await sql<ExpiringToken>`
    update tokens set warned_at = ${now}
    where id = ${tokenId} and warned_at is null and revoked_at is null
    returning id, org_id as "orgId", name, expires_at as "expiresAt"`.execute(tx)
  return rows[0]
}

export interface PersonalToken extends LastUse {
  id: string
  userId: string
  name: string
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
}

const personalColumns = sql`id, user_id as "userId", name, created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt", ${lastUse}`

export async function lockPersonalToken(tx: Tx, userId: string, tokenId: string): Promise<PersonalToken | undefined> {
  if (!isId(tokenId)) return undefined
  const { rows } = await sql<PersonalToken>`
    select ${personalColumns} from tokens where id = ${tokenId} and user_id = ${userId} for update`.execute(tx)
  return rows[0]
}

export async function listPersonalTokens(
  db: Db,
  userId: string,
  after: string | null,
  limit: number,
): Promise<PersonalToken[]> {
  const { rows } = await sql<PersonalToken>`
    select ${personalColumns} from tokens
    where user_id = ${userId} and (${after}::uuid is null or id < ${after}::uuid)
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/** The active tokens, newest first. */
export async function listActivePersonalTokens(
  db: Db,
  userId: string,
  now: Date,
  limit: number,
): Promise<PersonalToken[]> {
  const { rows } = await sql<PersonalToken>`
    select ${personalColumns} from tokens
    where user_id = ${userId} and revoked_at is null and (expires_at is null or expires_at > ${now})
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/** Returns the tokens that it revoked. */
export async function revokeActivePersonalTokens(tx: Tx, userId: string, now: Date): Promise<PersonalToken[]> {
  const { rows } = await sql<PersonalToken>`
    update tokens set revoked_at = ${now}
    where user_id = ${userId} and revoked_at is null and (expires_at is null or expires_at > ${now})
    returning ${personalColumns}`.execute(tx)
  return rows
}

export interface TokenUse {
  /** SHA-256 in hexadecimal. A use belongs to a secret, even if the token has a new one by the time it is saved. */
  secretHash: string
  at: Date
  ip: string
  userAgent: string | null
}

/** Saves the latest use of each secret in one statement. */
export async function saveUses(db: Db, uses: readonly TokenUse[]): Promise<void> {
  await sql`
    update tokens set last_used_at = use.at, last_used_ip = use.ip, last_used_user_agent = use."userAgent"
    from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb)
      as use ("secretHash" text, at timestamptz, ip text, "userAgent" text)
    where tokens.secret_hash = decode(use."secretHash", 'hex')
      and (tokens.last_used_at is null or tokens.last_used_at < use.at)`.execute(db)
}
