import { isRefusal, notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Authenticate, Credential, Origin } from '../../../http/credentials.ts'
import type { AttemptLimits } from '../../../http/limits/attempt-limit.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids.ts'
import type { Author } from '../../../platform/outbox.ts'
import type { Seal } from '../../../platform/seal.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import type { WriteBehind } from '../../../platform/write-behind.ts'
import {
  type Account,
  type AccountChange,
  checkPassword,
  findAccountByEmail,
  limits,
  lockAccount,
  membershipOf,
  recordOfPerson,
} from '../accounts/index.ts'
import { type Proof, proveSecondFactor } from '../second-factor/index.ts'
import {
  deleteOldestSessions,
  deleteSession,
  deleteSessionsOf,
  findSessionByHash,
  findSessionsByIds,
  hasOpenSession,
  insertSession,
  replaceSession,
  type SessionUse,
  type StoredSession,
} from './queries.ts'
import { endOf, hashOfSession, idleSince, isOver, newSessionSecret, type Stage } from './session.ts'

export interface StartedSession {
  secret: string
  expiresAt: Date
}

/** The session of a cookie in any stage, if it has not ended. */
export async function openSession(db: Db, secret: string | undefined, now: Date): Promise<StoredSession | undefined> {
  const hash = hashOfSession(secret)
  const session = hash ? await findSessionByHash(db, hash) : undefined
  return session && !isOver(session, now) ? session : undefined
}

export function authenticator(db: Db, uses: WriteBehind<SessionUse>, now: () => Date): Authenticate {
  return async (secret, { ip, userAgent }) => {
    const session = await openSession(db, secret, now())
    if (session?.stage !== 'SIGNED_IN') return refuse('unauthorized', 'The session has ended. Sign in again.')
    uses.note(session.id, { sessionId: session.id, at: now(), ip, userAgent })
    return credentialOf(session)
  }
}

const credentialOf = ({ id, user, memberships }: StoredSession): Credential => ({
  type: 'SESSION',
  id,
  name: user.name,
  user,
  memberships: memberships.map(membershipOf),
})

/** Those of the sessions that are still signed in, for answers that outlast the check of their request. */
export async function signedInSessions(db: Db, ids: readonly string[], now: Date): Promise<Credential[]> {
  const sessions = await findSessionsByIds(db, ids)
  return sessions.filter((session) => session.stage === 'SIGNED_IN' && !isOver(session, now)).map(credentialOf)
}

export interface SignInContext {
  db: Db
  seal: Seal
  attempts: AttemptLimits
  /** Reports a failed sign-in and its source to the operator. */
  onFailure: (failure: { userId: string | null; ip: string; reason: 'PASSWORD' | 'SECOND_FACTOR' }) => void
  /** Notifies the person after the change is committed. */
  notify: (email: string, change: AccountChange) => void
}

/** The source of a sign-in, and the session that the browser had before. */
export interface Browser {
  from: Origin
  formerSecret: string | undefined
}

export type AuthorAs = (user: { id: string; name: string; email: string }) => Author

const wrong = () => refuse('sign_in_failed', 'The e-mail address or the password is wrong.')

/** The first step. An unknown account takes as much work as a wrong password and gets the same answer. */
export async function signIn(
  { db, attempts, onFailure }: SignInContext,
  { email, password }: { email: string; password: string },
  browser: Browser,
  authorAs: AuthorAs,
): Promise<StartedSession | Refusal> {
  const exceeded = await attempts.take('password', email)
  if (exceeded) return exceeded
  const known = await findAccountByEmail(db, email)
  const isRight = await checkPassword(password, known?.passwordHash ?? null)
  if (isRefusal(isRight)) return isRight
  if (!known || !isRight) {
    onFailure({ userId: known?.id ?? null, ip: browser.from.ip, reason: 'PASSWORD' })
    return wrong()
  }
  const by = authorAs(known)
  await leaveSession(db, browser.formerSecret, authorAs, by.now)
  const started = await inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, known.id)
    if (!account || account.passwordHash !== known.passwordHash) return wrong()
    if (account.secondFactor) return startSession(tx, account, 'SECOND_FACTOR', browser.from, by.now)
    return signedIn(tx, account, browser.from, by, { method: 'PASSWORD' })
  })
  if (!isRefusal(started)) await attempts.forgive('password', email)
  return started
}

