import { invalid, isRefusal, notFound, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Origin } from '../../../http/credentials.ts'
import type { AttemptLimits } from '../../../http/limits/attempt-limit.ts'
import type { Person } from '../../../http/person-route.ts'
import type { Background } from '../../../platform/background.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Mailer } from '../../../platform/mail.ts'
import { type Author, type Authors, systemActor } from '../../../platform/outbox.ts'
import { inTransaction } from '../../../platform/transaction.ts'
import {
  findAccount,
  findAccountByEmail,
  lockAccount,
  noticeMail,
  passwordProblem,
  proveOwnPassword,
  recordOfPerson,
  sealPassword,
  updatePasswordHash,
} from '../accounts/index.ts'
import { checkLink, createLink, deleteAccountLinks, linkUrl, takeLink } from '../links/index.ts'
import { type AuthorAs, deleteSessionsOf, renewSession, type StartedSession } from '../sessions/index.ts'
import { revokePersonalTokens } from '../tokens/index.ts'
import { resetMail } from './reset-mail.ts'

export interface PasswordContext {
  db: Db
  attempts: AttemptLimits
  background: Background
  /** Null if the service sends no mail. */
  mailer: Mailer | null
  baseUrl: string
  authors: Authors
}

/** Answers every address the same way and equally fast, because all work happens after the answer. */
export async function requestReset(context: PasswordContext, email: string, from: Origin): Promise<null | Refusal> {
  const exceeded = await context.attempts.take('reset', email)
  if (exceeded) return exceeded
  const { mailer } = context
  if (mailer) context.background.run(() => sendReset({ ...context, mailer }, email, from))
  return null
}

async function sendReset(
  { db, mailer, baseUrl, authors }: PasswordContext & { mailer: Mailer },
  email: string,
  from: Origin,
): Promise<void> {
  const account = await findAccountByEmail(db, email)
  if (!account) return
  // The caller has not proved an identity yet.
  const by = authors({ ...systemActor('password reset'), ...from })
  const { id: userId, name } = account
  const link = await inTransaction(db, async (tx) => {
    const created = await createLink(tx, { kind: 'PASSWORD_RESET', userId, createdBy: name, now: by.now })
    const object = { type: 'user', id: userId, name } as const
    await recordOfPerson(tx, by, userId, { action: 'user.password_reset_request', object })
    return created
  })
  if (isRefusal(link)) return
  mailer.post(resetMail(account.email, linkUrl(baseUrl, 'PASSWORD_RESET', link.secret), link.expiresAt!))
}

/** Lets the holder of the link set the password. This ends all sessions and starts none. */
export async function completeReset(
  context: PasswordContext,
  { link, password, revokeTokens }: { link: string; password: string; revokeTokens: boolean },
  authorAs: AuthorAs,
  now: Date,
): Promise<null | Refusal> {
  const { db, attempts } = context
  const open = await checkLink(db, link, now)
  if (isRefusal(open)) return open
  const person = open.kind === 'PASSWORD_RESET' && open.userId ? await findAccount(db, open.userId) : undefined
  if (!person) return notFound('Link')
  const passwordHash = await newPasswordHash(password, person.email, 'password')
  if (isRefusal(passwordHash)) return passwordHash
  const by = authorAs(person)
  const done = await inTransaction(db, async (tx) => {
    await lockAccount(tx, person.id)
    const taken = await takeLink(tx, link, 'PASSWORD_RESET', by.now)
    if (isRefusal(taken)) return taken
    await updatePasswordHash(tx, person.id, passwordHash, by.now)
    await deleteAccountLinks(tx, person.id)
    const sessionsEnded = await deleteSessionsOf(tx, person.id, null)
    const object = { type: 'user', id: person.id, name: person.name } as const
    await recordOfPerson(tx, by, person.id, { action: 'user.password_reset', object, after: { sessionsEnded } })
    if (revokeTokens) await revokePersonalTokens(tx, by, person.id)
    return null
  })
  if (isRefusal(done)) return done
  await attempts.forgive('password', person.email)
  tell(context, person.email)
  return null
}

/** Ends other sessions and gives the current one a new id. */
export async function changePassword(
  context: PasswordContext,
  { id, user }: Person,
  { currentPassword, newPassword }: { currentPassword?: string | undefined; newPassword: string },
  by: Author,
): Promise<StartedSession | Refusal> {
  const { db } = context
  const former = (await findAccount(db, user.id))?.passwordHash ?? null
  if (former !== null) {
    if (currentPassword === undefined)
      return invalid({ path: ['currentPassword'], message: 'Must be your current password.' })
    const proved = await proveOwnPassword(context, user, { field: 'currentPassword', password: currentPassword })
    if (isRefusal(proved)) return proved
  }
  const passwordHash = await newPasswordHash(newPassword, user.email, 'newPassword')
  if (isRefusal(passwordHash)) return passwordHash
  const renewed = await inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, user.id)
    if (account?.passwordHash !== former)
      return refuse('invalid_state', 'The password was changed by a different request. Sign in again.')
    await updatePasswordHash(tx, user.id, passwordHash, by.now)
    await deleteAccountLinks(tx, user.id)
    const sessionsEnded = await deleteSessionsOf(tx, user.id, id)
    const object = { type: 'user', id: user.id, name: user.name } as const
    await recordOfPerson(tx, by, user.id, { action: 'user.password_change', object, after: { sessionsEnded } })
    return renewSession(tx, id)
  })
  if (!isRefusal(renewed)) tell(context, user.email)
  return renewed
}

/** The stored form of a new password that passes the rules. */
export async function newPasswordHash(password: string, email: string, field: string): Promise<string | Refusal> {
  const problem = await passwordProblem(password, email)
  return problem ? invalid({ path: [field], message: problem }) : sealPassword(password)
}

const tell = ({ mailer, baseUrl }: PasswordContext, email: string): void =>
  mailer?.post(noticeMail(email, 'PASSWORD_CHANGED', baseUrl))
