import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { Scope } from '../../scopes.ts'

export interface TokenMembership {
  organization: { id: string; shortId: number; name: string; features: string[] }
  role: { id: string; name: string; builtIn: boolean; capabilities: string[] } | null
}

export interface StoredToken {
  id: string
  kind: 'SERVICE' | 'PERSONAL'
  name: string
  scopes: Scope[] | null
  expiresAt: Date | null
  revokedAt: Date | null
  user: { id: string; name: string; email: string } | null
  memberships: TokenMembership[]
}

/** A token with everything that a request needs to know of its holder, as it is at this moment. */
export async function findTokenByHash(db: Db, secretHash: Buffer): Promise<StoredToken | undefined> {
  const { rows } = await sql<StoredToken>`
    select tokens.id, tokens.kind, tokens.name, tokens.scopes, tokens.expires_at as "expiresAt",
      tokens.revoked_at as "revokedAt",
      case when users.id is not null
        then jsonb_build_object('id', users.id, 'name', users.name, 'email', users.email) end as "user",
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'organization', jsonb_build_object('id', org.id, 'shortId', org.short_id, 'name', org.name,
            'features', org.features),
          'role', case when roles.id is not null then jsonb_build_object('id', roles.id, 'name', roles.name,
            'builtIn', roles.built_in, 'capabilities', roles.capabilities) end
        )), '[]')
        from (
          select tokens.org_id, null::uuid as role_id where tokens.org_id is not null
          union all
          select memberships.org_id, memberships.role_id from memberships where memberships.user_id = tokens.user_id
        ) as held
        join organizations org on org.id = held.org_id
        left join roles on roles.id = held.role_id
      ) as memberships
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
  secretHash: Buffer
  scopes: readonly Scope[] | null
  expiresAt: Date | null
}

/** Inserts the token unless its secret is known already; answers whether it did. */
export async function insertToken(tx: Tx, token: NewToken, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into tokens (id, kind, org_id, user_id, name, secret_hash, scopes, expires_at, created_at)
    values (${token.id}, ${token.kind}, ${token.orgId}, ${token.userId}, ${token.name}, ${token.secretHash},
      ${token.scopes && [...token.scopes]}::text[], ${token.expiresAt}, ${now})
    on conflict (secret_hash) do nothing
    returning id`.execute(tx)
  return rows.length > 0
}

export interface TokenUse {
  tokenId: string
  at: Date
  ip: string
  userAgent: string | null
}

/** The latest use of each token, all in one statement. */
export async function saveUses(db: Db, uses: readonly TokenUse[]): Promise<void> {
  await sql`
    update tokens set last_used_at = use.at, last_used_ip = use.ip, last_used_user_agent = use."userAgent"
    from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb)
      as use ("tokenId" uuid, at timestamptz, ip text, "userAgent" text)
    where tokens.id = use."tokenId" and (tokens.last_used_at is null or tokens.last_used_at < use.at)`.execute(db)
}
