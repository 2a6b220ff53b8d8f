import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { type StoredMembership, storedMemberships } from '../accounts/index.ts'
import type { SessionState, Stage } from './session.ts'

export interface StoredSession extends SessionState {
  id: string
  authenticatedAt: Date
  user: { id: string; name: string; email: string }
  hasPassword: boolean
  secondFactor: boolean
  memberships: StoredMembership[]
}

/** The current state of a session, with everything that a request needs to know about its holder. */
export async function findSessionByHash(db: Db, secretHash: Buffer): Promise<StoredSession | undefined> {
  const [session] = await listStoredSessions(db, sql`sessions.secret_hash = ${secretHash}`)
  return session
}

export const findSessionsByIds = (db: Db, ids: readonly string[]): Promise<StoredSession[]> =>
  listStoredSessions(db, sql`sessions.id = any(${[...ids]}::uuid[])`)

async function listStoredSessions(db: Db, condition: RawBuilder<unknown>): Promise<StoredSession[]> {
  const { rows } = await sql<StoredSession>`
    select sessions.id, sessions.stage, sessions.authenticated_at as "authenticatedAt",
      sessions.last_seen_at as "lastSeenAt", sessions.expires_at as "expiresAt",
      jsonb_build_object('id', users.id, 'name', users.name, 'email', users.email) as "user",
      users.password_hash is not null as "hasPassword", users.totp_confirmed_at is not null as "secondFactor",
      ${storedMemberships(sql`sessions.user_id`, sql`null::uuid`)} as memberships
    from sessions join users on users.id = sessions.user_id
    where ${condition}`.execute(db)
  return rows
}

export interface NewSession {
  id: string
  userId: string
  secretHash: Buffer
  stage: Stage
  now: Date
  expiresAt: Date
  ip: string
  userAgent: string | null
}

export async function insertSession(tx: Tx, row: NewSession): Promise<void> {
  await sql`
    insert into sessions (id, user_id, secret_hash, stage, created_at, authenticated_at, last_seen_at, expires_at, ip,
      user_agent)
    values (${row.id}, ${row.userId}, ${row.secretHash}, ${row.stage}, ${row.now}, ${row.now}, ${row.now},
      ${row.expiresAt}, ${row.ip}, ${row.userAgent})`.execute(tx)
}

/** Gives a session a new id and secret. Returns when it ends, or undefined if it is gone. */
export async function replaceSession(
  tx: Tx,
  id: string,
  next: { id: string; secretHash: Buffer },
): Promise<Date | undefined> {
  const { rows } = await sql<{ expiresAt: Date }>`
    update sessions set id = ${next.id}, secret_hash = ${next.secretHash} where id = ${id}
    returning expires_at as "expiresAt"`.execute(tx)
  return rows[0]?.expiresAt
}

/** Returns the owner of the session, or undefined if it was gone. */
export async function deleteSession(tx: Tx, id: string): Promise<{ userId: string; stage: Stage } | undefined> {
  const { rows } = await sql<{ userId: string; stage: Stage }>`
    delete from sessions where id = ${id} returning user_id as "userId", stage`.execute(tx)
  return rows[0]
}

/** Deletes all sessions of a person, or all except one, and returns the number. */
export async function deleteSessionsOf(tx: Tx, userId: string, exceptId: string | null): Promise<number> {
  const { rows } = await sql`
    delete from sessions where user_id = ${userId} and id is distinct from ${exceptId}::uuid
    returning id`.execute(tx)
  return rows.length
}

/** Keeps the most recently started sessions of a person. */
export async function deleteOldestSessions(tx: Tx, userId: string, keep: number): Promise<void> {
  await sql`
    delete from sessions where id in (
      select id from sessions where user_id = ${userId} order by created_at desc, id desc offset ${keep})`.execute(tx)
}

export interface ListedSession {
  id: string
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
  ip: string | null
  userAgent: string | null
}

/** The signed-in sessions, most recently used first. */
export async function listSessions(
  db: Db,
  { userId, now, idleSince }: { userId: string; now: Date; idleSince: Date },
): Promise<ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    select id, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt", ip,
      user_agent as "userAgent"
    from sessions
    where user_id = ${userId} and stage = 'SIGNED_IN' and expires_at > ${now} and last_seen_at > ${idleSince}
    order by last_seen_at desc, id desc`.execute(db)
  return rows
}

export async function findSessionOf(db: Db, userId: string, id: string): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from sessions where user_id = ${userId} and id = ${id} and stage = 'SIGNED_IN'`.execute(db)
  return rows[0]
}

export async function hasOpenSession(
  db: Db,
  { userId, id, now, idleSince }: { userId: string; id: string; now: Date; idleSince: Date },
): Promise<boolean> {
  const { rows } = await sql`
    select from sessions
    where user_id = ${userId} and id = ${id} and stage = 'SIGNED_IN' and expires_at > ${now}
      and last_seen_at > ${idleSince}`.execute(db)
  return rows.length > 0
}

export interface SessionUse {
  sessionId: string
  at: Date
  ip: string
  userAgent: string | null
}

/** Saves the latest use of each session in one statement. */
export async function saveSessionUses(db: Db, uses: readonly SessionUse[]): Promise<void> {
  await sql`
    update sessions set last_seen_at = use.at, ip = use.ip, user_agent = use."userAgent"
    from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb)
      as use ("sessionId" uuid, at timestamptz, ip text, "userAgent" text)
    where sessions.id = use."sessionId" and sessions.last_seen_at < use.at`.execute(db)
}

/** Deletes a batch of ended sessions and returns the number. */
export async function deleteEndedSessions(db: Db, now: Date, idleSince: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from sessions where id in (
      select id from sessions
      where expires_at <= ${now} or (stage = 'SIGNED_IN' and last_seen_at <= ${idleSince})
      limit ${limit} for update skip locked
    ) returning id`.execute(db)
  return rows.length
}