/** The second step: a waiting session becomes a signed-in session with a new id. */
export async function signInWithSecondFactor(
  { db, seal, attempts, onFailure, notify }: SignInContext,
  proof: Proof,
  browser: Browser,
  authorAs: AuthorAs,
  now: Date,
): Promise<StartedSession | Refusal> {
  const waiting = await openSession(db, browser.formerSecret, now)
  if (waiting?.stage !== 'SECOND_FACTOR') return refuse('unauthorized', 'Sign in with your password first.')
  const { user } = waiting
  const exceeded = await attempts.take('code', user.id)
  if (exceeded) return exceeded
  const by = authorAs(user)
  const started = await inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, user.id)
    if (!account || !(await deleteSession(tx, waiting.id)))
      return refuse('unauthorized', 'Sign in with your password first.')
    const proved = await proveSecondFactor(tx, seal, { userId: user.id, proof, now: by.now })
    if (!proved) return refuse('sign_in_failed', 'The code is wrong, or it was used before.')
    return signedIn(tx, account, browser.from, by, {
      method: 'PASSWORD',
      secondFactor: proved.method,
      ...codesLeft(proved),
    })
  })
  if (isRefusal(started)) {
    if (started.refusal === 'sign_in_failed')
      onFailure({ userId: user.id, ip: browser.from.ip, reason: 'SECOND_FACTOR' })
    return started
  }
  await attempts.forgive('code', user.id)
  if ('recoveryCode' in proof) notify(user.email, 'RECOVERY_CODE_USED')
  return started
}

const codesLeft = ({ method, recoveryCodesLeft }: { method: string; recoveryCodesLeft: number }) =>
  method === 'RECOVERY_CODE' ? { recoveryCodesLeft } : {}

/** How a person signed in, for the audit log. */
export type SignInMethod = {
  method: 'PASSWORD' | 'SIGN_UP' | 'INVITATION' | 'OPENID_CONNECT'
  [detail: string]: unknown
}

/** Starts a session for a person who has proved their identity. */
export async function signedIn(
  tx: Tx,
  account: Pick<Account, 'id' | 'name'>,
  from: Origin,
  by: Author,
  how: SignInMethod,
): Promise<StartedSession> {
  const started = await startSession(tx, account, 'SIGNED_IN', from, by.now)
  const object = { type: 'session', id: started.id, name: account.name } as const
  await recordOfPerson(tx, by, account.id, { action: 'session.start', object, after: how })
  return started
}

async function startSession(
  tx: Tx,
  { id: userId }: Pick<Account, 'id'>,
  stage: Stage,
  from: Origin,
  now: Date,
): Promise<StartedSession & { id: string }> {
  const id = newId()
  const secret = newSessionSecret()
  const expiresAt = endOf(stage, now)
  await insertSession(tx, { id, userId, secretHash: hashOfSession(secret)!, stage, now, expiresAt, ...from })
  await deleteOldestSessions(tx, userId, limits.session.perPerson)
  return { id, secret, expiresAt }
}

/**
 * Ends the previous session of the browser, even if it belonged to a different person, so that it does not stay open
 * unnoticed.
 */
export async function leaveSession(
  db: Db,
  formerSecret: string | undefined,
  authorAs: AuthorAs,
  now: Date,
): Promise<void> {
  const former = await openSession(db, formerSecret, now)
  if (former) await endSession(db, former, authorAs(former.user))
}

/** Whether a session is still signed in. For requests that cannot send its secret. */
export const isSignedIn = (db: Db, session: { userId: string; id: string }, now: Date): Promise<boolean> =>
  hasOpenSession(db, { ...session, now, idleSince: idleSince(now) })

/** A new id and secret for a session whose person has just gained or lost rights. */
export async function renewSession(tx: Tx, id: string): Promise<StartedSession | Refusal> {
  const secret = newSessionSecret()
  const expiresAt = await replaceSession(tx, id, { id: newId(), secretHash: hashOfSession(secret)! })
  return expiresAt ? { secret, expiresAt } : refuse('unauthorized', 'The session has ended. Sign in again.')
}

/** Ends one session, whether it is signed in or waits for the second factor. */
export async function endSession(
  db: Db,
  { id, user }: { id: string; user: { id: string; name: string } },
  by: Author,
): Promise<null | Refusal> {
  return inTransaction(db, async (tx) => {
    const ended = await deleteSession(tx, id)
    if (ended?.userId !== user.id) return notFound('Session')
    if (ended.stage === 'SIGNED_IN') await recordEnd(tx, by, { id, user })
    return null
  })
}

/** Ends every session of a person except the current one and returns the number. */
export async function endOtherSessions(
  db: Db,
  { id, user }: { id: string; user: { id: string; name: string } },
  by: Author,
): Promise<number | Refusal> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, user.id)
    const ended = await deleteSessionsOf(tx, user.id, id)
    if (ended > 0) await recordEnd(tx, by, { id, user }, { others: ended })
    return ended
  })
}

const recordEnd = (
  tx: Tx,
  by: Author,
  { id, user }: { id: string; user: { id: string; name: string } },
  before?: { others: number },
): Promise<void> =>
  recordOfPerson(tx, by, user.id, { action: 'session.end', object: { type: 'session', id, name: user.name }, before })
